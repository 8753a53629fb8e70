"""An attempt: everything that is stored about one judging."""

from datetime import datetime
from enum import StrEnum

from evalforge.model.base import Frozen
from evalforge.model.cost import Cost
from evalforge.model.events import AdviceFollowed, Event
from evalforge.model.evidence import Evidence
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import LeftOut, Submission


class AttemptState(StrEnum):
    """How far an attempt has come, or how it ended."""

    RUNNING = "running"
    JUDGED = "judged"
    UNGRADED = "ungraded"
    INTERRUPTED = "interrupted"


class Attempt(Frozen):
    """Everything stored about one judging. ``result`` is None unless it was judged.

    ``agent`` names the program that submitted it, such as ``claude-code``; it is empty if a person did.
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
        """Whether the advice of the previous attempt was followed; None if that could not be compared."""
        return next((event for event in self.events if isinstance(event, AdviceFollowed)), None)


class AttemptRow(Frozen):
    """One attempt as a row in a list.

    ``number`` counts the player's own judged attempts on a boss from 1; one without a score has 0. Submissions of a
    class and attempts of agents are each counted separately.
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
        """Whether the player submitted it, rather than a student of a class or an agent."""
        return not self.of_class and not self.agent

    @property
    def own_number(self) -> int:
        """The number among the player's own attempts; 0 for a submission of a class or an attempt of an agent."""
        return self.number if self.is_own else 0

    @property
    def place(self) -> str:
        """A short label: ``#3``, ``agent 3``, or a class's folder by its name; empty if it has no number."""
        if self.of_class:
            return self.directory.rstrip("/").rpartition("/")[2]
        if not self.number:
            return ""
        return f"agent {self.number}" if self.agent else f"#{self.number}"

    @property
    def words(self) -> str:
        """The same in words: ``attempt 3`` if it is the player's own."""
        return f"attempt {self.number or ''}".rstrip() if self.is_own else self.place
