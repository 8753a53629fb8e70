"""Facts from the results of the player's tests on right and wrong programs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evalforge.evidence.examination import PlayerTestRun
from evalforge.evidence.impostors.impostor_examination import ImpostorRun
from evalforge.evidence.impostors.suite_runs import SuiteTestStatus
from evalforge.evidence.out_of_time import out_of_time_fact
from evalforge.model.evidence import Fact, Finding, ImpostorFate, ImpostorResult
from evalforge.model.text import clean_line

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
_MOSTLY_INNER = "Most of your tests use names that only your program has, so they can't run on the boss's programs."


def count_by_status(run: ImpostorRun, idle_tests: frozenset[str] = frozenset()) -> Counter[SuiteTestStatus]:
    """Count the tests by status, without inner tests among ``idle_tests``."""
    statuses = run.statuses.items()
    return Counter(status for test, status in statuses if not (status in _SET_ASIDE and test in idle_tests))


def count_set_aside(count: Mapping[SuiteTestStatus, int]) -> int:
    """How many tests can only be run on the player's own program."""
    return sum(count[status] for status in _SET_ASIDE)


def impostor_facts(run: ImpostorRun, idle_tests: frozenset[str] = frozenset()) -> tuple[Fact, ...]:
    """Facts about the tests, and about the impostors they met.

    The former are ``tests.contract``, ``inner``, ``wavering`` and ``wrong_expectations``, the latter ``unmasked`` and
    ``impostors``.
    """
    count = count_by_status(run, idle_tests)
    return (
        Fact(name="tests.contract", value=count[SuiteTestStatus.CONTRACT]),
        _named_tests("tests.inner", run, _SET_ASIDE, idle_tests),
        _named_tests("tests.wavering", run, {SuiteTestStatus.WAVERING: _UNSTABLE_TEXT}),
        _named_tests("tests.wrong_expectations", run, _WRONG_WAYS),
        *_unmasked_facts(run, count),
    )


def unmeasured_impostor_facts(reason: str) -> tuple[Fact, ...]:
    """The same facts if the tests ran on no other program, with the reason; none of them counts against the tests."""
    findings = (Finding(message=reason),)
    return (
        *(Fact(name=f"tests.{name}", value=None, findings=findings) for name in ("contract", "inner", "unmasked")),
        *(Fact(name=f"tests.{name}", value=0) for name in ("wavering", "wrong_expectations", "impostors")),
    )


def _named_tests(
    name: str, run: ImpostorRun, words: Mapping[SuiteTestStatus, str], left_out: frozenset[str] = frozenset()
) -> Fact:
    """Count the test functions with certain statuses, each named once with its words, whatever its parameters."""
    tests: dict[str, SuiteTestStatus] = {}
    for test, status in run.statuses.items():
        if status in words and test not in left_out:
            tests.setdefault(test.partition("[")[0], status)
    findings = [_finding(run, test, words[status]) for test, status in list(tests.items())[:_MAX_FINDINGS]]
    return Fact(name=name, value=len(tests), findings=tuple(findings))


def _finding(run: ImpostorRun, test: str, text: str) -> Finding:
    path, _, name = test.partition("::")
    impostor = run.expected_impostors.get(test)
    contract_words = f": the contract says otherwise ({impostor.clause})" if impostor else ""
    contract_words += f": “{impostor.says}”" if impostor and impostor.says else ""
    if text == _FAILS:
        text += _failure_words(run.failed_runs.get(test))
    message = f"`{clean_line(name, 100)}` {text}{contract_words}"
    message += "" if message.endswith(".”") else "."
    return Finding(message=message, path=path, line=run.uses.line_of(test))


def _failure_words(failed_run: PlayerTestRun | None) -> str:
    """How a test failed on a right program: the false assertion, or the exception."""
    message = clean_line(failed_run.message, _MAX_FAILURE_CHARS).rstrip(".") if failed_run else ""
    if not message:
        return ""
    assertion = message.removeprefix(_ASSERTION)
    return f", at `{assertion}`" if assertion != message else f" ({message})"


def _unmasked_facts(run: ImpostorRun, count: Counter[SuiteTestStatus]) -> tuple[Fact, ...]:
    unmasked = sum(result.fate is ImpostorFate.UNMASKED for result in run.results)
    findings = list(_let_through(run.results))[:_MAX_FINDINGS]
    if run.is_void:
        findings.insert(0, Finding(message=_VOID))
    share = unmasked / len(run.results) if run.results else None
    if share is not None and count_set_aside(count) > count[SuiteTestStatus.CONTRACT]:
        share, findings = None, [Finding(message=_MOSTLY_INNER)]
    return (
        Fact(name="tests.unmasked", value=share, findings=tuple(findings)),
        Fact(name="tests.impostors", value=len(run.results), findings=_absent(run.absent_impostors)),
        _untried_fact(run.results),
    )


def _let_through(results: Iterable[ImpostorResult]) -> Iterable[Finding]:
    for result in results:
        if result.fate is ImpostorFate.LET_THROUGH:
            yield Finding(message=f"Missed ({result.clause}), with this riddle: “{result.riddle}”")


def _absent(count: int) -> tuple[Finding, ...]:
    text = f"`evalforge impostors` sends {count} more than a fight does."
    return (Finding(message=text),) if count else ()


def _untried_fact(results: Sequence[ImpostorResult]) -> Fact:
    untried = sum(result.fate is ImpostorFate.NOT_TRIED for result in results)
    return out_of_time_fact(untried, f"{untried} of {len(results)} impostors were not run: out of time.")
