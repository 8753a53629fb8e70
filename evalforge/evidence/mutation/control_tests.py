"""The choice of tests to run on controls: each test on at least one, and quick tests on all.

Most mutants end at the first test that notices them. Nothing notices a control, so all of its tests would run, and a
slow test would run on each control: that is more than half the cost of a suite. A test can't find out that it runs on
fewer controls than others, because it sees neither later tests nor whether its program is a control.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

FREE_SECONDS = 0.1
"""How many seconds of quick tests may run on more than one control."""


def share_tests(tests_of_controls: Sequence[Sequence[str]], seconds: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Choose the tests that each control keeps, in their present order.

    Args:
        tests_of_controls: The tests that could run on each control.
        seconds: How long each test takes.
    """
    controls_of = _controls_of_tests(tests_of_controls)
    chosen_tests: list[set[str]] = [set() for _ in tests_of_controls]
    load = [0.0] * len(chosen_tests)

    def keep(test: str, control: int) -> None:
        chosen_tests[control].add(test)
        load[control] += seconds[test]

    for test in sorted(controls_of, key=lambda test: seconds[test], reverse=True):
        keep(test, min(controls_of[test], key=load.__getitem__))
    seconds_left = FREE_SECONDS
    for test in sorted(controls_of, key=lambda test: seconds[test]):
        for control in controls_of[test]:
            if test not in chosen_tests[control] and seconds_left >= seconds[test]:
                seconds_left -= seconds[test]
                keep(test, control)
    return [
        tuple(test for test in tests if test in chosen) or (min(tests, key=lambda test: seconds[test]),)
        for tests, chosen in zip(tests_of_controls, chosen_tests, strict=True)
    ]


def _controls_of_tests(tests_of_controls: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """The controls on which each test could run, in random order."""
    controls_of: dict[str, list[int]] = defaultdict(list)
    numbers = list(range(len(tests_of_controls)))
    random.SystemRandom().shuffle(numbers)
    for number in numbers:
        for test in tests_of_controls[number]:
            controls_of[test].append(number)
    return controls_of
