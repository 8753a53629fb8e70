"""The event stream of a fight, from which the screen, the command line, history and replay all read."""

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
    """Base of all events; ``at`` is the time since the start of the fight, in seconds."""

    at: float = 0.0


class Started(_Event):
    """A fight has begun, with its boss and its judge."""

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
    """When these files were measured, if stored evidence is reused; None if they are measured now."""
    notices: tuple[str, ...] = ()
    """Remarks on the submission that belong with its evidence (``evidence.control_files``)."""

    @property
    def total_left_out(self) -> int:
        """How many paths were left out, also for events of versions that didn't count them."""
        return max(self.left_out_count, len(self.left_out))


class Progress(_Event):
    """A short message about what is happening now."""

    kind: Literal["progress"] = "progress"
    message: str


class TrialsPlanned(_Event):
    """How many trials will run in each group, in running order."""

    kind: Literal["trials_planned"] = "trials_planned"
    groups: dict[str, int]


class TrialFinished(_Event):
    """A trial has ended, with this result."""

    kind: Literal["trial_finished"] = "trial_finished"
    trial: TrialResult


class ImpostorMet(_Event):
    """The player's tests were run on an impostor."""

    kind: Literal["impostor_met"] = "impostor_met"
    impostor: ImpostorResult


class FactMeasured(_Event):
    """One fact was measured."""

    kind: Literal["fact_measured"] = "fact_measured"
    fact: Fact


class ClaimChecked(_Event):
    """A claim of the judge's model was checked by running it."""

    kind: Literal["claim_checked"] = "claim_checked"
    claim: ClaimResult


class CriterionJudged(_Event):
    """A criterion was judged, and the boss loses health. A provisional one may be replaced until ``Judged`` follows."""

    kind: Literal["criterion_judged"] = "criterion_judged"
    judgement: Judgement
    label: str
    level_label: str
    max_score: Score
    provisional: bool = False


class Spent(_Event):
    """The cost of the judging so far; the last event has the total."""

    kind: Literal["spent"] = "spent"
    cost: Cost


class AdviceFollowed(_Event):
    """Which advice of the last attempt was followed; sent before ``Judged``.

    ``since`` is the id of that attempt, or empty if it was practice.
    """

    kind: Literal["advice_followed"] = "advice_followed"
    advice: tuple[FollowedAdvice, ...]
    since: str = ""


class Judged(_Event):
    """The judging is complete. ``written`` is a model's original text where the result words it differently."""

    kind: Literal["judged"] = "judged"
    result: BossEvalResult
    judgements: tuple[Judgement, ...]
    written: str = ""


class Ungraded(_Event):
    """The judge could not judge: no score, no change of HP, never a 0 and never a pass."""

    kind: Literal["ungraded"] = "ungraded"
    reason: str
    advice: str = ""


class Saved(_Event):
    """The attempt was saved in the history."""

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
