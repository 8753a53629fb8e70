"""The interface of every judge: an async stream of events on a case, ending in ``Judged`` or ``Ungraded``."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from evalforge.evidence.attribution import charge_once
from evalforge.evidence.mistakes import find_mistakes
from evalforge.model.claim import Claim
from evalforge.model.cost import Cost
from evalforge.model.events import CriterionJudged, Event, Judged, Ungraded
from evalforge.model.evidence import Evidence
from evalforge.model.reason import Mistake
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import score
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack

ClaimRunner = Callable[[tuple[Claim, ...]], AsyncGenerator[Event]]
"""Runs claims and yields a ``ClaimChecked`` for each; raises ``SandboxError`` if they can't be run."""


@dataclass(frozen=True)
class Case:
    """What a judge judges: a boss, a submission, and what was measured of it.

    ``run_claims`` runs claims about the submission in the sandbox; it is None if nothing can be run.
    """

    pack: BossPack
    submission: Submission
    evidence: Evidence
    run_claims: ClaimRunner | None = None

    @cached_property
    def charged_evidence(self) -> Evidence:
        """The evidence that decides levels: a failure blamed on another criterion's fault isn't charged again."""
        return charge_once(self.pack.rubric, self.pack.rules, self.evidence)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The known mistakes that explain failed trials, the one that explains most first."""
        return find_mistakes(self.pack, self.evidence.trials)


class Judge(Protocol):
    """Chooses a level for each criterion, with comments; only ``judged_event`` adds up the scores."""

    @property
    def info(self) -> JudgeInfo:
        """The judge's name, and its models and prompt if it has any."""
        ...

    @property
    def cost(self) -> Cost:
        """The cost of its judging so far, even if the stream was closed before an event reported it."""
        ...

    def refusal(self, case: Case) -> Ungraded | None:
        """Why it would refuse a case, if that is known before anything is measured; None if it would judge."""
        ...

    def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge a case: yield ``CriterionJudged`` for each criterion, then ``Judged`` or ``Ungraded``."""
        ...


def criterion_event(rubric: BossRubric, judgement: Judgement, *, provisional: bool = False) -> CriterionJudged:
    """The event that shows one judgement; a provisional one may be replaced until the judging is complete."""
    criterion = rubric.criterion(judgement.criterion_id)
    return CriterionJudged(
        judgement=judgement,
        label=criterion.label,
        level_label=criterion.level(judgement.score).label,
        max_score=criterion.max_score,
        provisional=provisional,
    )


def judged_event(case: Case, opinion: Opinion) -> Judged:
    """The event that ends a judging, with the total score. Scores are added up nowhere else."""
    result = score(case.pack.boss_id, case.pack.rubric, opinion)
    return Judged(result=result, judgements=opinion.judgements, written=opinion.written)
