"""Facts from a suite's run on mutants: how many were caught, which were missed, and whether that proves anything."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from evalforge.evidence.out_of_time import out_of_time_fact
from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.suite.own_tests import OwnTests
from evalforge.evidence.suite.run import MISSED_FATES, Fate, Outcome, Reading
from evalforge.model.evidence import Fact, Finding

_MAX_FINDINGS = 20
_VOID = (
    "The tests fail on unchanged code: they look at the source, the harness, the clock or chance instead of behaviour. "
    "The score is void."
)
_LOOKED = "Some tests look at code instead of behaviour; what they catch doesn't count."
_MIN_CERTIFIED = 8
"""With fewer certified mutants a share means too little."""
_NO_GAP_KNOWN = "Some small faults were missed. No trial fails on any of those it ran."
_TIME_UP = "Time ran out before every test and every seeded fault was run."
_UNNOTICED = {
    Fate.MISSED: "{change}, and no test caught it.",
    Fate.HUNG_ANYWAY: "{fault}: the tests run out of time, or end their process, but on unchanged code as well.",
    Fate.UNREACHED: "{fault}: no test runs this.",
}
"""What is said about a mutant that was missed; those that a test reaches come first."""


def mutant_facts(own: OwnTests, outcome: Outcome, certified: Collection[Mutant] | None = None) -> list[Fact]:
    """The facts about mutants: score, share noticed, certified ones, and what was not run.

    Args:
        own: The results of the tests without mutants.
        outcome: The results on the mutants.
        certified: The mutants that break the contract, and so are worth naming; None if unknown.
    """
    score = mutation_score(own, outcome, certified)
    noticed, certified_count = noticed_facts(score, outcome, certified)
    untried = sum(reading.fate is Fate.NOT_RUN for reading in outcome.readings())
    if untried and not is_void(score):  # the share among the quickest isn't the share of all
        score, noticed = (fact.model_copy(update={"value": None}) for fact in (score, noticed))
    return [score, noticed, certified_count, out_of_time_fact(own.unrun_count + untried, _TIME_UP)]


def mutation_score(own: OwnTests, outcome: Outcome, certified: Collection[Mutant] | None = None) -> Fact:
    """The fact ``tests.mutation_score``; the arguments are those of ``mutant_facts``.

    The score is the number of mutants that a test's check caught, divided by those and the missed ones. Crashes don't
    count, because any call notices them; nor do mutants on which tests hang, unless they also hang on unchanged code.
    """
    readings = outcome.readings()
    count = Counter(reading.fate for reading in readings)
    judged_count = count[Fate.CAUGHT] + sum(count[fate] for fate in MISSED_FATES)
    untried_findings: list[Finding] = []
    if untried := count[Fate.NOT_RUN]:
        untried_findings.append(_finding(f"{untried} of {len(readings)} faults were not run: out of time."))
    if not own.passed_count:
        return _score(None, _finding("No test passes, so none can catch a fault."))
    if outcome.void_control:
        return _score(0.0, _finding_at(outcome.void_control, _VOID))
    if not count[Fate.CAUGHT] and untried > judged_count:  # missing all of a few proves nothing
        return _score(None, *untried_findings)
    if not judged_count:
        return _score(None, _finding("There was no fault to run."))
    return _score(
        count[Fate.CAUGHT] / judged_count,
        *([_finding(_LOOKED)] if own.looked_count or outcome.has_looked else ()),
        *_gap_findings(readings, certified),
        *untried_findings,
    )


def _score(value: float | None, *findings: Finding) -> Fact:
    return Fact(name="tests.mutation_score", value=value, findings=findings)


def is_void(score: Fact) -> bool:
    """Whether a score is void, because the tests failed on changes without effect."""
    return any(finding.message == _VOID for finding in score.findings)


def noticed_facts(score: Fact, outcome: Outcome, certified: Collection[Mutant] | None) -> tuple[Fact, Fact]:
    """The facts ``tests.noticed`` and ``tests.certified``.

    The former is the share of certified mutants that a test's check caught; crashes count neither way. If hardly any
    mutant could be certified, as in a program that passes few trials, it is the share of all mutants.

    Args:
        score: The fact ``tests.mutation_score``, whose reasons also apply here.
        outcome: The results on the mutants.
        certified: The mutants that break the contract; None if unknown.
    """
    counts = Counter(reading.fate for reading in outcome.readings() if reading.mutant in (certified or ()))
    total = counts[Fate.CAUGHT] + sum(counts[fate] for fate in MISSED_FATES)
    if not isinstance(score.value, float) or is_void(score) or total < _MIN_CERTIFIED:
        return score.model_copy(update={"name": "tests.noticed"}), Fact(name="tests.certified", value=0)
    return (
        score.model_copy(update={"name": "tests.noticed", "value": counts[Fate.CAUGHT] / total}),
        Fact(name="tests.certified", value=total, findings=(_finding(_certified_words(total, counts)),)),
    )


def _certified_words(total: int, counts: Mapping[Fate, int]) -> str:
    text = f"Of {total} small faults put into your program, each of which breaks the contract, "
    text += f"your tests catch {counts[Fate.CAUGHT]}."
    if crashed := counts[Fate.CRASHED]:
        text += f" {crashed} more only {'makes' if crashed == 1 else 'make'} them crash, which counts neither way."
    return text


def unmeasured_facts(reason: Finding, passed: float | None) -> tuple[Fact, ...]:
    """The facts of tests that were not run, with the reason; ``passed`` is 0 if the tests are to blame."""
    return (
        Fact(name="tests.passed", value=passed, findings=(reason,)),
        _score(None, _finding(reason.message)),
        Fact(name="tests.noticed", value=None, findings=(_finding(reason.message),)),
        Fact(name="tests.certified", value=0),
    )


def _gap_findings(readings: Iterable[Reading], certified: Collection[Mutant] | None) -> list[Finding]:
    """The missed mutants that are worth naming; if there are none, a summary of the others."""
    missed = [reading for reading in readings if reading.fate in MISSED_FATES]
    reportable = [
        reading
        for reading in missed
        if certified is None or reading.fate is Fate.HUNG_ANYWAY or reading.mutant in certified
    ]
    if missed and not reportable:
        return [_finding(_NO_GAP_KNOWN)]
    findings = [
        _finding_at(mutant, words.format(change=_change(mutant), fault=mutant.description))
        for fate, words in _UNNOTICED.items()
        for mutant in _in_code_order([reading.mutant for reading in reportable if reading.fate is fate])
    ]
    return findings[:_MAX_FINDINGS]


def _change(mutant: Mutant) -> str:
    """A mutant in words, with the first copy that it also changes."""
    copy = next(iter(mutant.copies), None)
    also = f", in your program and in its copy at {copy.path}:{copy.line}" if copy else ""
    return f"{mutant.description}{also}"


def _in_code_order(mutants: Sequence[Mutant]) -> list[Mutant]:
    return sorted(mutants, key=lambda mutant: (mutant.path, mutant.line, mutant.start, mutant.replacement))


def _finding_at(mutant: Mutant, message: str) -> Finding:
    return Finding(message=message, path=mutant.path, line=mutant.line)


def _finding(message: str) -> Finding:
    return Finding(message=message)
