"""A class while it is judged: the run behind the screen, and where it stands."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import aclosing, suppress
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual import work
from textual.worker import Worker

from evalforge.app.classroom.class_progress import ClassProgress, ClassTally
from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import plural, seconds
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.widgets.heading import Heading
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.events import ClassEvent, ClassOpened, RowSettled, WorkerReady
from evalforge.classroom.report import ClassReport, make_report
from evalforge.classroom.time_left import format_time_left
from evalforge.history.overriding import LevelOverride, override_level
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line
from evalforge.packs.atomic_files import unused_path

if TYPE_CHECKING:
    from evalforge.history.store import History
    from evalforge.packs.pack import BossPack


class ClassPhase(Enum):
    """Where a class stands."""

    READING = auto()
    JUDGING = auto()
    STOPPING = auto()
    STOPPED = auto()
    SETTLED = auto()
    FAILED = auto()


class ClassJudgingScreen(GameScreen):
    """Judges a class and tells how far it is. What it looks like is its child's."""

    def __init__(self, pack: "BossPack", place: Path, options: ClassOptions | None = None) -> None:
        super().__init__()
        self._pack, self._place = pack, place
        self._options = options or ClassOptions()
        self._room = ClassState(pack.rubric, str(place.absolute()))
        self._phase = ClassPhase.READING
        self._run: ClassRun | None = None
        self._report: ClassReport | None = None
        self._judging: Worker[None] | None = None
        self._warned = 0
        self._stale = False
        """Whether what is shown may be another by now."""

    def show_all(self) -> None:
        """Show everything anew."""
        raise NotImplementedError

    @property
    def wall(self) -> ClassWall:
        """Everybody's bar."""
        return self.query_one(ClassWall)

    def begin(self) -> None:
        """Judge whoever is not settled."""
        self._report = None
        self._room.closed = None
        self._judging = self._judge()

    def stop(self) -> None:
        """Let go of what is being judged; what is settled stays settled."""
        if self._phase in (ClassPhase.READING, ClassPhase.JUDGING) and self._judging is not None:
            self._enter(ClassPhase.STOPPING, "stopping: what is being judged is let go", "ember")
            self._judging.cancel()

    @work(exclusive=True, group="class", exit_on_error=False)
    async def _judge(self) -> None:
        history: History | None = None
        try:
            self._enter(ClassPhase.READING, "looking for hand-ins")
            history = self.session.services.open_history()
            store = history
            self._run = await run_in_thread(lambda: ClassRun(self._pack, self._place, store, self._options))
            async with aclosing(self._run.events()) as events:
                async for event in events:
                    self._show_event(event)
            self._enter(ClassPhase.SETTLED, "every row is settled; looking for what they share")
            await self._put_together()
        except EvalForgeError as error:
            self._room.mark_stopped()
            self._enter(ClassPhase.FAILED, problem(error), "blood")
        except Exception as error:  # noqa: BLE001 - a screen that waits for ever helps nobody
            self._room.mark_stopped()
            self._enter(ClassPhase.FAILED, f"The run broke off ({type(error).__name__}: {error}).", "blood")
        finally:
            if history is not None:
                history.close()
            if self._phase is ClassPhase.STOPPING and self.is_attached:
                self._halted()

    def _halted(self) -> None:
        self._room.mark_stopped()
        self.wall.settle()
        self._enter(ClassPhase.STOPPED, "stopped, nothing is lost: r goes on from there", "ember")
        self.show_all()

    def _show_event(self, event: ClassEvent) -> None:
        row_id = self._room.add_event(event)
        if row_id:
            self.wall.touch(row_id)
        if isinstance(event, ClassOpened):
            self._enter(ClassPhase.JUDGING, "judging")
            self.show_all()
        elif isinstance(event, WorkerReady):
            self._show_heading()
        elif isinstance(event, RowSettled):
            self._stale = True
            left = format_time_left(event.seconds_left) if event.done < event.total else ""
            self.query_one(ClassProgress).show_message(left or "judging")
            self.query_one(ClassTally).refresh()

    async def _put_together(self) -> None:
        """Clusters, pairs and the rest of the report: in a thread, with a history of its own."""
        run, closed = self._run, self._room.closed
        assert run is not None
        self.show_all()
        open_history = self.session.services.open_history

        def report() -> ClassReport:
            with open_history() as history:
                return make_report(run, history)

        self._report = await run_in_thread(report)
        fresh = closed.fresh if closed else 0
        outcome = (
            f"{plural(fresh, 'hand-in')} judged in {seconds(closed.at)}" if closed and fresh else "nothing had changed"
        )
        cost = f", ${closed.usd:.2f}" if closed and closed.usd else ""
        self._enter(ClassPhase.SETTLED, f"run {self._report.run}: {outcome}{cost}")
        self.game.ring_bell()
        self.show_all()

    def _enter(self, phase: ClassPhase, words: str, role: str = "dim") -> None:
        self._phase = phase
        self.query_one(ClassProgress).show_message(words, role)
        self._show_heading()

    def _show_heading(self) -> None:
        """Which class, who judges it, in what."""
        label = self._options.label or short(self._place.absolute())
        cages = " and ".join(dict.fromkeys(f"{cage} cage" for cage in self._room.cages.values() if cage))
        at_once = f"{self._room.workers} at once" if self._room.workers else ""
        about = " · ".join(filter(None, (self._room.judge, cages, at_once)))
        title = [(self._pack.definition.title.upper(), f"bold {self._pack.definition.metadata.accent}")]
        self.query_one("#heading", Heading).set_text([*title, (f"  {label}", "dim")], [(about, "dim")])
        for warning in self._room.warnings[self._warned :]:
            self.notify(clean_line(warning), title="How code is run", severity="warning", markup=False)
        self._warned = len(self._room.warnings)
        self.refresh_bindings()

    def keep_word(self, row_id: str, word: LevelOverride | None) -> None:
        """Set a level of a row, as somebody said."""
        place, history = self._room.places[row_id], self.session.history()
        if word is None or history is None or place.row is None:
            return
        try:
            revised = override_level(history, place.row.attempt_id, self._pack.rubric, word)
        except EvalForgeError as error:
            self.notify(problem(error), title="Nothing was set", severity="error", markup=False)
            return
        place.row = place.row.model_copy(update={"revised": revised})
        if self._run is not None:
            self._run.rows[row_id] = place.row
        self.wall.touch(row_id)
        self.show_all()

    def hand_out(self, kind: str | None) -> None:
        """Write the class in a form."""
        if kind and self._run is not None:
            self._export(kind, self._run)

    @work(group="export", exit_on_error=False)
    async def _export(self, kind: str, run: ClassRun) -> None:
        from evalforge.classroom.export.forms import CLASS_FORMS, ClassExport

        services, place = self.session.services, self._place.absolute()
        ending, writer = CLASS_FORMS[kind]
        folder = services.starter_folder.absolute()
        if place in (folder, *folder.parents):
            folder = place.parent  # within the class it would be taken for a hand-in

        def write() -> Path:
            # Put together anew: a level set since then counts.
            with services.open_history() as history:
                report = make_report(run, history)
                target = unused_path(folder, f"evalforge-class-{report.boss_id}-{report.run}", ending)
                writer(ClassExport(report, history), target)
                return target

        try:
            path = await run_in_thread(write)
        except (OSError, EvalForgeError) as error:
            self.notify(problem(error), title="Nothing was written", severity="error", markup=False)
            return
        self.notify(clean_line(short(path)), title="Written", markup=False)


T = TypeVar("T")


async def run_in_thread(work: Callable[[], T]) -> T:
    """Do some work in a thread of its own and answer what it answers.

    Threads of a pool are waited for when a program ends; this one is not, so it must leave nothing half done.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def act() -> None:
        result, failed = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            failed = error
        with suppress(RuntimeError):  # the game is over: nobody waits any more
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=act, daemon=True).start()
    return await done
