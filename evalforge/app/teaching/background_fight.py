"""A submission that is judged ahead of time, while a lesson or the tour goes on."""

from dataclasses import dataclass, field

from evalforge.app.teaching.lesson_plan import ShownSubmission
from evalforge.model.events import Event
from evalforge.model.fight_record import FightRecord
from evalforge.model.result import BossEvalResult, Judgement
from evalforge.model.submission import Submission


@dataclass
class BackgroundFight:
    """A submission shown to an audience, and what its fight has yielded so far.

    Attributes:
        hand_in: The submission that is judged.
        submission: Its files, as judged.
        record: The fight so far.
        reason: Why there is no verdict; empty as long as there may be one.
    """

    hand_in: ShownSubmission
    submission: Submission = field(default_factory=lambda: Submission(files=()))
    record: FightRecord = field(default_factory=FightRecord)
    reason: str = ""

    @property
    def is_over(self) -> bool:
        """Whether it was judged, or could not be."""
        return self.result is not None or bool(self.reason)

    @property
    def result(self) -> BossEvalResult | None:
        """Score and verdict; None unless it was judged."""
        return self.record.result

    @property
    def judgements(self) -> dict[str, Judgement]:
        """The judgements by criterion id; empty until all are final, because a judge may change its mind until then."""
        return {judgement.criterion_id: judgement for judgement in self.record.judgements}

    def add_event(self, event: Event) -> None:
        """Add an event of the fight."""
        self.record.add(event)
        if self.record.ungraded:
            self.fail(self.record.ungraded_reason)

    def fail(self, reason: str) -> None:
        """Record that there is no verdict, and why."""
        self.reason = reason or "It could not be judged."

    @property
    def bar_note(self) -> str:
        """What an HP bar shows instead of a score; empty if there is one, or may be one."""
        return "not judged" if self.reason else ""

    def scores(self, criteria: tuple[str, ...]) -> dict[str, float]:
        """The levels of these criteria, as far as they are known; none if there is no verdict."""
        judgements = {} if self.reason else self.judgements
        return {name: judgements[name].score for name in criteria if name in judgements}
