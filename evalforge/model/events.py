"""The event stream of a fight: the one source for the screen, the command line, history and replay."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from evalforge.model.base import Frozen
from evalforge.model.cost import Cost
from evalforge.model.evidence import ClaimResult, Fact, ImpostorResult, TrialResult
from evalforge.model.exact_numbers import Score
from evalforge.model.followed_advice import FollowedAdvice
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import LeftOut


class _Event(Frozen):
    """``at`` is the time since the start of the fight, in seconds."""

    at: float = 0.0


class Started(_Event):
    """A fight begins: which boss, which judge, which attempt."""

    kind: Literal["started"] = "started"
    boss_id: str
    title: str
    judge: JudgeInfo
    isolation: str
    """The isolation in force, e.g. ``full``, ``standard``, ``basic``."""
    isolation_note: str = ""
    calibrated: bool = True
    """Whether the forge judge agrees with the gold of this boss as it is."""


class Collected(_Event):
    """The submission was read."""

    kind: Literal["collected"] = "collected"
    directory: str
    content_hash: str
    files: tuple[str, ...]
    total_bytes: int
    left_out: tuple[LeftOut, ...] = ()
    left_out_count: int = 0
    """How many paths were left out, listed or not; 0 in events of versions that didn't count."""
    measured_at: datetime | None = None
    """When these files were measured, if kept evidence spares them a second run; None if they are run now."""

    @property
    def total_left_out(self) -> int:
        """How many paths were left out, whoever made the event."""
        return max(self.left_out_count, len(self.left_out))


class Progress(_Event):
    """What is going on, in a few words."""

    kind: Literal["progress"] = "progress"
    message: str


class TrialsPlanned(_Event):
    """How many trials will be run, by group, in running order."""

    kind: Literal["trials_planned"] = "trials_planned"
    groups: dict[str, int]


class TrialFinished(_Event):
    """A trial ended: its title, its group and its outcome."""

    kind: Literal["trial_finished"] = "trial_finished"
    trial: TrialResult


class ImpostorMet(_Event):
    """The player's tests met an impostor."""

    kind: Literal["impostor_met"] = "impostor_met"
    impostor: ImpostorResult


class FactMeasured(_Event):
    """One fact is known."""

    kind: Literal["fact_measured"] = "fact_measured"
    fact: Fact


class ClaimChecked(_Event):
    """A claim of the judge's model was run."""

    kind: Literal["claim_checked"] = "claim_checked"
    claim: ClaimResult


class CriterionJudged(_Event):
    """A criterion strikes the boss. A provisional one may be replaced until ``Judged`` comes."""

    kind: Literal["criterion_judged"] = "criterion_judged"
    judgement: Judgement
    label: str
    level_label: str
    max_score: Score
    provisional: bool = False


class Spent(_Event):
    """What the judging has cost so far; the last one counts."""

    kind: Literal["spent"] = "spent"
    cost: Cost


class AdviceFollowed(_Event):
    """What became of the advice of the last try; comes before ``Judged``.

    ``since`` is the last try's attempt, empty where it was practice.
    """

    kind: Literal["advice_followed"] = "advice_followed"
    advice: tuple[FollowedAdvice, ...]
    since: str = ""


class Judged(_Event):
    """The judging is complete. ``written`` is what a model wrote where the result says it otherwise."""

    kind: Literal["judged"] = "judged"
    result: BossEvalResult
    judgements: tuple[Judgement, ...]
    written: str = ""


class Ungraded(_Event):
    """The judge could not judge: no score, no HP change, never a 0 and never a pass."""

    kind: Literal["ungraded"] = "ungraded"
    reason: str
    advice: str = ""


class Saved(_Event):
    """The attempt is in history."""

    kind: Literal["saved"] = "saved"
    attempt_id: str


Event = Annotated[
    Started
    | Collected
    | Progress
    | TrialsPlanned
    | TrialFinished
    | ImpostorMet
    | FactMeasured
    | ClaimChecked
    | CriterionJudged
    | Spent
    | AdviceFollowed
    | Judged
    | Ungraded
    | Saved,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
