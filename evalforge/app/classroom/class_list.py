"""The list of classes judged before, from which a new one can be started."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.binding import Binding, BindingType

from evalforge.app.screens.records import RecordsScreen
from evalforge.app.ui.text.formatting import format_age, plural
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit_ends
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.model.text import clean_line
from evalforge.packs.path_checks import folders_in

if TYPE_CHECKING:
    from evalforge.history.class_book import StoredClassRun
    from evalforge.packs.pack import BossPack

_RUNS_READ = 400
_NAMES_SHOWN = 6
"""How many of a class's folders are named before it is judged."""
_SEPARATOR = " · "


class ClassesScreen(RecordsScreen):
    """The classes of one boss or of all bosses; opening one resumes its judging."""

    CSS_PATH = "class_list.tcss"
    NAME = "Classes"
    HELP_TEXT = """
A class is a folder with one folder (or zip) for each student, or what Moodle or Gradescope exports.

A class that was judged before opens with its results. Only what has changed since is judged again, by the same judge.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "choose", "new class", id="classes.new"),
        Binding("J", "judge", "judge", id="classes.judge"),
        Binding("escape", "back", "back", id="classes.back"),
    ]

    def __init__(self, pack: "BossPack | None" = None) -> None:
        super().__init__()
        self._pack = pack
        self._judge = "forge"
        self._runs: dict[str, StoredClassRun] = {}

    def on_mount(self) -> None:
        """List the classes; if there are none, ask for the first."""
        super().on_mount()
        if self._pack is not None and not self._runs:
            self.call_after_refresh(self.action_choose)

    def read_records(self) -> None:
        """List the newest run of each class."""
        history, pack = self.session.history(), self._pack
        runs = history.classes.runs(pack.boss_id if pack else "", _RUNS_READ) if history else []
        self._runs = {}
        for run in runs:
            # The newest run represents a class.
            self._runs.setdefault(f"{run.boss_id} {run.label}", run)
        text = "A folder with one folder for each student. Unchanged submissions are not judged again."
        if not self._runs:
            hint = "ctrl+n asks for its folder." if pack else "C on a boss's page judges one."
            text = f"No class was judged yet. {hint}"
        title, note = [("CLASSES", "bold ember")], ""
        if pack is not None:
            about = pack.definition
            title = [(about.title.upper(), f"bold {about.metadata.accent}"), ("  judge a class", "dim")]
            note = f"a new class: {self._judge} judge"
        titles = {} if pack else {boss.slug: boss.title for boss in self.session.services.find_bosses()}
        rows = [self._row(key, run, titles.get(run.boss_id, run.boss_id)) for key, run in self._runs.items()]
        self.show_records(title, note, text, rows)

    def _row(self, key: str, run: "StoredClassRun", boss_title: str) -> Row:
        return Row(key, lambda width: _class_lines(run, "" if self._pack else boss_title, width))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A new class can only be started with a boss."""
        return self._pack is not None if action in ("choose", "judge") else True

    def action_choose(self) -> None:
        """Ask for the folder of a class."""
        from evalforge.app.screens.directory_dialog import DirectoryPickerScreen

        newest = next(iter(self._runs.values()), None)
        start = Path(newest.source).parent if newest else self.session.services.starter_folder
        self.game.push_screen(DirectoryPickerScreen(start), self._open_folder)

    def _open_folder(self, folder: Path | None) -> None:
        if folder is not None and self._pack is not None:
            self._judge_class(self._pack, folder, self._judge, is_new=True)

    def action_judge(self) -> None:
        """Switch to the next available judge for a new class."""
        self._judge = self.session.next_judge(self._judge)
        self.read_records()

    @on(Rows.Opened)
    def _open_class(self, event: Rows.Opened) -> None:
        run = self._runs[event.key]
        pack = self._pack or self.session.require_boss(run.boss_id)
        folder = Path(run.source)
        if not folder.exists():
            text = f"{clean_line(run.source)} is not there any more. Its results are kept."
            self.notify(text, severity="warning", markup=False)
        elif pack is not None:
            self._judge_class(pack, folder, run.judge.name, run.label)

    def _judge_class(
        self, pack: "BossPack", folder: Path, judge: str, label: str = "", *, is_new: bool = False
    ) -> None:
        """Judge a class or resume it; ask first if it was never judged before, or if that costs money."""
        from evalforge.app.screens.confirm import ConfirmScreen
        from evalforge.classroom.class_run import ClassOptions
        from evalforge.llm.model_options import ModelOptions

        services = self.session.services
        models = services.models or ModelOptions()
        options = ClassOptions(judge=judge, models=models, python=services.python, label=label)

        def begin(confirmed: bool | None) -> None:
            if confirmed:
                self.navigator.open_class(pack, folder, options)

        is_free = judge == "forge"
        if is_free and not is_new:
            begin(confirmed=True)
            return
        names = [clean_line(path.name) for path in folders_in(folder)]
        shown_names = ", ".join(names[:_NAMES_SHOWN]) + (" ..." if len(names) > _NAMES_SHOWN else "")
        text = f"{short(folder)}: {plural(len(names), 'folder')}{': ' if names else ''}{shown_names}."
        if not is_free:
            text += f" It may cost up to ${models.budget_usd:.2f} for the class."
            text += " What is known from earlier runs costs nothing."
        self.game.push_screen(ConfirmScreen(f"Let {judge} judge a whole class?", text, "judge them"), begin)


def _class_lines(run: "StoredClassRun", boss: str, width: int) -> Sequence[Line]:
    """The folder of a class, and below it its results, in as many lines as needed."""
    name = fit_ends(clean_line(short(run.label)), width).rstrip()
    state = ("all settled", "dim") if run.finished_at else ("stopped: can be continued", "ember")
    details = [boss, plural(run.rows, "row"), f"{run.judge.name} judge", f"run {run.run}, {format_age(run.started_at)}"]
    parts = [(clean_line(text), "dim") for text in details if text]
    return [((name, "ash"),), *_wrap_parts([*parts, state], width), ()]


def _wrap_parts(parts: Sequence[Run], width: int) -> Iterable[Line]:
    """Put parts next to each other, indented; those that don't fit go to the next line."""
    line: list[Run] = []
    used = 0
    for text, role in parts:
        if line and used + len(_SEPARATOR) + cell_len(text) > width:
            yield tuple(line)
            line = []
        line += [(_SEPARATOR, "faint") if line else ("  ", "dim"), (text, role)]
        used = sum(cell_len(run) for run, _ in line)
    yield tuple(line)
