"""The forge judge's reasons: the first condition that fails, runs that show it, and what to do about it."""

from collections.abc import Sequence

from evalforge.evidence.earned_levels import EarnedLevel
from evalforge.judges.comments import as_sentence, speaks_of_trials, trial_counts, unreached_count
from evalforge.model.evidence import Evidence, Finding
from evalforge.model.reason import Example, Reason

_MAX_EXAMPLES = 3
_MAX_REMARKS = 2


def reason_of(level: EarnedLevel, evidence: Evidence, remarks: Sequence[str] = ()) -> Reason:
    """The reason for the level that a criterion earned.

    Args:
        level: The level.
        evidence: What was measured.
        remarks: What else must be said, a sentence each.
    """
    if not level.failures:
        cause = as_sentence(level.words or level.level.full_description)
        return Reason(cause=cause, remarks=tuple(filter(None, remarks)))
    first = level.failures[0]
    findings = [finding for finding in first.findings if finding.trial] if speaks_of_trials(first) else []
    failed, total = trial_counts(first, evidence) if findings else (0, 0)
    sentences = dict.fromkeys(failure.otherwise for failure in level.failures)
    also = [as_sentence(text) for text in list(sentences)[1 : 1 + _MAX_REMARKS]]
    return Reason(
        cause=as_sentence(first.otherwise),
        remarks=(*also, *filter(None, remarks)),
        failed=failed,
        total=total,
        unreached=unreached_count(first, evidence) if findings else 0,
        examples=tuple(map(_example, _different_first(findings)[:_MAX_EXAMPLES])) if failed else (),
        holds=as_sentence(level.words),
        advice=as_sentence(first.improve),
    )


def _different_first(findings: Sequence[Finding]) -> list[Finding]:
    """Put one finding of each cause first; findings share a cause if they end at one line, or have the same message."""
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
