"""From verdicts to facts: how many faults were caught, which were not, and whether the verdicts are worth anything."""

from collections import Counter
from collections.abc import Mapping, Sequence

from evalforge.evidence.examination import Standing
from evalforge.evidence.mutation.fault import Fault
from evalforge.evidence.mutation.plan import Job
from evalforge.model.evidence import Fact, Finding

_FINDINGS_MOST = 20
_WHY_VOID = "on unchanged code: they look at the source, the harness, the clock or chance instead of behaviour."
_VOID = f"The tests fail {_WHY_VOID} The score is void."
_VOID_LATE = f"The tests run out of time, or end their process, {_WHY_VOID} The score is void."
# One may be bad luck on a machine that has much else to do.
_LATE_MOST = 1
_UNFINISHED = ("timeout", "lost")
_AS_UNCHANGED = "the tests run out of time, or end their process, but on unchanged code as well."


def mutation_facts(
    stands: Standing, jobs: Sequence[Job], outcomes: Mapping[int, str], unreached: Sequence[Fault]
) -> tuple[Fact, ...]:
    """``tests.mutation_score``, ``tests.mutants`` and ``tests.timeouts``.

    The score is the share of faults that were caught among those that were caught or survived. Faults that made a test
    run out of time count for nothing, unless unchanged code did so as well: then nobody knows what it says, and they
    count as survivors.

    Args:
        stands: How the tests stand without faults.
        jobs: What was to be tried, controls included.
        outcomes: Verdicts by the job's place in ``jobs``.
        unreached: Faults that no test comes by.
    """
    tried = {number: job for number, job in enumerate(jobs) if not job.is_control}
    count = Counter(outcomes.get(number, "") for number in tried)
    controls = [(outcomes.get(number, ""), job) for number, job in enumerate(jobs) if job.is_control]
    noticed = [job for outcome, job in controls if outcome == "killed"]
    unfinished = [job for outcome, job in controls if outcome in _UNFINISHED]

    def faults(*wanted: str) -> list[Fault]:
        return [job.fault for number, job in tried.items() if outcomes.get(number) in wanted]

    survivors, late = faults("survived"), faults("timeout")
    doubtful = faults(*_UNFINISHED) if unfinished else []
    judged = count["killed"] + len(survivors) + len(doubtful) + len(unreached)
    if not stands.passed:
        score = Fact(name="tests.mutation_score", value=None, findings=(_only("No test passes, so none can notice."),))
    elif noticed or len(unfinished) > _LATE_MOST:
        place = (noticed or unfinished)[0].fault
        finding = Finding(message=_VOID if noticed else _VOID_LATE, path=place.path, line=place.line)
        score = Fact(name="tests.mutation_score", value=0.0, findings=(finding,))
    elif not judged:
        score = Fact(name="tests.mutation_score", value=None, findings=(_only("There was no fault to try."),))
    else:
        untried = count[""] + (0 if unfinished else count["lost"])
        findings = [*_survivors(survivors, doubtful, unreached)[:_FINDINGS_MOST], *_untried(untried, len(tried))]
        score = Fact(name="tests.mutation_score", value=count["killed"] / judged, findings=tuple(findings))
    timeouts = tuple(_at(fault, f"{fault.words}: the tests ran out of time.") for fault in late[:_FINDINGS_MOST])
    return (
        score,
        Fact(name="tests.mutants", value=judged + (0 if unfinished else len(late)) if stands.passed else 0),
        Fact(name="tests.timeouts", value=len(late), findings=timeouts),
    )


def unmeasured(why: str, passed: float | None) -> tuple[Fact, ...]:
    """The facts of tests that were not tried, with the reason; ``passed`` is 0 where that is the tests' own doing."""
    return (
        Fact(name="tests.passed", value=passed, findings=(_only(why),)),
        Fact(name="tests.mutation_score", value=None, findings=(_only(why),)),
        Fact(name="tests.mutants", value=0),
        Fact(name="tests.timeouts", value=0),
    )


def _survivors(survivors: Sequence[Fault], doubtful: Sequence[Fault], unreached: Sequence[Fault]) -> list[Finding]:
    """What nobody noticed, what was at least run first."""
    return [
        *(_at(fault, f"{fault.words}, and no test noticed.") for fault in _in_place(survivors)),
        *(_at(fault, f"{fault.words}: {_AS_UNCHANGED}") for fault in _in_place(doubtful)),
        *(_at(fault, f"{fault.words}: no test runs this.") for fault in _in_place(unreached)),
    ]


def _in_place(faults: Sequence[Fault]) -> list[Fault]:
    return sorted(faults, key=lambda fault: (fault.path, fault.line, fault.start, fault.text))


def _untried(untried: int, total: int) -> list[Finding]:
    return [_only(f"{untried} of {total} faults were not tried: the time for them was up.")] if untried else []


def _at(fault: Fault, message: str) -> Finding:
    return Finding(message=message, path=fault.path, line=fault.line)


def _only(message: str) -> Finding:
    return Finding(message=message)
