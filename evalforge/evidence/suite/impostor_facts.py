"""What the results of the player's tests on a boss's programs show, and the facts about it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from evalforge.evidence.out_of_time import out_of_time_fact
from evalforge.evidence.suite.conversation import PlayerTestRun
from evalforge.evidence.suite.inner_tests import NO_INNER_NAMES, TestUses
from evalforge.evidence.suite.standings import SuiteTestStatus, read_excuses, set_open_tests_aside
from evalforge.model.evidence import Fact, Finding, ImpostorFate, ImpostorResult
from evalforge.model.text import clean_line
from evalforge.packs.impostors import Impostor

_MAX_FINDINGS = 20
_MAX_FAILURE_CHARS = 120
_ASSERTION = "does not hold: "
"""The host's prefix for an assertion without a message."""
_NEEDS_MORE = "uses names that only your program has, so it can't run on the boss's programs"
_UNSTABLE_TEXT = "passes in one run and fails in another"
_FAILS = "fails on a program that keeps the contract"
_OPEN = "expects what the contract leaves open"
_SET_ASIDE = {SuiteTestStatus.INNER: _NEEDS_MORE, SuiteTestStatus.OPEN: _OPEN}
_OWN_ONLY = "passes only on your program: on every program that keeps the contract it skips itself or may fail"
_WRONG_WAYS = {SuiteTestStatus.WRONG: _FAILS, SuiteTestStatus.OWN_ONLY: _OWN_ONLY}
_VOID = "The tests fail although nothing was changed: they depend on the code, the clock or chance, and catch nothing."
_UNLOADED = "can't be loaded with the boss's programs"
_MOSTLY_INNER = "Most of your tests use names that only your program has, so they can't run on the boss's programs."
_INNER_FACTOR = 3
_ABOUT_THE_PROGRAM = (
    SuiteTestStatus.CONTRACT,
    SuiteTestStatus.WRONG,
    SuiteTestStatus.OPEN,
    SuiteTestStatus.OWN_ONLY,
    SuiteTestStatus.INNER,
)
_NO_TESTS = frozenset[str]()


