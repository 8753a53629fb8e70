"""A class judged in parallel, as a stream of events; every result is stored at once, so any run can be stopped."""

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from evalforge.batch.classroom.desk import Desk, Task, row_of
from evalforge.batch.classroom.engines import Engines, LocalEngines
from evalforge.batch.classroom.events import (
    ClassClosed,
    ClassEvent,
    ClassOpened,
    Expected,
    RowFight,
    RowSettled,
    RowStarted,
    WorkerReady,
)
from evalforge.batch.classroom.handin import HandIn
from evalforge.batch.classroom.instrument import instrument_of
from evalforge.batch.classroom.intake import Intake, find_hand_ins
from evalforge.batch.classroom.laying import lay_out
from evalforge.batch.classroom.pace import Pace
from evalforge.batch.classroom.rows import ClassRow, Outcome
from evalforge.collect import collect
from evalforge.evidence.engine import Engine
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.choice import make_judge
from evalforge.judges.money import Purse
from evalforge.judges.options import ModelOptions
from evalforge.library.pack import BossPack
from evalforge.model.cost import Cost
from evalforge.model.errors import EvalForgeError, HistoryError, SubmissionError
from evalforge.model.events import Event
from evalforge.model.text import clean_line

_EVENTS_AHEAD = 1_000


@dataclass(frozen=True)
class ClassOptions:
    """How a class is judged.

    Attributes:
        judge: The judge's name.
        models: Which models a model judge asks, where, for how much; one budget for all of the class.
        python: The interpreter for the hand-ins' code; ours if empty.
        workers: How many judge at once; 0 for as many as there are cores.
        label: The class's name, by which later runs know it; the path of its folder if empty.
        roster: A CSV file of who should have handed in.
        again: Judge everybody again, whatever is known from earlier runs.
        engines: Where code runs.
    """

    judge: str = "forge"
    models: ModelOptions = field(default_factory=ModelOptions)
    python: str = ""
    workers: int = 0
    label: str = ""
    roster: Path | None = None
    again: bool = False
    engines: Engines = field(default_factory=LocalEngines)


