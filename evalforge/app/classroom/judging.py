"""A class while it is judged: the run behind the screen, and its progress."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import aclosing
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len
from textual import work
from textual.worker import Worker

from evalforge.app.classroom.class_state import STATUSES, ClassState, status_glyph, status_role, status_word
from evalforge.app.classroom.class_table import bar_text
from evalforge.app.classroom.dialogs import CommentChange
from evalforge.app.classroom.tab_rows import FOLDER
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import format_seconds, plural
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.classroom.account import ClassAccount
from evalforge.classroom.class_events import ClassEvent, ClassOpened, RowSettled, WorkerReady
from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.report import ClassReport, make_report
from evalforge.classroom.row_overrides import override_rows
from evalforge.classroom.time_left import format_time_left
from evalforge.history.overriding import LevelOverride
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line
from evalforge.packs.atomic_files import unused_path
from evalforge.packs.private_files import make_private_folders

if TYPE_CHECKING:
    from evalforge.history.store import History
    from evalforge.packs.pack import BossPack


_MIN_BAR_CELLS, _MAX_BAR_CELLS = 4, 60


class ClassProgress(Heading):
    """Shows the count of settled rows, a bar, and a message at the right end."""

    def __init__(self, class_state: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state = class_state

    def left_runs(self, width: int) -> Sequence[Run]:
        """The count, and a bar that fills the free width."""
        glyphs, total = look(self).glyphs, self._class_state.row_count
        settled_count = self._class_state.settled_count
        count_text = f"{settled_count:>{len(str(total))}} of {total} "
        bar_width = max(_MIN_BAR_CELLS, min(_MAX_BAR_CELLS, width - len(count_text) - 3))
        filled_cells = bar_text(settled_count / total if total else 0.0, bar_width, glyphs)
        empty_cells = glyphs.bar_rest * (bar_width - len(filled_cells))
        return (count_text, "bold ash"), (filled_cells, "ember"), (empty_cells, "faint")


class ClassTally(Heading):
    """Counts the rows of each status, and serves as the legend of the glyphs."""

    def __init__(self, class_state: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state = class_state

    def left_runs(self, width: int) -> Sequence[Run]:
        """As much of the legend as fits: its words are dropped before its counts, because every row has them, too."""
        layouts = [
            *(self._count_runs(gap, with_words=True) for gap in (3, 2, 1)),
            self._count_runs(3, with_words=False),
        ]
        free_width = width - (3 if self._right else 0)
        return next((runs for runs in layouts if sum(cell_len(text) for text, _ in runs) <= free_width), layouts[-1])

    def _count_runs(self, gap: int, *, with_words: bool) -> list[Run]:
        glyphs, counts = look(self).glyphs, self._class_state.tally()
        runs: list[Run] = []
        for status in filter(counts.get, STATUSES):
            runs += [
                (" " * gap if runs else "", "dim"),
                (f"{status_glyph(status, glyphs)} ", f"bold {status_role(status)}"),
                (f"{counts[status]}", "bold ash"),
                (f" {status_word(status)}" if with_words else "", "dim"),
            ]
        return runs


class ClassPhase(Enum):
    """The phase of a class's run."""

    READING = auto()
    JUDGING = auto()
    STOPPING = auto()
    STOPPED = auto()
    SETTLED = auto()
    FAILED = auto()


