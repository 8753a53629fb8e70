"""An attempt: one stored judging, whole."""

from datetime import datetime
from enum import StrEnum

from evalforge.model.base import Frozen
from evalforge.model.cost import Cost
from evalforge.model.events import AdviceFollowed, Event
from evalforge.model.evidence import Evidence
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import LeftOut, Submission


class AttemptState(StrEnum):
    """Where an attempt stands."""

    RUNNING = "running"
    JUDGED = "judged"
    UNGRADED = "ungraded"
    INTERRUPTED = "interrupted"


class Attempt(Frozen):
    """Everything about one judging. ``result`` is None unless it was judged.

    ``agent`` names the program that handed it in, such as ``claude-code``; it is empty where a person did.
    """

    id: str
    boss_id: str
    boss_title: str
    rubric_hash: str
    state: AttemptState
    started_at: datetime
    finished_at: datetime | None = None
    directory: str
    judge: JudgeInfo
    isolation: str
    submission: Submission
    left_out: tuple[LeftOut, ...] = ()
    evidence: Evidence = Evidence()
    judgements: tuple[Judgement, ...] = ()
    result: BossEvalResult | None = None
    ungraded_reason: str = ""
    cost: Cost = Cost()
    events: tuple[Event, ...] = ()
    agent: str = ""

    @property
    def advice_followed(self) -> AdviceFollowed | None:
        """What became of the advice of an earlier attempt; None if nothing was said of it."""
        return next((event for event in self.events if isinstance(event, AdviceFollowed)), None)


class AttemptRow(Frozen):
    """What a list of attempts shows of one.

    ``number`` counts the player's own tries on its boss from 1; hand-ins of classes and tries of agents are counted by
    themselves.
    """

    id: str
    boss_id: str
    boss_title: str
    number: int
    state: AttemptState
    started_at: datetime
    directory: str
    judge: str
    score_total: float | None
    score_max: float | None
    integrity: float | None
    verdict: str | None
    content_hash: str
    of_class: bool = False
    agent: str = ""

    @property
    def is_own(self) -> bool:
        """Whether the player handed it in: no student of a class, and no agent."""
        return not self.of_class and not self.agent

    @property
    def own_number(self) -> int:
        """Which try of the player's own it was; 0 for a hand-in of a class and a try of an agent."""
        return self.number if self.is_own else 0

    @property
    def place(self) -> str:
        """Which try it was, as ``#3``, or ``agent 3``; of a hand-in of a class its folder's name."""
        if self.of_class:
            return self.directory.rstrip("/").rpartition("/")[2]
        return f"agent {self.number}" if self.agent else f"#{self.number}"
