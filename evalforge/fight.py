"""The one path of a fight: collect, gather evidence, judge, score, save; a stream of events from first to last."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from evalforge.collect import collect
from evalforge.evidence.engine import Engine
from evalforge.evidence.hygiene import notices
from evalforge.history.store import History
from evalforge.judges.base import Case, Judge
from evalforge.judges.choice import make_judge
from evalforge.judges.money import Purse
from evalforge.judges.options import ModelOptions
from evalforge.library.pack import BossPack
from evalforge.model.attempt import AttemptState
from evalforge.model.cost import Cost
from evalforge.model.errors import SandboxError
from evalforge.model.events import (
    Collected,
    Event,
    FactMeasured,
    Judged,
    Saved,
    Started,
    TrialFinished,
    Ungraded,
)
from evalforge.model.evidence import Evidence, Fact, TrialResult
from evalforge.model.submission import Submission
from evalforge.sandbox.isolation import ADVICE, CAGED, REFUSAL


@dataclass(frozen=True)
class FightOptions:
    """How a fight is fought.

    Attributes:
        judge: The judge's name; empty for the one that is taken by default.
        models: Which models a model judge asks, where, for how much.
        notes: The player's words on the approach; a README serves if there are none.
        python: The interpreter for the player's code; ours if empty.
        save: Whether it becomes an attempt in history.
        trusted: Whether the code is the player's own, and may run where nothing shuts it in.
    """

    judge: str = "forge"
    models: ModelOptions = field(default_factory=ModelOptions)
    notes: str = ""
    python: str = ""
    save: bool = True
    trusted: bool = False


@dataclass
class _Record:
    """What a fight yields for history, gathered from its events."""

    trials: list[TrialResult] = field(default_factory=list[TrialResult])
    facts: list[Fact] = field(default_factory=list[Fact])
    events: list[Event] = field(default_factory=list[Event])
    end: Judged | Ungraded | None = None
    isolation: str = ""

    def take(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, TrialFinished):
            self.trials.append(event.trial)
        elif isinstance(event, FactMeasured):
            self.facts.append(event.fact)
        elif isinstance(event, Started):
            self.isolation = event.isolation
        elif isinstance(event, Judged | Ungraded):
            self.end = event


class Forge:
    """Where fights are fought: owns the warm engine and knows the history.

    Args:
        history: Where attempts are kept; None keeps none.
        purse: What model judges have spent; a new one if None.
        layer: The isolation to use; empty for the best there is.
    """

    def __init__(self, history: History | None = None, purse: Purse | None = None, layer: str = "") -> None:
        self.history = history
        self.purse = purse or Purse()
        self.engine = Engine(layer)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.engine.close()

    async def warm(self) -> None:
        """Start what a fight needs ahead of it; whatever fails will be told by the fight."""
        try:
            await self.engine.warm()
        except SandboxError:
            return

    async def fight(
        self, pack: BossPack, directory: Path, options: FightOptions | None = None
    ) -> AsyncGenerator[Event]:
        """Fight one boss with one directory.

        Leaving the iterator early ends the fight: the player's code is killed, the attempt is marked interrupted.

        Raises:
            SubmissionError: The directory can't be handed in.
            UsageError: There is no such judge, or it can't be had here.
        """
        options = options or FightOptions()
        judge = make_judge(options.judge, options.models, self.purse)
        began = time.monotonic()
        submission = collect(directory, options.notes)
        record = _Record()
        history = self.history if options.save else None
        attempt_id = self._begin(history, pack, directory, judge, submission)
        try:
            async with aclosing(self._events(pack, directory, submission, judge, options, record)) as events:
                async for event in events:
                    stamped = event.model_copy(update={"at": round(time.monotonic() - began, 4)})
                    record.take(stamped)
                    yield stamped
        finally:
            self._finish(history, attempt_id, record, submission, judge.cost)
        if history is not None:
            yield Saved(attempt_id=attempt_id, at=round(time.monotonic() - began, 4))

    async def _events(
        self,
        pack: BossPack,
        directory: Path,
        submission: Submission,
        judge: Judge,
        options: FightOptions,
        record: _Record,
    ) -> AsyncGenerator[Event]:
        try:
            await self.engine.warm()
            yield self._started(pack, judge)
            yield _collected(directory, submission)
            if self.engine.layer not in CAGED and not options.trusted:
                yield Ungraded(reason=REFUSAL, advice=ADVICE)
                return
            gathering = self.engine.gather(
                pack.boss_id, pack.trials, pack.definition.metadata.entry_files, submission, options.python
            )
            async with aclosing(gathering) as found:
                async for event in found:
                    yield event
        except SandboxError as error:
            yield Ungraded(reason=error.message, advice=error.hint or "Try again; if it stays, run: evalforge doctor")
            return
        case = Case(pack, submission, _evidence(record, submission))
        async with aclosing(judge.judge(case)) as verdict:
            async for event in verdict:
                yield event

    def _started(self, pack: BossPack, judge: Judge) -> Started:
        return Started(
            boss_id=pack.boss_id,
            title=pack.definition.title,
            judge=judge.info,
            isolation=self.engine.layer,
            isolation_note=self.engine.isolation_note,
        )

    def _begin(
        self, history: History | None, pack: BossPack, directory: Path, judge: Judge, submission: Submission
    ) -> str:
        if history is None:
            return ""
        return history.begin(
            pack.boss_id,
            pack.definition.title,
            pack.rubric_hash,
            str(directory.absolute()),
            judge.info,
            submission,
        )

    def _finish(
        self, history: History | None, attempt_id: str, record: _Record, submission: Submission, cost: Cost
    ) -> None:
        if history is None:
            return
        end = record.end
        state = AttemptState.INTERRUPTED
        if end is not None:
            state = AttemptState.JUDGED if isinstance(end, Judged) else AttemptState.UNGRADED
        history.finish(
            attempt_id,
            state,
            record.isolation,
            _evidence(record, submission),
            end.judgements if isinstance(end, Judged) else (),
            end.result if isinstance(end, Judged) else None,
            tuple(record.events),
            left_out=submission.left_out,
            ungraded_reason=end.reason if isinstance(end, Ungraded) else "",
            cost=cost,
        )


def _evidence(record: _Record, submission: Submission) -> Evidence:
    return Evidence(facts=tuple(record.facts), trials=tuple(record.trials), notices=notices(submission))


def _collected(directory: Path, submission: Submission) -> Collected:
    return Collected(
        directory=str(directory),
        content_hash=submission.content_hash,
        files=tuple(file.path for file in submission.files),
        total_bytes=submission.total_bytes,
        left_out=submission.left_out,
    )
