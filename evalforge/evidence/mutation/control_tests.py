"""Which tests are tried on which controls: each test on one at least, and quick tests on all.

Most mutants end at the first test that notices them. Nothing notices a control, so it would run all of its tests, and
one slow test would be run on each of them: more than half of what a suite costs. A test can't know that it is tried on
fewer controls than others: it sees neither what comes after it, nor whether its program is a control.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

FREE_SECONDS = 0.1
"""For so long, quick tests are tried on more controls than one."""


def share_tests(tests_of_controls: Sequence[Sequence[str]], seconds: Mapping[str, float]) -> list[tuple[str, ...]]:
    """The tests that each control keeps, in the order in which they are.

    Args:
        tests_of_controls: The tests that could be tried on each control.
        seconds: How long each test takes.
    """
    controls_of = _controls_of_tests(tests_of_controls)
    kept: list[set[str]] = [set() for _ in tests_of_controls]
    load = [0.0] * len(kept)

    def keep(test: str, control: int) -> None:
        kept[control].add(test)
        load[control] += seconds[test]

    for test in sorted(controls_of, key=lambda test: seconds[test], reverse=True):
        keep(test, min(controls_of[test], key=load.__getitem__))
    seconds_left = FREE_SECONDS
    for test in sorted(controls_of, key=lambda test: seconds[test]):
        for control in controls_of[test]:
            if test not in kept[control] and seconds_left >= seconds[test]:
                seconds_left -= seconds[test]
                keep(test, control)
    return [
        tuple(test for test in tests if test in chosen) or (min(tests, key=lambda test: seconds[test]),)
        for tests, chosen in zip(tests_of_controls, kept, strict=True)
    ]


def _controls_of_tests(tests_of_controls: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """The controls that each test could be tried on, in an order that nobody can foresee."""
    controls_of: dict[str, list[int]] = defaultdict(list)
    numbers = list(range(len(tests_of_controls)))
    random.SystemRandom().shuffle(numbers)
    for number in numbers:
        for test in tests_of_controls[number]:
            controls_of[test].append(number)
    return controls_of
