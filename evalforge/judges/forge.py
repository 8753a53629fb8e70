"""The forge judge: deterministic, from evidence alone. Same input, same result, same words."""

from collections.abc import AsyncGenerator

from evalforge.evidence.rules import Earned, earned
from evalforge.judges.base import Case, conclude, strike
from evalforge.judges.words import comment_on, improvements, summary
from evalforge.model.cost import Cost
from evalforge.model.events import Event
from evalforge.model.result import JudgeInfo, Judgement, Opinion

VERSION = "1"
_FINDINGS_KEPT = 12


class ForgeJudge:
    """Reads levels off the facts by the boss's ``evidence.yaml``."""

    @property
    def info(self) -> JudgeInfo:
        """Which judge it is."""
        return JudgeInfo(name="forge", version=VERSION)

    @property
    def cost(self) -> Cost:
        """Nothing."""
        return Cost()

    async def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge each criterion in the rubric's order."""
        opinion = opine(case)
        for judgement in opinion.judgements:
            yield strike(case.pack.rubric, judgement)
        yield conclude(case, opinion)


def opine(case: Case) -> Opinion:
    """The forge's opinion: a pure function of the case."""
    levels = tuple(earned(criterion, case.pack.rules, case.evidence) for criterion in case.pack.rubric.criteria)
    return Opinion(
        judgements=tuple(_judgement(level) for level in levels),
        summary=summary(case, levels),
        improvements=improvements(case, levels),
        raw_notes=" ".join(case.evidence.notices),
    )


def _judgement(level: Earned) -> Judgement:
    following = level.criterion.next_level(level.level.score)
    findings = tuple(finding for failure in level.failures for finding in failure.findings)
    return Judgement(
        criterion_id=level.criterion.id,
        score=level.level.score,
        comment=comment_on(level),
        findings=findings[:_FINDINGS_KEPT],
        next_level=following.asked if following else "",
    )
