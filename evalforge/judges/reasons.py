"""The forge judge's reasons: the first condition that fails, runs that show it, and what to do about it."""

from collections.abc import Sequence

from evalforge.evidence.earned_levels import EarnedLevel, FailedCondition
from evalforge.judges.comments import as_sentence
from evalforge.model.evidence import Evidence, Finding, count_passed
from evalforge.model.reason import Example, Reason

_MAX_EXAMPLES = 3
_MAX_REMARKS = 2


def reason_of(level: EarnedLevel, evidence: Evidence, remarks: Sequence[str] = ()) -> Reason:
    """Why a criterion has the level that it earned.

    Args:
        level: The level.
        evidence: What was measured.
        remarks: What else must be said, a sentence each.
    """
    if not level.failures:
        return Reason(cause=as_sentence(level.words or level.level.description), remarks=tuple(filter(None, remarks)))
    first, *others = level.failures
    findings = [finding for finding in first.findings if finding.trial] if _speaks_of_trials(first) else []
    failed, total = _trial_counts(first, evidence) if findings else (0, 0)
    also = [as_sentence(failure.otherwise) for failure in others[:_MAX_REMARKS]]
    return Reason(
        cause=as_sentence(first.otherwise),
        remarks=(*also, *filter(None, remarks)),
        failed=failed,
        total=total,
        examples=tuple(map(_example, _different_first(findings)[:_MAX_EXAMPLES])),
        holds=as_sentence(level.words),
        advice=as_sentence(first.improve),
    )


def _speaks_of_trials(failure: FailedCondition) -> bool:
    """Whether a condition's trials are its own: one on tests may ask for trials that another criterion speaks of."""
    condition = failure.condition
    return not (condition.asks_for_tests and condition.checks[0].fact.startswith("trials."))


def _trial_counts(failure: FailedCondition, evidence: Evidence) -> tuple[int, int]:
    """How many trials of a failed condition fail, and how many there are."""
    kind, _, group = failure.condition.checks[0].fact.partition(".")
    fact = evidence.fact(failure.condition.checks[0].fact)
    return (len(fact.findings), count_passed(evidence.trials, group)[1]) if kind == "trials" and fact else (0, 0)


def _different_first(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, the first of each cause before all others: what ends at one line, or in the same words, is one."""
    seen: set[str] = set()
    firsts: list[Finding] = []
    others: list[Finding] = []
    for finding in findings:
        cause = finding.place or finding.message
        (others if cause in seen else firsts).append(finding)
        seen.add(cause)
    return firsts + others


def _example(finding: Finding) -> Example:
    return Example.of_message(finding.message, finding.trial, finding.path, finding.line)
