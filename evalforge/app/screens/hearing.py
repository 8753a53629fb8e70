"""Screens that have exemplars judged ahead of time, in the background, by the one path; nothing of it is kept."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import on, work
from textual.message import Message
from textual.worker import Worker, WorkerState

from evalforge.app.lesson.hearing import Hearing
from evalforge.app.lesson.plan import Exhibit
from evalforge.app.paths import problem
from evalforge.app.screens.base import GameScreen
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from evalforge.library.pack import BossPack
    from evalforge.model.events import Event


class HearingScreen(GameScreen):
    """A screen that shows how others' hand-ins are judged."""

    class Heard(Message):
        """A hand-in was judged, or can't be."""

        def __init__(self, hearing: Hearing) -> None:
            super().__init__()
            self.hearing = hearing

    def __init__(self) -> None:
        super().__init__()
        self._hearings: dict[Path, Hearing] = {}

    def hearing(self, exhibit: Exhibit) -> Hearing:
        """What is known of a hand-in."""
        return self._hearings.setdefault(exhibit.path, Hearing(exhibit))

    def hear(self, pack: "BossPack", exhibits: Sequence[Exhibit], judge: str = "forge") -> None:
        """Begin to judge these, one after the other."""
        for exhibit in exhibits:
            hearing = self.hearing(exhibit)
            hearing.submission = self.game.services.collect_quietly(exhibit.path)
        self._judge(pack, judge)

    @work(exclusive=True, group="hearing", exit_on_error=False)
    async def _judge(self, pack: "BossPack", judge: str) -> None:
        """Let the forge judge what isn't judged yet."""
        options = replace(self.game.services.options(practice=True), judge=judge)
        forge = await self.game.forge()
        for hearing in [one for one in self._hearings.values() if not one.over]:
            try:
                stream = forge.fight(pack, hearing.exhibit.path, options)
                async with aclosing(cast("AsyncGenerator[Event, None]", stream)) as told:
                    async for event in told:
                        hearing.take(event)
            except EvalForgeError as error:
                hearing.fail(problem(error))
            if not hearing.over:
                hearing.fail("The judging broke off.")
            self.post_message(self.Heard(hearing))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An error of ours leaves hand-ins unjudged, and says so; it never ends the lesson."""
        worker = cast("Worker[Any]", event.worker)  # pyright: ignore[reportUnknownMemberType]
        if event.state is not WorkerState.ERROR or worker.group != "hearing":
            return
        reason = f"{type(worker.error).__name__}: {clean_line(str(worker.error))}"
        for hearing in self._hearings.values():
            if not hearing.over:
                hearing.fail(reason)
                self.post_message(self.Heard(hearing))

    @on(Heard)
    def _arrived(self, event: Heard) -> None:
        self.heard(event.hearing)

    def heard(self, hearing: Hearing) -> None:
        """A hand-in is through: show it, if it is waited for."""
