"""The forge judge: deterministic, from evidence alone. Same input, same result, same words."""

from collections.abc import AsyncGenerator

from evalforge.evidence.earned_levels import EarnedLevel, earned_level
from evalforge.judges.base import Case, criterion_event, judged_event
from evalforge.judges.comments import level_comment, summary
from evalforge.judges.improvements import improvements
from evalforge.model.cost import Cost
from evalforge.model.events import Event, Judged, Ungraded
from evalforge.model.evidence import Evidence
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack

FORGE_NAME = "forge"
FORGE_VERSION = "1"
_MAX_FINDINGS = 12


class ForgeJudge:
    """Reads levels off the facts by the boss's ``evidence.yaml``."""

    @property
    def info(self) -> JudgeInfo:
        """Which judge it is."""
        return JudgeInfo(name=FORGE_NAME, version=FORGE_VERSION)

    @property
    def cost(self) -> Cost:
        """Nothing: no model is asked."""
        return Cost()

    def refusal(self, case: Case) -> Ungraded | None:
        """None: it judges everything."""
        return None

    async def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge each criterion in the rubric's order."""
        opinion = forge_opinion(case)
        for judgement in opinion.judgements:
            yield criterion_event(case.pack.rubric, judgement)
        yield judged_event(case, opinion)


def forge_opinion(case: Case) -> Opinion:
    """The forge judge's opinion: a pure function of the case."""
    levels = tuple(earned_level(criterion, case.pack.rules, case.evidence) for criterion in case.pack.rubric.criteria)
    return Opinion(
        judgements=tuple(_judgement(level, case.evidence) for level in levels),
        summary=summary(case, levels),
        improvements=improvements(case, levels),
        raw_notes=" ".join(case.evidence.notices),
    )


def _judgement(level: EarnedLevel, evidence: Evidence) -> Judgement:
    following = level.criterion.next_level(level.level.score)
    findings = tuple(finding for failure in level.failures for finding in failure.findings)
    return Judgement(
        criterion_id=level.criterion.id,
        score=level.level.score,
        comment=level_comment(level, evidence),
        findings=findings[:_MAX_FINDINGS],
        next_level=following.asked if following else "",
    )


def rescore(pack: BossPack, submission: Submission, evidence: Evidence) -> Judged:
    """The forge's judgement of a submission with this evidence, by the rubric and rules of a pack."""
    case = Case(pack, submission, evidence)
    return judged_event(case, forge_opinion(case))
