"""What is known of a hand-in that is judged ahead of time, gathered from the events of its fight."""

from dataclasses import dataclass, field

from evalforge.app.lesson.plan import Exhibit
from evalforge.model import events as ev
from evalforge.model.evidence import Evidence, TrialResult
from evalforge.model.result import BossEvalResult, Judgement
from evalforge.model.submission import Submission


@dataclass
class Hearing:
    """One hand-in before the judge.

    Attributes:
        exhibit: What is judged.
        submission: Its files as they were judged.
        events: What has happened.
        judgements: By criterion id, complete once ``result`` is there.
        result: The end; None before it, or if there is no verdict.
        reason: Why there is no verdict.
    """

    exhibit: Exhibit
    submission: Submission = field(default_factory=lambda: Submission(files=()))
    events: list[ev.Event] = field(default_factory=list[ev.Event])
    trials: list[TrialResult] = field(default_factory=list[TrialResult])
    judgements: dict[str, Judgement] = field(default_factory=dict[str, Judgement])
    result: BossEvalResult | None = None
    reason: str = ""

    @property
    def over(self) -> bool:
        """Whether it was judged, or couldn't be."""
        return self.result is not None or bool(self.reason)

    @property
    def evidence(self) -> Evidence:
        """The trials that were run."""
        return Evidence(trials=tuple(self.trials))

    def take(self, event: ev.Event) -> None:
        """Keep what is needed of an event. Levels count once all are settled: a judge may change its mind till then."""
        self.events.append(event)
        match event:
            case ev.TrialFinished():
                self.trials.append(event.trial)
            case ev.Judged():
                self.judgements = {judgement.criterion_id: judgement for judgement in event.judgements}
                self.result = event.result
            case ev.Ungraded():
                self.fail(event.reason)
            case _:
                pass

    def fail(self, reason: str) -> None:
        """There is no verdict, and why."""
        self.reason = reason or "It could not be judged."

    def scores(self, criteria: tuple[str, ...]) -> dict[str, float]:
        """The levels of these criteria, as far as they are known."""
        return {name: self.judgements[name].score for name in criteria if name in self.judgements}
