"""The forge judge: deterministic, from evidence alone. The same input gives the same result and words."""

from collections.abc import AsyncGenerator, Iterator, Sequence

from evalforge.evidence.attribution import repeated_faults
from evalforge.evidence.earned_levels import EarnedLevel, earned_level
from evalforge.judges.base import Case, criterion_event, judged_event
from evalforge.judges.causes import further_mistakes, name_causes
from evalforge.judges.comments import (
    TrialCounts,
    as_sentence,
    level_comment,
    not_charged_again,
    summary,
    trial_counts,
    unreached_count,
)
from evalforge.judges.improvements import improvements
from evalforge.model.cost import Cost
from evalforge.model.events import CriterionJudged, Event, Judged, Ungraded
from evalforge.model.evidence import Evidence, Finding
from evalforge.model.reason import Example, Reason
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack

# The forge judge's reasons: the first condition that fails, runs that show it, and what to do about it.

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
    findings = [finding for finding in first.findings if finding.trial] if first.reports_trials else []
    counts = trial_counts(first, evidence) if findings else TrialCounts()
    sentences = dict.fromkeys(failure.otherwise for failure in level.failures)
    also = [as_sentence(text) for text in list(sentences)[1 : 1 + _MAX_REMARKS]]
    return Reason(
        cause=as_sentence(first.otherwise),
        why=as_sentence(first.why),
        remarks=(*also, *filter(None, remarks)),
        mistakes=tuple(failure.mistake for failure in level.failures if failure.mistake),
        **counts._asdict(),
        unreached=unreached_count(first, evidence) if findings else 0,
        examples=tuple(map(_example, _different_first(findings)[:_MAX_EXAMPLES])) if counts.failed else (),
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


FORGE_NAME = "forge"
FORGE_VERSION = "1"
_MAX_FINDINGS = 12


class ForgeJudge:
    """Derives levels from the facts by the rules in the boss's ``evidence.yaml``."""

    @property
    def info(self) -> JudgeInfo:
        """The judge's name."""
        return JudgeInfo(name=FORGE_NAME, version=FORGE_VERSION)

    @property
    def cost(self) -> Cost:
        """Always nothing, because no model is asked."""
        return Cost()

    def refusal(self, case: Case) -> Ungraded | None:
        """Always None, because the forge judges every case."""
        return None

    async def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge each criterion in the rubric's order, and end with ``Judged``."""
        opinion = forge_opinion(case)
        for judgement in opinion.judgements:
            yield criterion_event(case.pack.rubric, judgement)
        yield judged_event(case, opinion)


def judge_what_is_measured(case: Case) -> Iterator[CriterionJudged]:
    """Judge the first criteria of the rubric that depend on no fact which hasn't been measured yet.

    Judging them again with all evidence gives the same, unless a fault of a later criterion takes one of theirs over.
    """
    measured = {fact.name for fact in case.evidence.facts}
    if measured:
        for judgement in forge_opinion(case).judgements:
            rules = case.pack.rules.of(judgement.criterion_id)
            if not {check.fact for rule in rules for need in rule.requires for check in need.checks} <= measured:
                return
            yield criterion_event(case.pack.rubric, judgement)


def forge_opinion(case: Case) -> Opinion:
    """The forge judge's opinion, as a pure function of the case."""
    rubric, rules, evidence = case.pack.rubric, case.pack.rules, case.charged_evidence
    earned = [earned_level(criterion, rules, evidence) for criterion in rubric.criteria]
    levels = name_causes(earned, case.mistakes, evidence.trials)
    return Opinion(
        judgements=tuple(_judgement(case, level) for level in levels),
        summary=summary(case, levels),
        improvements=improvements(case, levels),
        raw_notes=" ".join((*further_mistakes(case.mistakes, levels), *case.evidence.notices)),
    )


def _judgement(case: Case, level: EarnedLevel) -> Judgement:
    following = level.criterion.next_level(level.level.score)
    faults = repeated_faults(case.pack.rubric, case.pack.rules, level.criterion.id, case.charged_evidence)
    remarks = level.close, not_charged_again(faults)
    parts = (level_comment(level, case.charged_evidence), *remarks)
    findings = tuple(finding for failure in level.failures for finding in failure.findings)
    return Judgement(
        criterion_id=level.criterion.id,
        score=level.level.score,
        comment=" ".join(filter(None, parts)),
        findings=findings[:_MAX_FINDINGS],
        next_level=following.asked if following else "",
        close=level.close,
        reason=reason_of(level, case.charged_evidence, remarks),
    )


def rescore(pack: BossPack, submission: Submission, evidence: Evidence) -> Judged:
    """Score a submission's evidence by the rubric and rules of a pack."""
    case = Case(pack, submission, evidence)
    return judged_event(case, forge_opinion(case))
