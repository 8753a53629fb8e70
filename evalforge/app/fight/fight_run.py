"""One judging on a stage: one worker runs the judge, another shows its events; both can be stopped."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from enum import Enum, auto
from typing import TYPE_CHECKING

from evalforge.app.fight.riddles import with_riddles
from evalforge.app.fight.stage_screen import StageScreen
from evalforge.app.ui.text.formatting import format_seconds
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run
from evalforge.model.errors import SubmissionError
from evalforge.model.events import Event, Judged, Started, Ungraded
from evalforge.model.fight_record import FightRecord
from evalforge.own_failure import ungraded_by

if TYPE_CHECKING:
    from textual.worker import Worker

EventSource = Callable[[], Awaitable[AsyncGenerator[Event]]]
"""Starts a judging, and returns its events."""


class FightPhase(Enum):
    """The phase of a judging."""

    WAITING = auto()
    """Nothing has been judged yet."""
    JUDGING = auto()
    """Events are still arriving or being shown."""
    DONE = auto()
    STOPPED = auto()


class FightRun:
    """A judging from its first event to the last one shown.

    Args:
        screen: The screen with the stage; the workers are the screen's.
        events: Starts the judging.
        on_status: Called when the status has changed.
        on_end: Called when everything has been shown; not if it was stopped.
        practice: Whether this isn't stored.
    """

    def __init__(
        self,
        screen: "StageScreen",
        events: EventSource,
        on_status: Callable[[], None],
        on_end: Callable[[], None],
        *,
        practice: bool = False,
    ) -> None:
        self._screen, self._events = screen, events
        self._on_status, self._on_end = on_status, on_end
        self._arrivals: asyncio.Queue[Event | SubmissionError | None] = asyncio.Queue()
        self._workers: tuple[Worker[None], ...] = ()
        self.practice = practice
        self.phase = FightPhase.WAITING
        self.record = FightRecord()
        """What has been shown so far."""
        self.is_decided = False
        """Whether the result is known and will be stored, so that stopping is too late."""

    def start(self) -> None:
        """Begin to judge."""
        self.phase = FightPhase.JUDGING
        self._workers = tuple(
            self._screen.run_worker(part, group=group, exclusive=True, exit_on_error=False)
            for part, group in ((self._judge(), "fight"), (self._show(), "show"))
        )

    def stop(self) -> None:
        """Cancel the workers and everything they run."""
        for worker in self._workers:
            worker.cancel()
        self.phase = FightPhase.STOPPED

    @property
    def is_judging(self) -> bool:
        """Whether events are still arriving or being shown."""
        return self.phase is FightPhase.JUDGING

    @property
    def is_settled(self) -> bool:
        """Whether there is a verdict, and all of it has been shown."""
        return self.phase is FightPhase.DONE and self.record.result is not None

    @property
    def status(self) -> list[Run]:
        """What the heading says of the fight: how it is going, then what it was judged by."""
        if self.phase is FightPhase.STOPPED:
            return [("stopped", "ember")]
        if self.is_judging and self.practice:
            return [("saved, sparring", "ember")]
        if self.is_judging and self.record.judge is None:
            return [("judging", "dim")]
        if self.practice:
            return [("sparring, not saved", "bold ember"), (" · r strikes", "dim")]
        return [(self._judge_text, "dim")]

    @property
    def _judge_text(self) -> str:
        """The judge and the sandbox; after the verdict also the time it took and its price."""
        record = self.record
        if record.judge is None:
            return ""
        model = f" {record.judge.model}" if record.judge.model else ""
        cage = f"{record.isolation} sandbox" if record.isolation else ""
        text = f"{record.judge.name}{model} judge · {cage}"
        if record.judged is None:
            return text
        price = f" · {record.cost.price}" if record.cost.input_tokens or record.cost.output_tokens else ""
        return f"{text} · {format_seconds(record.judged.at)}{price}"

    async def _judge(self) -> None:
        """Pass each event on to the stage as it arrives, so that the judge never waits for the show."""
        try:
            async with aclosing(await self._events()) as events:
                async for event in events:
                    self._arrivals.put_nowait(event)
                    if isinstance(event, Judged | Ungraded):
                        self._decide()
        except SubmissionError as error:
            self._arrivals.put_nowait(error)
        except Exception as error:  # noqa: BLE001 - whatever we fail at, the fight has an end
            self._arrivals.put_nowait(ungraded_by(error))
        self._decide()
        self._arrivals.put_nowait(None)

    def _decide(self) -> None:
        self.is_decided = True
        self._screen.refresh_bindings()

    async def _show(self) -> None:
        """Show arrived events, beat by beat."""
        try:
            while (event := await self._arrivals.get()) is not None:
                await self._present(event)
        except Exception as error:  # noqa: BLE001 - the result is stored; only its show is cut short
            self._screen.notify(problem(error), title="The stage failed", severity="error", markup=False)
        self.phase = FightPhase.DONE
        self._on_end()

    async def _present(self, event: Event | SubmissionError) -> None:
        if isinstance(event, SubmissionError):
            self._screen.stage.refuse(event.message, event.hint)
            return
        self.record.add(event)
        if isinstance(event, Started | Judged):
            self._on_status()
        await self._screen.stage.present(with_riddles(event))