class ClassRun:
    """One run over a class.

    Args:
        pack: The boss.
        place: A folder, or what a course platform exported.
        history: Where attempts are kept, and what earlier runs found.
        options: How to judge.

    Raises:
        UsageError: There is nobody to judge, or no such judge.
    """

    def __init__(self, pack: BossPack, place: Path, history: History, options: ClassOptions | None = None) -> None:
        self.pack = pack
        self.options = options or ClassOptions()
        self.intake: Intake = find_hand_ins(place, self.options.roster)
        self.label = self.options.label or str(place.absolute())
        self.rows: dict[str, ClassRow] = {}
        """What is settled so far, by row."""
        self.run = 0
        """The number of this run in history, once it has begun."""
        self._history = history
        self._purse = Purse()
        self.judge = make_judge(self.options.judge, self.options.models, self._purse).info
        """Which judge it is."""
        instrument = instrument_of(pack, self.options.python)
        self._desk = Desk(pack, history, self.label, self.judge, instrument, again=self.options.again)
        self._events: asyncio.Queue[ClassEvent | None] = asyncio.Queue(_EVENTS_AHEAD)
        self._tasks: asyncio.Queue[Task | None] = asyncio.Queue()
        self._open = 0
        self._unread = len(self.intake.hand_ins)
        self._pace = Pace(1)
        self._began = time.monotonic()

    async def events(self) -> AsyncGenerator[ClassEvent]:
        """Judge whoever is to be judged. Leaving early kills what runs; what is settled stays settled.

        Raises:
            EvalForgeError: No result can be kept, or code can't be run where it was asked to.
        """
        self._began = time.monotonic()
        work = asyncio.create_task(self._work())
        try:
            while (event := await self._events.get()) is not None:
                yield event.model_copy(update={"at": round(time.monotonic() - self._began, 4)})
            await work
        except ExceptionGroup as errors:
            raise _first(errors) from None
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _work(self) -> None:
        try:
            await self._judge_all()
        except asyncio.CancelledError:
            raise
        except BaseException:
            await self._events.put(None)
            raise
        await self._events.put(None)

    async def _judge_all(self) -> None:
        engines = await self.options.engines.open(self.options.workers)
        self._pace = Pace(len(engines))
        try:
            self.run = self._desk.open_run(self.intake.source)
            await self._emit(self._opened(len(engines)))
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read_all(len(engines)))
                for number, (engine, place) in enumerate(engines):
                    group.create_task(self._judge_in_turn(number, engine, place))
            self.run = self._desk.close_run()
            await self._emit(self._closed())
        finally:
            await self.options.engines.close()

    def _opened(self, workers: int) -> ClassOpened:
        return ClassOpened(
            run=self.run,
            label=self.label,
            boss_id=self.pack.boss_id,
            title=self.pack.definition.title,
            judge=self.judge,
            workers=workers,
            found_as=self.intake.kind,
            rows=tuple(
                Expected(row_id=row.row_id, title=row.person.name or row.row_id) for row in self.intake.hand_ins
            ),
            passed_over=self.intake.passed_over,
        )

    def _closed(self) -> ClassClosed:
        fresh = [row for row in self.rows.values() if row.fresh]
        return ClassClosed(
            run=self.run,
            outcomes=dict(Counter(row.outcome for row in self.rows.values())),
            fresh=len(fresh),
            usd=sum((row.cost for row in fresh), Cost()).usd,
        )

    async def _emit(self, event: ClassEvent) -> None:
        await self._events.put(event)

    async def _read_all(self, workers: int) -> None:
        """Look at every hand-in: settle those that need no judging, hand the others to the workers."""
        for hand_in in self.intake.hand_ins:
            self._unread -= 1
            try:
                content_hash = await asyncio.to_thread(_content_hash, hand_in)
            except SubmissionError as error:
                outcome = Outcome.UNUSABLE if hand_in.source else Outcome.ABSENT
                await self._settle(row_of(hand_in, outcome, reason=str(error)))
                continue
            except Exception as error:  # noqa: BLE001 - one hand-in never stops the class
                await self._settle(row_of(hand_in, Outcome.UNUSABLE, reason=_unexpected(error)))
                continue
            known = self._desk.look_up(hand_in, content_hash)
            if isinstance(known, ClassRow):
                await self._settle(known)
            else:
                self._open += 1
                self._tasks.put_nowait(known)
        for _ in range(workers):
            self._tasks.put_nowait(None)

    async def _settle(self, row: ClassRow) -> None:
        self._desk.settle(row)
        self.rows[row.row_id] = row
        if row.fresh:
            self._open -= 1
        left = self._pace.left(self._open) if self._unread == 0 else None
        total = len(self.intake.hand_ins)
        await self._emit(RowSettled(row=row, done=len(self.rows), total=total, seconds_left=left))

    async def _judge_in_turn(self, number: int, engine: Engine, place: str) -> None:
        """One worker: rows from the queue, until there are no more."""
        async with Forge(self._history, self._purse) as forge:
            forge.engine = engine
            ready = False
            while (task := await self._tasks.get()) is not None:
                if not ready:
                    # Nothing is started for a class of which nothing is to be judged.
                    await forge.warm()
                    note = engine.isolation_note
                    await self._emit(WorkerReady(worker=number, isolation=engine.layer, place=place, note=note))
                    ready = True
                await self._emit(RowStarted(row_id=task.hand_in.row_id, worker=number))
                began = time.monotonic()
                row = await self._judge(forge, task)
                seconds = round(time.monotonic() - began, 3)
                self._pace.took(seconds)
                await self._settle(row.model_copy(update={"seconds": seconds}))

    async def _judge(self, forge: Forge, task: Task) -> ClassRow:
        try:
            with _scratch() as folder:
                return await self._fight(forge, task, Path(folder))
        except SubmissionError as error:
            return row_of(task.hand_in, Outcome.UNUSABLE, reason=str(error), fresh=True)
        except HistoryError:
            raise  # nothing could be kept of anybody
        except Exception as error:  # noqa: BLE001 - one hand-in never stops the class
            return row_of(task.hand_in, Outcome.UNGRADED, reason=_unexpected(error), fresh=True)

    async def _fight(self, forge: Forge, task: Task, scratch: Path) -> ClassRow:
        hand_in, options = task.hand_in, self.options
        laid = await asyncio.to_thread(lay_out, hand_in, scratch)
        self._desk.seat(hand_in, laid.directory)
        how = FightOptions(judge=options.judge, models=options.models, python=options.python)
        seen: dict[type[Event], Event] = {}
        async with aclosing(forge.fight(self.pack, laid.directory, how)) as events:
            async for event in events:
                seen[type(event)] = event
                await self._emit(RowFight(row_id=hand_in.row_id, event=event))
        return self._desk.fought(task, seen, laid.left_out)


def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="evalforge-class-", ignore_cleanup_errors=True)


def _content_hash(hand_in: HandIn) -> str:
    with _scratch() as folder:
        directory = lay_out(hand_in, Path(folder)).directory
        try:
            return collect(directory).content_hash
        except SubmissionError as error:
            # The player's hint is not for whoever judges, nor is a folder of ours that is about to go.
            raise SubmissionError(error.message.replace(str(directory), hand_in.source)) from None


def _unexpected(error: Exception) -> str:
    return f"It could not be judged ({type(error).__name__}: {clean_line(str(error))})."


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """What a person is told of several failures: the first that is ours."""
    flat: list[Exception] = []
    for error in errors.exceptions:
        flat += [_first(cast("ExceptionGroup[Exception]", error))] if isinstance(error, ExceptionGroup) else [error]
    return next((error for error in flat if isinstance(error, EvalForgeError)), flat[0])
