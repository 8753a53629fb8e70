"""Facts from verdicts on mutants: how many were caught, which were missed, and whether the verdicts are reliable."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from evalforge.evidence.examination import NOTICED, SuiteStatus
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.mutation_plan import MutationJob
from evalforge.model.evidence import Fact, Finding

_MAX_FINDINGS = 20
_VOID_REASON = "on unchanged code: they look at the source, the harness, the clock or chance instead of behaviour."
_VOID = f"The tests fail {_VOID_REASON} The score is void."
_VOID_LATE = f"The tests run out of time, or end their process, {_VOID_REASON} The score is void."
# A single one may be bad luck on a busy machine.
_MAX_UNFINISHED_CONTROLS = 1
_LOOKED = "Some tests look at code instead of behaviour; what they catch doesn't count."
_MIN_CERTIFIED = 8
"""With fewer certified mutants a share means too little."""
_NO_GAP_KNOWN = "Some small faults were missed. No trial fails on any of those it ran."
_UNFINISHED = ("timeout", "lost")
_SAME_AS_UNCHANGED = "the tests run out of time, or end their process, but on unchanged code as well."


@dataclass(frozen=True)
class MutantOutcomes:
    """The results on mutants.

    Attributes:
        jobs: The planned jobs, controls included.
        outcomes: The verdicts by the job's index in ``jobs``.
        unreached: The mutants that no test reaches.
    """

    jobs: Sequence[MutationJob]
    outcomes: Mapping[int, str]
    unreached: Sequence[Mutant] = ()

    @property
    def tried(self) -> list[tuple[Mutant, str]]:
        """Each planned mutant with its verdict; that is empty if there is none."""
        jobs = enumerate(self.jobs)
        return [(job.mutant, self.outcomes.get(number, "")) for number, job in jobs if not job.is_control]

    @property
    def controls(self) -> list[tuple[Mutant, str]]:
        """Each planned control with its verdict; that is empty if there is none."""
        jobs = enumerate(self.jobs)
        return [(job.mutant, self.outcomes.get(number, "")) for number, job in jobs if job.is_control]

    def among(self, mutants: Collection[Mutant]) -> Counter[str]:
        """The number of these mutants by verdict; those that no test reaches survive."""
        counts = Counter(verdict for mutant, verdict in self.tried if mutant in mutants)
        counts["survived"] += sum(mutant in mutants for mutant in self.unreached)
        return counts


def mutation_score(status: SuiteStatus, mutants: MutantOutcomes, certified: Collection[Mutant] | None = None) -> Fact:
    """The fact ``tests.mutation_score``.

    The score is the number of mutants that a test's check caught, divided by those and the survivors. Crashes don't
    count, because any call notices them. Timeouts don't count either, unless unchanged code also timed out: then a
    timeout proves nothing, and such mutants count as survivors.

    Args:
        status: The results of the tests without mutants.
        mutants: The results on the mutants.
        certified: The mutants that break the contract, and so are worth naming; None if unknown.
    """
    tried, unreached = mutants.tried, mutants.unreached
    count = Counter(verdict for _, verdict in tried)
    noticed = [mutant for mutant, verdict in mutants.controls if verdict in NOTICED]
    unfinished = [mutant for mutant, verdict in mutants.controls if verdict in _UNFINISHED]

    def mutants_with(*verdicts: str) -> list[Mutant]:
        return [mutant for mutant, verdict in tried if verdict in verdicts]

    survivors = mutants_with("survived", "looked")
    doubtful = mutants_with(*_UNFINISHED) if unfinished else []
    judged_count = count["killed"] + len(survivors) + len(doubtful) + len(unreached)
    untried = count[""] + (0 if unfinished else count["lost"])
    if not status.passed_count:
        return _score(None, _finding("No test passes, so none can catch a fault."))
    if noticed or len(unfinished) > _MAX_UNFINISHED_CONTROLS:
        control = (noticed or unfinished)[0]
        return _score(0.0, _finding_at(control, _VOID if noticed else _VOID_LATE))
    if not count["killed"] and untried > judged_count:  # missing all of a few proves nothing
        return _score(None, *_untried_findings(untried, len(tried)))
    if not judged_count:
        return _score(None, _finding("There was no fault to run."))
    return _score(
        count["killed"] / judged_count,
        *([_finding(_LOOKED)] if status.looked_count or count["looked"] else ()),
        *_gap_findings(survivors, doubtful, unreached, certified),
        *_untried_findings(untried, len(tried)),
    )


def _score(value: float | None, *findings: Finding) -> Fact:
    return Fact(name="tests.mutation_score", value=value, findings=findings)


def is_void(score: Fact) -> bool:
    """Whether a score is void, because the tests failed on changes without effect."""
    return any(finding.message in (_VOID, _VOID_LATE) for finding in score.findings)


def noticed_facts(score: Fact, mutants: MutantOutcomes, certified: Collection[Mutant] | None) -> tuple[Fact, Fact]:
    """The facts ``tests.noticed`` and ``tests.certified``.

    The former is the share of certified mutants that a test's check caught; crashes count neither way. If hardly any
    mutant could be certified, as in a program that passes few trials, it is the share of all mutants.

    Args:
        score: The fact ``tests.mutation_score``, whose reasons also apply here.
        mutants: The results on the mutants.
        certified: The mutants that break the contract; None if unknown.
    """
    counts = mutants.among(certified or ())
    noticed, unnoticed = counts["killed"], counts["survived"] + counts["looked"]
    is_measured = isinstance(score.value, float) and not is_void(score) and noticed + unnoticed >= _MIN_CERTIFIED
    if not is_measured:
        return score.model_copy(update={"name": "tests.noticed"}), Fact(name="tests.certified", value=0)
    total = noticed + unnoticed
    return (
        score.model_copy(update={"name": "tests.noticed", "value": noticed / total}),
        Fact(name="tests.certified", value=total, findings=(_finding(_certified_words(total, noticed, counts)),)),
    )


def _certified_words(total: int, noticed: int, counts: Mapping[str, int]) -> str:
    text = f"Of {total} small faults put into your program, each of which breaks the contract, "
    text += f"your tests catch {noticed}."
    if crashed := counts["crashed"]:
        text += f" {crashed} more only {'makes' if crashed == 1 else 'make'} them crash, which counts neither way."
    return text


def unmeasured_facts(reason: str, passed: float | None) -> tuple[Fact, ...]:
    """The facts of tests that were not run, with the reason; ``passed`` is 0 if the tests are to blame."""
    return (
        Fact(name="tests.passed", value=passed, findings=(_finding(reason),)),
        _score(None, _finding(reason)),
        Fact(name="tests.noticed", value=None, findings=(_finding(reason),)),
        Fact(name="tests.certified", value=0),
    )


def _gap_findings(
    survivors: Sequence[Mutant],
    doubtful: Sequence[Mutant],
    unreached: Sequence[Mutant],
    certified: Collection[Mutant] | None,
) -> list[Finding]:
    """The missed mutants that are worth naming; if there are none, a summary of the others."""
    if certified is None:
        return _survivor_findings(survivors, doubtful, unreached)[:_MAX_FINDINGS]
    findings = _survivor_findings(
        [mutant for mutant in survivors if mutant in certified],
        doubtful,
        [mutant for mutant in unreached if mutant in certified],
    )
    unnamed = [_finding(_NO_GAP_KNOWN)] if not findings and (survivors or unreached) else []
    return [*findings[:_MAX_FINDINGS], *unnamed]


def _survivor_findings(
    survivors: Sequence[Mutant], doubtful: Sequence[Mutant], unreached: Sequence[Mutant]
) -> list[Finding]:
    """The mutants that no test noticed; those that a test reaches come first."""
    return [
        *(_finding_at(mutant, f"{_change(mutant)}, and no test caught it.") for mutant in _in_code_order(survivors)),
        *(_finding_at(mutant, f"{mutant.description}: {_SAME_AS_UNCHANGED}") for mutant in _in_code_order(doubtful)),
        *(_finding_at(mutant, f"{mutant.description}: no test runs this.") for mutant in _in_code_order(unreached)),
    ]


def _change(mutant: Mutant) -> str:
    """A mutant in words, with the first copy that it also changes."""
    copy = next(iter(mutant.copies), None)
    also = f", in your program and in its copy at {copy.path}:{copy.line}" if copy else ""
    return f"{mutant.description}{also}"


def _in_code_order(mutants: Sequence[Mutant]) -> list[Mutant]:
    return sorted(mutants, key=lambda mutant: (mutant.path, mutant.line, mutant.start, mutant.replacement))


def _untried_findings(untried: int, total: int) -> list[Finding]:
    return [_finding(f"{untried} of {total} faults were not run: out of time.")] if untried else []


def _finding_at(mutant: Mutant, message: str) -> Finding:
    return Finding(message=message, path=mutant.path, line=mutant.line)


def _finding(message: str) -> Finding:
    return Finding(message=message)