class ClassJudgingScreen(GameScreen):
    """Judges a class and reports its progress. Subclasses define what it looks like."""

    def __init__(self, pack: "BossPack", class_path: Path, options: ClassOptions | None = None) -> None:
        super().__init__()
        self._pack, self._class_path = pack, class_path
        self._options = options or ClassOptions()
        self.class_state = ClassState(pack.rubric, str(class_path.absolute()))
        self._phase = ClassPhase.READING
        self._run: ClassRun | None = None
        self._report: ClassReport | None = None
        self._judging: Worker[None] | None = None
        self._shown_warning_count = 0
        self._is_stale = False
        """Whether the display may be out of date."""

    def show_all(self) -> None:
        """Show the current state of the class in every part of the screen."""
        raise NotImplementedError

    @property
    def wall(self) -> ClassWall:
        """The widget that draws everybody's bar."""
        return self.query_one(ClassWall)

    def action_go_on(self) -> None:
        """Judge every row that isn't settled."""
        self._report = None
        self.class_state.closing_event = None
        self._judging = self._judge()

    def action_halt(self) -> None:
        """Cancel running judgings; settled rows stay settled, and the next run resumes."""
        if self._phase in (ClassPhase.READING, ClassPhase.JUDGING) and self._judging is not None:
            self._set_phase(ClassPhase.STOPPING, "stopping: submissions in progress are dropped", "bold ember")
            self._judging.cancel()

    @work(exclusive=True, group="class", exit_on_error=False)
    async def _judge(self) -> None:
        history: History | None = None
        try:
            self._set_phase(ClassPhase.READING, "looking for submissions")
            history = self.session.services.open_history()
            self._run = await run_in_thread(partial(ClassRun, self._pack, self._class_path, history, self._options))
            async with aclosing(self._run.events()) as events:
                async for event in events:
                    self._show_event(event)
            self._set_phase(ClassPhase.SETTLED, "all judged; looking for shared failures")
            await self._make_report()
        except Exception as error:  # noqa: BLE001 - a screen that waits forever helps nobody
            self.class_state.mark_stopped()
            self._set_phase(ClassPhase.FAILED, problem(error), "blood")
        finally:
            if history is not None:
                history.close()
            if self._phase is ClassPhase.STOPPING and self.is_attached:
                self._show_stopped()

    def _show_stopped(self) -> None:
        self.class_state.mark_stopped()
        self.wall.settle()
        self._set_phase(ClassPhase.STOPPED, "stopped: every result so far is kept; r continues", "bold ember")
        self.show_all()

    def _show_event(self, event: ClassEvent) -> None:
        row_id = self.class_state.add_event(event)
        if row_id:
            self.wall.move_bar(row_id)
        if isinstance(event, ClassOpened):
            self._set_phase(ClassPhase.JUDGING, "judging")
            self._show_account(event.account)
            self.show_all()
        elif isinstance(event, WorkerReady):
            self._show_heading()
        elif isinstance(event, RowSettled):
            self._is_stale = True
            time_left_text = format_time_left(event.seconds_left) if event.done < event.total else ""
            self.query_one(ClassProgress).set_text(right=[(time_left_text or "judging", "dim")])
            self.query_one(ClassTally).refresh()

    def _show_account(self, account: ClassAccount) -> None:
        """Show, before judging, which entries of the folder won't be judged or don't match the roster."""
        if account.unused or account.off_roster:
            message = " ".join(account.sentences)
            self.notify(clean_line(message), title=FOLDER, severity="warning", markup=False)

    async def _make_report(self) -> None:
        """Make the report in a thread, with its own connection to the history."""
        run, closed = self._run, self.class_state.closing_event
        assert run is not None
        self.show_all()
        open_history = self.session.services.open_history

        def build_report() -> ClassReport:
            with open_history() as history:
                return make_report(run, history)

        self._report = await run_in_thread(build_report)
        outcome = "nothing had changed"
        if closed and closed.fresh:
            outcome = f"{plural(closed.fresh, 'submission')} judged in {format_seconds(closed.at)}"
        cost = f", ${closed.usd:.2f}" if closed and closed.usd else ""
        self._set_phase(ClassPhase.SETTLED, f"run {self._report.run}: {outcome}{cost}")
        self.game.ring_bell()
        self.show_all()

    def _set_phase(self, phase: ClassPhase, message: str, role: str = "dim") -> None:
        self._phase = phase
        self.query_one(ClassProgress).set_text(right=[(message, role)])
        self._show_heading()

    def _show_heading(self) -> None:
        """Show the class, its judge and its sandbox."""
        label = self._options.label or short(self._class_path.absolute())
        cages = " and ".join(dict.fromkeys(f"{cage} sandbox" for cage in self.class_state.cages.values() if cage))
        at_once = f"{self.class_state.workers} at once" if self.class_state.workers else ""
        about = " · ".join(filter(None, (self.class_state.judge, cages, at_once)))
        title = [(self._pack.definition.title.upper(), f"bold {self._pack.definition.metadata.accent}")]
        self.query_one("#heading", Heading).set_text([*title, (f"  {label}", "dim")], [(about, "dim")])
        for warning in self.class_state.warnings[self._shown_warning_count :]:
            self.notify(clean_line(warning), title="How code is run", severity="warning", markup=False)
        self._shown_warning_count = len(self.class_state.warnings)
        self.refresh_bindings()

    def save_override(self, row_ids: Sequence[str], override: LevelOverride | None) -> None:
        """Set a level in these rows; rows in which it already counts stay as they are."""
        history = self.session.history()
        if override is None or history is None:
            return
        rows = [row for row_id in row_ids if (row := self.class_state.row_states[row_id].row)]
        changed, refusals = override_rows(history, self._pack.rubric, rows, override)
        for row in changed:
            self._replace_row(row)
        self.show_all()
        if refusals:
            message = clean_line(" ".join(refusals))
            self.notify(message, title="Not set everywhere", severity="error", markup=False)

    def save_comment(self, row_ids: Sequence[str], change: CommentChange | None) -> None:
        """Write a comment to these rows, or withdraw one."""
        history, run = self.session.history(), self._run
        if change is None or history is None or run is None:
            return
        try:
            write = history.comments.withdraw if change.is_withdrawn else history.comments.add
            write(run.label, self._pack.boss_id, row_ids, change.text)
            comments = history.comments.of_class(run.label, self._pack.boss_id)
        except EvalForgeError as error:
            self.notify(problem(error), title="Nothing was written", severity="error", markup=False)
            return
        for row_id in row_ids:
            if row := self.class_state.row_states[row_id].row:
                texts = tuple(comment.text for comment in comments.get(row_id, ()))
                self._replace_row(row.model_copy(update={"comments": texts}))
        self.show_all()
        people = plural(len(row_ids), "submission")
        title = f"Taken back from {people}" if change.is_withdrawn else f"Written to {people}"
        self.notify("The next export shows it.", title=title, timeout=3, markup=False)

    def _replace_row(self, row: ClassRow) -> None:
        self.class_state.row_states[row.row_id].row = row
        if self._run is not None:
            self._run.rows[row.row_id] = row
        self.wall.move_bar(row.row_id)

    def export_class(self, form: str | None) -> None:
        """Export the class in a form."""
        if form and self._run is not None:
            self._write_export(form, self._run)

    @work(group="export", exit_on_error=False)
    async def _write_export(self, form: str, run: ClassRun) -> None:
        from evalforge.classroom.export.forms import CLASS_FORMS, ClassExport

        services, class_path = self.session.services, self._class_path.absolute()
        ending, writer = CLASS_FORMS[form]
        folder = services.starter_folder.absolute()
        if class_path in (folder, *folder.parents):
            folder = class_path.parent  # inside the class's folder it would be taken for a submission

        def write_file() -> Path:
            make_private_folders(folder)
            # The report is made again: levels set since then count.
            with services.open_history() as history:
                report = make_report(run, history)
                target = unused_path(folder, f"evalforge-class-{report.boss_id}-{report.run}", ending)
                writer(ClassExport(report, history), target)
                return target

        try:
            path = await run_in_thread(write_file)
        except (OSError, EvalForgeError) as error:
            self.notify(problem(error), title="Nothing was written", severity="error", markup=False)
            return
        self.notify(clean_line(short(path)), title="Written", markup=False)


T = TypeVar("T")


async def run_in_thread(work: Callable[[], T]) -> T:
    """Run a function in a thread of its own and return its result.

    Unlike the threads of a pool, this one isn't awaited when the program ends, so it must leave nothing half done.
    """
    future: Future[T] = Future()

    def set_result() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - passed on to the waiting caller
            future.set_exception(error)

    # A future that runs can't be cancelled: its result comes even if nobody waits for it any more.
    future.set_running_or_notify_cancel()
    threading.Thread(target=set_result, daemon=True).start()
    return await asyncio.wrap_future(future)
