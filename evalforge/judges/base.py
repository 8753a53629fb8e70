"""What every judge is: an async stream of events over a case that ends in ``Judged`` or ``Ungraded``."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from evalforge.library.pack import BossPack
from evalforge.model.cost import Cost
from evalforge.model.events import CriterionJudged, Event, Judged
from evalforge.model.evidence import Evidence
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import score
from evalforge.model.submission import Submission


@dataclass(frozen=True)
class Case:
    """What a judge is given."""

    pack: BossPack
    submission: Submission
    evidence: Evidence


class Judge(Protocol):
    """Chooses levels and words; never adds up."""

    @property
    def info(self) -> JudgeInfo:
        """Which judge it is."""
        ...

    @property
    def cost(self) -> Cost:
        """What its judging has cost so far, also where that was left before it could be told."""
        ...

    def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge a case: ``CriterionJudged`` for each criterion, then ``Judged`` or ``Ungraded``."""
        ...


def strike(rubric: BossRubric, judgement: Judgement, *, provisional: bool = False) -> CriterionJudged:
    """The event of one judgement."""
    criterion = rubric.criterion(judgement.criterion_id)
    return CriterionJudged(
        judgement=judgement,
        label=criterion.label,
        level_label=criterion.level(judgement.score).label,
        max_score=criterion.max_score,
        provisional=provisional,
    )


def conclude(case: Case, opinion: Opinion) -> Judged:
    """The end of a judging: the sums, made here and nowhere else."""
    result = score(case.pack.boss_id, case.pack.rubric, opinion)
    return Judged(result=result, judgements=opinion.judgements)
