"""Everything a fight yields, gathered from its events into one record.

Read a stream to its end, and look at each event on the way if needed:

    record = await record_fight(forge.fight(pack, directory, options))
    record = await record_fight(stream, on_event=screen.show_event)

If the stream raises (``SubmissionError``, cancellation), a record made here is lost. Callers that need the events up to
then pass in a record of their own. Callers that yield the events on add each one themselves:

    record = FightRecord(submission=submission)
    await record_fight(stream, screen.show_event, record)

    async with aclosing(stream) as events:
        async for event in events:
            record.add(event)
            yield event
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from evalforge.model.attempt import AttemptState
from evalforge.model.cost import Cost
from evalforge.model.events import (
    AdviceFollowed,
    ClaimChecked,
    Collected,
    Event,
    FactMeasured,
    ImpostorMet,
    Judged,
    Saved,
    Spent,
    Started,
    TrialFinished,
    Ungraded,
)
from evalforge.model.evidence import ClaimResult, Evidence, Fact, ImpostorResult, TrialResult
from evalforge.model.followed_advice import FollowedAdvice
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import Submission

EventHandler = Callable[[Event], Awaitable[None] | None]
"""A callback for each event; a coroutine function is awaited before the next event is read."""


@dataclass
class FightRecord:
    """What a fight has yielded so far.

    Attributes:
        submission: The files that are judged; None if the reader of the stream doesn't need them.
        notices: Remarks on the submission for its evidence.
        events: Every event, in order.
        trials: Every trial that ended, in order.
        impostors: Every impostor that the player's tests met, in order.
        facts: Every fact that was measured, in order.
        claims: Every claim of the judge's model that was run, in order.
        judge: The judge, once the fight has started.
        isolation: The isolation in force, such as ``full``; empty before the fight has started.
        calibrated: Whether the forge judge agrees with the gold of the boss as it is.
        content_hash: Hash of the files that are judged; empty before they are collected.
        cost: What the judging has cost so far.
        advice: Which advice of the last attempt was followed; empty if that can't be said.
        conclusion: The event that decided the fight; None before it, or if the fight was stopped.
        attempt_id: The attempt's id in history; empty before it is saved, or if it isn't.
    """

    submission: Submission | None = None
    notices: tuple[str, ...] = ()
    events: list[Event] = field(default_factory=list[Event])
    trials: list[TrialResult] = field(default_factory=list[TrialResult])
    impostors: list[ImpostorResult] = field(default_factory=list[ImpostorResult])
    facts: list[Fact] = field(default_factory=list[Fact])
    claims: list[ClaimResult] = field(default_factory=list[ClaimResult])
    judge: JudgeInfo | None = None
    isolation: str = ""
    calibrated: bool = True
    content_hash: str = ""
    cost: Cost = field(default_factory=Cost)
    advice: tuple[FollowedAdvice, ...] = ()
    conclusion: Judged | Ungraded | None = None
    attempt_id: str = ""

    def add(self, event: Event) -> None:
        """Add an event and the data it carries."""
        self.events.append(event)
        match event:
            case Started():
                self.judge, self.isolation, self.calibrated = event.judge, event.isolation, event.calibrated
            case Collected():
                self.content_hash, self.notices = event.content_hash, event.notices
            case TrialFinished() | ImpostorMet() | FactMeasured() | ClaimChecked():
                self._add_evidence(event)
            case Spent():
                self.cost = event.cost
            case AdviceFollowed():
                self.advice = event.advice
            case Judged() | Ungraded():
                self.conclusion = event
            case Saved():
                self.attempt_id = event.attempt_id
            case _:
                pass

    def _add_evidence(self, event: TrialFinished | ImpostorMet | FactMeasured | ClaimChecked) -> None:
        match event:
            case TrialFinished():
                self.trials.append(event.trial)
            case ImpostorMet():
                self.impostors.append(event.impostor)
            case FactMeasured():
                self.facts.append(event.fact)
            case ClaimChecked():
                self.claims.append(event.claim)

    @property
    def evidence(self) -> Evidence:
        """The trials, impostors, facts and claims so far, with the notices on the submission."""
        return Evidence(
            facts=tuple(self.facts),
            trials=tuple(self.trials),
            impostors=tuple(self.impostors),
            claims=tuple(self.claims),
            notices=self.notices,
        )

    @property
    def judged(self) -> Judged | None:
        """The event with the result, if the judging is complete."""
        return self.conclusion if isinstance(self.conclusion, Judged) else None

    @property
    def ungraded(self) -> Ungraded | None:
        """The event that says why there is no score, if the judge could not judge."""
        return self.conclusion if isinstance(self.conclusion, Ungraded) else None

    @property
    def result(self) -> BossEvalResult | None:
        """Score and verdict; None unless it was judged."""
        return self.judged.result if self.judged else None

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """One judgement per criterion, in the rubric's order; empty unless it was judged."""
        return self.judged.judgements if self.judged else ()

    def judgement(self, criterion_id: str) -> Judgement | None:
        """The judgement on one criterion; None unless it was judged."""
        return next((judgement for judgement in self.judgements if judgement.criterion_id == criterion_id), None)

    @property
    def ungraded_reason(self) -> str:
        """Why there is no score, in one sentence; empty unless the judge could not judge."""
        return self.ungraded.reason if self.ungraded else ""

    @property
    def state(self) -> AttemptState:
        """The state that the attempt would have if the fight ended now."""
        if self.conclusion is None:
            return AttemptState.INTERRUPTED
        return AttemptState.JUDGED if self.judged else AttemptState.UNGRADED


async def record_fight(
    stream: AsyncGenerator[Event], on_event: EventHandler | None = None, record: FightRecord | None = None
) -> FightRecord:
    """Read a fight to its end and close its stream, however it ends; closing kills the player's code.

    Args:
        stream: The events of a fight, or of a judge alone.
        on_event: Called with each event once it is in the record.
        record: Where the events are added; a new record if None.

    Returns:
        The record.
    """
    record = record or FightRecord()
    async with aclosing(stream) as events:
        async for event in events:
            record.add(event)
            if on_event is not None and (pending := on_event(event)) is not None:
                await pending
    return record
