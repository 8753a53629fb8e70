"""From verdicts to facts: how many mutants were caught, which were not, and whether the verdicts can be trusted."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from evalforge.evidence.examination import NOTICED, SuiteStatus
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.plan import MutationJob
from evalforge.model.evidence import Fact, Finding

_MAX_FINDINGS = 20
_VOID_REASON = "on unchanged code: they look at the source, the harness, the clock or chance instead of behaviour."
_VOID = f"The tests fail {_VOID_REASON} The score is void."
_VOID_LATE = f"The tests run out of time, or end their process, {_VOID_REASON} The score is void."
# One may be bad luck on a busy machine.
_MAX_UNFINISHED_CONTROLS = 1
_LOOKED = "Tests look at code instead of behaviour: what those notice counts for nothing."
_NO_GAP_KNOWN = "Some small faults went unnoticed. Of those that the trials met, none made one fail."
_UNFINISHED = ("timeout", "lost")
_SAME_AS_UNCHANGED = "the tests run out of time, or end their process, but on unchanged code as well."


def mutation_facts(
    status: SuiteStatus,
    jobs: Sequence[MutationJob],
    outcomes: Mapping[int, str],
    unreached: Sequence[Mutant],
    gaps: Collection[Mutant] | None = None,
) -> tuple[Fact, ...]:
    """``tests.mutation_score``, ``tests.mutants`` and ``tests.timeouts``.

    The score is the share of mutants that a check of some test caught among those that were so caught or survived: a
    crash is noticed by whoever calls anything. Faults that made a test
    run out of time count for nothing, unless unchanged code did so as well: then a timeout proves nothing, and they
    count as survivors.

    Args:
        status: How the tests do without mutants.
        jobs: What was to be tried, controls included.
        outcomes: Verdicts by the job's place in ``jobs``.
        unreached: Faults that no test comes by.
        gaps: The unnoticed faults that are worth naming, since they break the contract; all of them if None.
    """
    tried = {number: job for number, job in enumerate(jobs) if not job.is_control}
    count = Counter(outcomes.get(number, "") for number in tried)
    controls = [(outcomes.get(number, ""), job) for number, job in enumerate(jobs) if job.is_control]
    noticed = [job for outcome, job in controls if outcome in NOTICED]
    unfinished = [job for outcome, job in controls if outcome in _UNFINISHED]

    def mutants_with(*verdicts: str) -> list[Mutant]:
        return [job.mutant for number, job in tried.items() if outcomes.get(number) in verdicts]

    survivors, late = mutants_with("survived", "looked"), mutants_with("timeout")
    doubtful = mutants_with(*_UNFINISHED) if unfinished else []
    judged = count["killed"] + len(survivors) + len(doubtful) + len(unreached)
    if not status.passed_count:
        score = Fact(
            name="tests.mutation_score", value=None, findings=(_finding("No test passes, so none can notice."),)
        )
    elif noticed or len(unfinished) > _MAX_UNFINISHED_CONTROLS:
        place = (noticed or unfinished)[0].mutant
        finding = Finding(message=_VOID if noticed else _VOID_LATE, path=place.path, line=place.line)
        score = Fact(name="tests.mutation_score", value=0.0, findings=(finding,))
    elif not judged:
        score = Fact(name="tests.mutation_score", value=None, findings=(_finding("There was no fault to try."),))
    else:
        untried = count[""] + (0 if unfinished else count["lost"])
        findings = [
            *([_finding(_LOOKED)] if status.looked_count or count["looked"] else ()),
            *_gap_findings(survivors, doubtful, unreached, gaps),
            *_untried_findings(untried, len(tried)),
        ]
        score = Fact(name="tests.mutation_score", value=count["killed"] / judged, findings=tuple(findings))
    timeouts = tuple(
        _finding_at(mutant, f"{mutant.description}: the tests ran out of time.") for mutant in late[:_MAX_FINDINGS]
    )
    tried_count = judged + count["crashed"] + (0 if unfinished else len(late))
    return (
        score,
        Fact(name="tests.mutants", value=tried_count if status.passed_count else 0),
        Fact(name="tests.timeouts", value=len(late), findings=timeouts),
    )


def is_void(score: Fact) -> bool:
    """Whether a score is void, for the tests noticed changes that change nothing."""
    return any(finding.message in (_VOID, _VOID_LATE) for finding in score.findings)


def unmeasured_facts(reason: str, passed: float | None) -> tuple[Fact, ...]:
    """The facts of tests that were not tried, with the reason; ``passed`` is 0 where that is the tests' own doing."""
    return (
        Fact(name="tests.passed", value=passed, findings=(_finding(reason),)),
        Fact(name="tests.mutation_score", value=None, findings=(_finding(reason),)),
        Fact(name="tests.mutants", value=0),
        Fact(name="tests.timeouts", value=0),
    )


def unnoticed_mutants(
    jobs: Sequence[MutationJob], outcomes: Mapping[int, str], unreached: Sequence[Mutant]
) -> list[Mutant]:
    """The mutants that no test noticed, with those that none runs."""
    tried = [job.mutant for number, job in enumerate(jobs) if not job.is_control and outcomes.get(number) == "survived"]
    return [*tried, *unreached]


def _gap_findings(
    survivors: Sequence[Mutant],
    doubtful: Sequence[Mutant],
    unreached: Sequence[Mutant],
    gaps: Collection[Mutant] | None,
) -> list[Finding]:
    """The unnoticed mutants that are worth naming; a word on the others where none is."""
    if gaps is None:
        return _survivor_findings(survivors, doubtful, unreached)[:_MAX_FINDINGS]
    named = _survivor_findings([m for m in survivors if m in gaps], doubtful, [m for m in unreached if m in gaps])
    unnamed = [_finding(_NO_GAP_KNOWN)] if not named and (survivors or unreached) else []
    return [*named[:_MAX_FINDINGS], *unnamed]


def _survivor_findings(
    survivors: Sequence[Mutant], doubtful: Sequence[Mutant], unreached: Sequence[Mutant]
) -> list[Finding]:
    """The mutants no test noticed; those that a test runs come first."""
    return [
        *(_finding_at(mutant, f"{_change(mutant)}, and no test noticed.") for mutant in _in_code_order(survivors)),
        *(_finding_at(mutant, f"{mutant.description}: {_SAME_AS_UNCHANGED}") for mutant in _in_code_order(doubtful)),
        *(_finding_at(mutant, f"{mutant.description}: no test runs this.") for mutant in _in_code_order(unreached)),
    ]


def _change(mutant: Mutant) -> str:
    """A mutant in words, with the first copy that it changes as well."""
    copy = next(iter(mutant.copies), None)
    also = f", in your program and in its copy at {copy.path}:{copy.line}" if copy else ""
    return f"{mutant.description}{also}"


def _in_code_order(mutants: Sequence[Mutant]) -> list[Mutant]:
    return sorted(mutants, key=lambda mutant: (mutant.path, mutant.line, mutant.start, mutant.replacement))


def _untried_findings(untried: int, total: int) -> list[Finding]:
    return [_finding(f"{untried} of {total} faults were not tried: the time for them was up.")] if untried else []


def _finding_at(mutant: Mutant, message: str) -> Finding:
    return Finding(message=message, path=mutant.path, line=mutant.line)


def _finding(message: str) -> Finding:
    return Finding(message=message)