@dataclass(frozen=True)
class ImpostorMeasurement:
    """The results of the tests on the boss's programs.

    Attributes:
        reason: Why the tests were run on none; empty if they were.
        statuses: The status of each test towards the right programs, by name.
        uses: What the tests use, read from their source.
        results: A result for each impostor.
        is_void: Whether tests failed on unchanged programs.
        alert_tests: The tests with a check that fails on a hollow program; None if that was not run.
        expected_impostors: The impostor that does what a wrong test expects, by the test's function.
        failed_runs: The failure of a wrong test on a right program, by the test's function.
        absent_impostors: How many of the boss's impostors were not run, because a fight only runs the core.
        untried_reason: Why no impostor was tried, if no test could be loaded with any right program; else empty.
    """

    reason: str = ""
    statuses: Mapping[str, SuiteTestStatus] = field(default_factory=dict[str, SuiteTestStatus])
    uses: TestUses = field(default_factory=lambda: TestUses({}, NO_INNER_NAMES, ""))
    results: tuple[ImpostorResult, ...] = ()
    is_void: bool = False
    alert_tests: frozenset[str] | None = None
    expected_impostors: Mapping[str, Impostor] = field(default_factory=dict[str, Impostor])
    failed_runs: Mapping[str, PlayerTestRun] = field(default_factory=dict[str, PlayerTestRun])
    absent_impostors: int = 0
    untried_reason: str = ""

    @property
    def has_unmasked(self) -> bool:
        """Whether the tests caught any impostor."""
        return any(result.fate is ImpostorFate.UNMASKED for result in self.results)

    @property
    def has_wrong_tests(self) -> bool:
        """Whether some test contradicts the contract, because it fails on every right program."""
        return SuiteTestStatus.WRONG in self.statuses.values()

    @property
    def is_content_with_nothing(self) -> bool:
        """Whether no check of any test fails on a hollow program."""
        return self.alert_tests is not None and not self.alert_tests

    def beside_own(self, own_passing: frozenset[str], *, is_right: bool = False) -> "ImpostorMeasurement":
        """Update the statuses, once it is known which tests pass on the player's own program.

        A test that fails there and on right programs checks no result, because it fails whatever the result is.
        """
        statuses = read_excuses(self.statuses, own_passing, self.uses)
        denied = self.expected_impostors.keys()
        statuses = set_open_tests_aside(statuses, self.uses, denied, own_passing, is_own_right=is_right)
        alert_tests = self.alert_tests
        if own_passing and alert_tests is not None:
            alert_tests &= own_passing | {name for name in statuses if statuses[name] is SuiteTestStatus.CONTRACT}
        untried_reason = _MOSTLY_INNER if self.untried_reason and own_passing else self.untried_reason
        return replace(self, statuses=statuses, alert_tests=alert_tests, untried_reason=untried_reason)

    def count_by_status(self, idle_tests: frozenset[str] = _NO_TESTS) -> Counter[SuiteTestStatus]:
        """Count the tests by status, without inner tests among ``idle_tests``."""
        statuses = self.statuses.items()
        return Counter(status for test, status in statuses if not (status in _SET_ASIDE and test in idle_tests))

    def is_idle(self, idle_tests: frozenset[str]) -> bool:
        """Whether no test runs any of the code that the trials run."""
        counts = self.count_by_status(idle_tests)
        return bool(idle_tests) and not self.reason and not any(counts[status] for status in _ABOUT_THE_PROGRAM)

    def needs_mutants(self, idle_tests: frozenset[str] = _NO_TESTS) -> bool:
        """Whether many tests could not run on impostors, so that mutants of the player's program must measure them."""
        count = self.count_by_status(idle_tests)
        return not self._is_measured(count) or _set_aside(count) * _INNER_FACTOR > count[SuiteTestStatus.CONTRACT]

    def _is_measured(self, count: Counter[SuiteTestStatus]) -> bool:
        return bool(self.results) and not self.untried_reason and _set_aside(count) <= count[SuiteTestStatus.CONTRACT]

    def facts(self, idle_tests: frozenset[str] = _NO_TESTS) -> tuple[Fact, ...]:
        """Facts about the tests, and about the impostors they met; idle inner tests are left out.

        The former are ``tests.contract``, ``inner``, ``wavering`` and ``wrong_expectations``, the latter ``unmasked``
        and ``impostors``.
        """
        if self.reason:
            return unmeasured_impostor_facts(self.reason)
        count = self.count_by_status(idle_tests)
        untried = 0 if self.untried_reason else [each.fate for each in self.results].count(ImpostorFate.NOT_TRIED)
        is_unloaded = self.untried_reason not in ("", _MOSTLY_INNER)
        inner_words = dict.fromkeys(_SET_ASIDE, _UNLOADED) if is_unloaded else _SET_ASIDE
        return (
            Fact(name="tests.contract", value=count[SuiteTestStatus.CONTRACT]),
            self._named_tests("tests.inner", inner_words, idle_tests),
            self._named_tests("tests.wavering", {SuiteTestStatus.WAVERING: _UNSTABLE_TEXT}),
            self._named_tests("tests.wrong_expectations", _WRONG_WAYS),
            self._unmasked_fact(count),
            Fact(name="tests.impostors", value=len(self.results), findings=_absent(self.absent_impostors)),
            out_of_time_fact(untried, f"{untried} of {len(self.results)} impostors were not run: out of time."),
        )

    def _unmasked_fact(self, count: Counter[SuiteTestStatus]) -> Fact:
        if self.results and not self._is_measured(count):
            return Fact(
                name="tests.unmasked", value=None, findings=(Finding(message=self.untried_reason or _MOSTLY_INNER),)
            )
        unmasked = sum(result.fate is ImpostorFate.UNMASKED for result in self.results)
        missed = [result for result in self.results if result.fate is ImpostorFate.LET_THROUGH][:_MAX_FINDINGS]
        messages = [f"Missed ({result.clause}), with this riddle: “{result.riddle}”" for result in missed]
        return Fact(
            name="tests.unmasked",
            value=unmasked / len(self.results) if self.results else None,
            findings=tuple(Finding(message=message) for message in ([_VOID] if self.is_void else []) + messages),
        )

    def _named_tests(
        self, name: str, words: Mapping[SuiteTestStatus, str], left_out: frozenset[str] = _NO_TESTS
    ) -> Fact:
        """Count the test functions with certain statuses, each named once with its words, whatever its parameters."""
        tests: dict[str, SuiteTestStatus] = {}
        for test, status in self.statuses.items():
            if status in words and test not in left_out:
                tests.setdefault(test.partition("[")[0], status)
        findings = [self._finding(test, words[status]) for test, status in list(tests.items())[:_MAX_FINDINGS]]
        return Fact(name=name, value=len(tests), findings=tuple(findings))

    def _finding(self, test: str, text: str) -> Finding:
        path, _, name = test.partition("::")
        impostor = self.expected_impostors.get(test)
        contract_words = f": the contract says otherwise ({impostor.clause})" if impostor else ""
        contract_words += f": “{impostor.says}”" if impostor and impostor.says else ""
        if text == _FAILS:
            text += _failure_words(self.failed_runs.get(test))
        message = f"`{clean_line(name, 100)}` {text}{contract_words}"
        message += "" if message.endswith(".”") else "."
        return Finding(message=message, path=path, line=self.uses.line_of(test))


def unmeasured_impostor_facts(reason: str) -> tuple[Fact, ...]:
    """The same facts if the tests ran on no other program, with the reason; none of them counts against the tests."""
    findings = (Finding(message=reason),)
    return (
        *(Fact(name=f"tests.{name}", value=None, findings=findings) for name in ("contract", "inner", "unmasked")),
        *(Fact(name=f"tests.{name}", value=0) for name in ("wavering", "wrong_expectations", "impostors")),
    )


def _set_aside(count: Mapping[SuiteTestStatus, int]) -> int:
    """How many tests can only be run on the player's own program."""
    return sum(count[status] for status in _SET_ASIDE)


def _failure_words(failed_run: PlayerTestRun | None) -> str:
    """How a test failed on a right program: the false assertion, or the exception."""
    message = clean_line(failed_run.message, _MAX_FAILURE_CHARS).rstrip(".") if failed_run else ""
    if not message:
        return ""
    assertion = message.removeprefix(_ASSERTION)
    return f", at `{assertion}`" if assertion != message else f" ({message})"


def _absent(count: int) -> tuple[Finding, ...]:
    text = f"`evalforge impostors` sends {count} more than a fight does."
    return (Finding(message=text),) if count else ()
