"""A class against one boss: judged live, then read in tabs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input

from evalforge.app.classroom.class_state import ClassState, RowFilter, RowState, first_words
from evalforge.app.classroom.class_table import table_rows
from evalforge.app.classroom.judging import ClassJudgingScreen, ClassPhase, ClassProgress, ClassTally
from evalforge.app.classroom.tab_rows import (
    ClassSnapshot,
    TabRow,
    change_rows,
    cluster_rows,
    hanging_lines,
    heading_row,
)
from evalforge.app.classroom.views import ClassView, DetailsView, LevelsView, LookalikesView, TableView
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.screens.choose import ChooseScreen, keys_of
from evalforge.app.ui.text.formatting import VERDICT_WORDS, plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.app.ui.widgets.search_bar import SearchBar, SearchSlot
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.classroom.class_impostors import MissedImpostor, WrongExpectation
from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.class_run import ClassOptions
from evalforge.model.hp import HpScale
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.text import clean, clean_line

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack


_FORMS = (
    ("a", "everything", "all of these, in a folder"),
    ("h", "page", "a self-contained page with plots (HTML)"),
    ("c", "table", "a table with one row per submission (CSV)"),
    ("j", "data", "everything, as data (JSON)"),
    ("f", "feedback", "a Markdown file for each student"),
    ("m", "moodle", "a grading worksheet for Moodle"),
    ("n", "canvas", "a gradebook for Canvas"),
    ("b", "blackboard", "a file of grades for Blackboard"),
    ("d", "brightspace", "a file of grades for Brightspace"),
    ("p", "platforms", "results for Gradescope and GitHub Classroom"),
)


class ClassExportScreen(ChooseScreen):
    """Asks over the class's screen for a form; the result is the form, or None."""

    BINDINGS = keys_of(_FORMS, "class-export")

    def __init__(self, folder: str) -> None:
        note = f"It goes to {clean(folder)}; nothing there is overwritten. Levels you set count."
        super().__init__("Export the class as", _FORMS, note)


# What impostors reveal about a class's tests: which ones most suites miss, and which tests expect something wrong.

_MAX_LINES = 3


def suite_rows(snapshot: ClassSnapshot, _glyphs: Glyphs) -> list[Row]:
    """List each impostor that a suite misses, and each test with a wrong expectation."""
    if snapshot.report is None:
        return [message_row(snapshot.why_not)]
    class_state, impostors = snapshot.class_state, snapshot.report.impostors
    if not impostors.suites:
        return [message_row("No tests of this class were run against impostors.")]
    rows = [heading_row("missed", f"What the tests miss ({len(impostors.missed)})")]
    rows += [_missed_row(index, impostor, class_state) for index, impostor in enumerate(impostors.missed)]
    if not impostors.missed:
        measured_count = sum(suite.unmasked is not None for suite in impostors.suites)
        verdict = "each catches every impostor it met" if measured_count else "so nothing is known about them"
        whole = plural(class_state.settled_count, "submission")
        rows.append(message_row(f"{measured_count} of {whole} had tests that met impostors: {verdict}."))
    if impostors.wrong:
        rows.append(heading_row("wrong", f"What tests expect wrongly ({len(impostors.wrong)})", gap_above=True))
    rows += [_wrong_row(index, expectation, class_state) for index, expectation in enumerate(impostors.wrong)]
    return rows


def _missed_row(index: int, impostor: MissedImpostor, class_state: ClassState) -> TabRow:
    """An impostor, the section of the contract that it breaks, and the rows whose tests accept it."""
    is_of_one = len(impostor.row_ids) == 1
    return TabRow(
        f"missed {index}",
        lambda width: hanging_lines(f"{impostor.missed:>3} of {impostor.suites}  ", impostor.fault, width, _MAX_LINES),
        selected_ids=impostor.row_ids if is_of_one else (),
        listed_ids=frozenset(() if is_of_one else impostor.row_ids),
        filter_title=f"whose tests miss: {impostor.fault}",
        details=lambda: styled(
            _title_and_place(impostor.fault, impostor.clause),
            (f"{plural(impostor.missed, 'suite')} of {impostor.suites} miss it  ", "molten"),
            (", ".join(map(class_state.title_of, impostor.row_ids)), "dim"),
        ),
    )


def _wrong_row(index: int, expectation: WrongExpectation, class_state: ClassState) -> TabRow:
    """A test that a right program fails, and whose it is."""
    title = class_state.title_of(expectation.row_id)
    return TabRow(
        f"wrong {index}",
        lambda width: hanging_lines("  ! ", f"{title}: {expectation.message}", width, _MAX_LINES),
        selected_ids=(expectation.row_id,),
        details=lambda: styled(_title_and_place(expectation.message, expectation.place), (title, "dim")),
    )


def _title_and_place(title: str, place: str) -> Content:
    return styled(*spans(clean_line(title), "bold ash"), (f"\n{clean_line(place)}\n\n", "dim"))


# The tab with everybody's bar, and below it a description of the row under the cursor.

_LABEL_CELLS = 14


class WallView(ClassView):
    """Everybody's bar, and below it a description of the row under the cursor."""

    def __init__(self, class_state: ClassState, accent: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(table_rows, id=id)
        self._class_state, self._accent = class_state, accent
        self._row_states: Sequence[RowState] = ()

    def compose(self) -> ComposeResult:
        """Compose the wall and the line that describes the selected row."""
        yield ClassWall(HpScale.from_rubric(self._class_state.rubric), self._accent)
        yield Heading()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the rows as bars; those that stay in place move to their new values by themselves."""
        wall = self.query_one(ClassWall)
        row_states = [self._class_state.row_states[row.key] for row in rows if isinstance(row, TabRow)]
        if row_states != self._row_states:
            self._row_states = row_states
            wall.show(row_states)
        self._describe_row()

    @on(LineList.Pointed)
    def _describe_row(self) -> None:
        row = self.find_row(self.query_one(ClassWall).key)
        row_state = self._class_state.row_states[row.key] if row else None
        if row_state is None:
            message = "Nobody matches." if self._class_state.row_states else ""
            self.query_one(Heading).set_text([(message, "dim")], [])
            return
        description = [(row_state.title, "bold ash"), (f"  {_summary(row_state)}", "dim")]
        description.append((f"   {_levels(row_state, self._class_state)}", "faint"))
        self.query_one(Heading).set_text(description, [(self.query_one(ClassWall).page_text, "faint")])


def _levels(row_state: RowState, class_state: ClassState) -> str:
    """A row's levels in all criteria, in one line."""
    result = row_state.result
    labels = class_state.rubric.labels
    return ", ".join(
        f"{first_words(labels.get(criterion.id, criterion.id), _LABEL_CELLS)} {format_number(criterion.score)}"
        for criterion in (result.criteria if result else ())
    )


def _summary(row_state: RowState) -> str:
    """A row in one line: its score and what deserves attention."""
    row, result = row_state.row, row_state.result
    if row is None:
        return "is being judged" if row_state.is_judging else "waits its turn"
    if result is None:
        return clean_line(f"{row.outcome.value}: {row_state.reason}")
    parts = [
        f"{format_number(result.score_total)} of {format_number(result.score_max)}",
        VERDICT_WORDS[result.verdict.value],
    ]
    if row.has_changed and row.earlier:
        parts.append(f"{format_signed(result.score_total - row.earlier.score_total)} since last time")
    if row_state.overridden_ids and row.judged:
        parts.append(f"judged {format_number(row.judged.score_total)}, set by a person")
    if not row.fresh:
        parts.append("unchanged")
    return ", ".join([*parts, *map(clean_line, row.flags)])


VIEWS = ("wall", "table", "levels", "stuck", "alike", "moved", "tests")
_REFRESH_SECONDS = 0.3
"""Seconds between redraws of lists that may change during judging."""


class ClassScreen(ClassJudgingScreen):
    """The seven tabs of one class."""

    CSS_PATH = "screen.tcss"
    NAME = "A class"
    HELP_TEXT = """
Every submission is a boss's HP bar: damage comes off the right end, and past the mark the boss falls. Each
result is saved at once. You can stop or leave at any time; the next run continues there and judges only what changed.

`1` to `7` switch tabs; `tab` moves to the next part of a tab. `/` searches names and reasons, `f` filters the rows,
`s` sorts by name, by score or by a criterion. `enter` opens a fight; on a level, a cluster, a pair or an impostor
it shows only the rows that belong to it.

`e` overrides a criterion's level, with a reason; the judge's level is kept beside yours. `c` writes a comment,
which changes no level. On a cluster, both apply to everybody in it. `x` exports the class.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "widen", "all rows", id="class.widen"),
        Binding("escape", "halt", "stop", id="class.halt"),
        Binding("escape", "back", "back", id="class.back"),
        Binding("slash", "search", "search", key_display="/", id="class.search"),
        Binding("f", "keep", "filter", id="class.keep"),
        Binding("e", "override", "set level", id="class.override"),
        Binding("c", "comment", "comment", id="class.comment"),
        Binding("x", "export", "export", id="class.export"),
        Binding("s", "sort", "sort", id="class.sort"),
        Binding("r", "go_on", "again", id="class.go_on"),
        *(Binding(str(i), f"turn('{name}')", name, show=False, id=f"class.{name}") for i, name in enumerate(VIEWS, 1)),
    ]

    def __init__(self, pack: "BossPack", class_path: Path, options: ClassOptions | None = None) -> None:
        super().__init__(pack, class_path, options)
        self._row_filter = RowFilter()

    def body(self) -> Iterable[Widget]:
        """Compose heading, progress, the tabs, and the tally."""
        about = self._pack.definition
        yield Heading([(about.title.upper(), f"bold {about.metadata.accent}")], id="heading")
        yield ClassProgress(self.class_state, id="progress")
        yield TabBar(VIEWS, VIEWS[0], id="tabs")
        with SearchSlot():
            yield SearchBar("name, id, address or reason", id="search")
        with ContentSwitcher(initial="wall-view", id="tab-views"):
            yield WallView(self.class_state, about.metadata.accent, id="wall-view")
            yield TableView(id="table-view")
            yield LevelsView(id="levels-view")
            yield DetailsView(cluster_rows, "show them", id="stuck-view")
            yield LookalikesView(self._read_files, id="alike-view")
            yield ClassView(change_rows, id="moved-view")
            yield DetailsView(suite_rows, "show them", id="tests-view")
        yield ClassTally(self.class_state, id="tally")

    def on_mount(self) -> None:
        """Start judging the class at once."""
        self.set_interval(_REFRESH_SECONDS, self._catch_up)
        self._view.take_focus()
        self.action_go_on()

    # Display

    @property
    def _view(self) -> ClassView:
        return self.query_one(f"#{self.query_one(TabBar).open}-view", ClassView)

    def _catch_up(self) -> None:
        if self._is_stale and self.is_current:
            self.show_all()

    def show_all(self) -> None:
        """Redraw the open tab."""
        self._is_stale = False
        class_state = self.class_state
        is_judged = class_state.closing_event is not None
        why_not = "Looking for shared failures ..." if is_judged else "Available when every submission is judged."
        row_states = self._row_filter.select_rows(class_state.row_states.values())
        self._view.renew(ClassSnapshot(class_state, row_states, self._row_filter, self._report, why_not))
        notes = self._row_filter.descriptions(self._pack.rubric)
        notes += [f"{len(row_states)} shown"] if self._row_filter.narrows else []
        self.query_one(ClassTally).set_text(right=[(", ".join(notes), "faint")] if notes else [])
        self.refresh_bindings()

    def on_screen_resume(self) -> None:
        """Redraw, because judging continued while another screen was open."""
        if self.is_mounted and self.class_state.row_count:
            self.show_all()
            self._view.take_focus()

    def on_resize(self) -> None:
        """Redraw the lists for the new width."""
        self._is_stale = self._is_stale or bool(self.class_state.row_count)

    @on(TabBar.TabOpened)
    def _show_tab(self, event: TabBar.TabOpened) -> None:
        switcher = self.query_one(ContentSwitcher)
        selected_ids = self.query_one(f"#{switcher.current}", ClassView).selected_ids
        switcher.current = f"{event.name}-view"
        self.show_all()
        self._view.take_focus()
        if selected_ids and event.name == "wall":
            self.wall.point(selected_ids[0])

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only the actions that make sense now."""
        if not self.is_mounted:
            return True
        match action:
            case "widen":
                return self._is_narrowed
            case "halt":
                return not self._is_narrowed and self._phase in (ClassPhase.READING, ClassPhase.JUDGING)
            case "back":
                settled = self._phase in (ClassPhase.STOPPED, ClassPhase.SETTLED, ClassPhase.FAILED)
                return not self._is_narrowed and settled
            case "go_on":
                return self._phase in (ClassPhase.STOPPED, ClassPhase.FAILED)
            case "export":
                return self._phase is ClassPhase.SETTLED and self._report is not None
            case "override":
                return any(row.result is not None for row in self._selected_rows)
            case "comment":
                return bool(self._selected_rows)
            case "search" | "sort" | "keep":
                return self.query_one(TabBar).open in ("wall", "table")
            case _:
                return True

    @property
    def _is_narrowed(self) -> bool:
        """Whether escape first removes a filter."""
        return self.query_one(SearchBar).display or self._row_filter.only is not None

    def action_turn(self, name: str) -> None:
        """Open one of the tabs."""
        self.query_one(TabBar).open = name

    def action_widen(self) -> None:
        """Close the search and show all rows."""
        search = self.query_one(SearchBar)
        if search.display:
            search.close()
            self._view.take_focus()
        else:
            self._row_filter = replace(self._row_filter, only=None, why="")
            self.show_all()

    def action_search(self) -> None:
        """Open the search bar."""
        self.query_one(SearchBar).open()

    @on(Input.Changed, "#search")
    def _apply_search(self, event: Input.Changed) -> None:
        self._row_filter = replace(self._row_filter, search_text=event.value)
        self.show_all()

    @on(Input.Submitted, "#search")
    def _leave_search(self) -> None:
        self._view.take_focus()

    def action_sort(self) -> None:
        """Sort the rows by the next order."""
        self._row_filter = self._row_filter.next_order(self._pack.rubric)
        self.show_all()

    def action_keep(self) -> None:
        """Show the next group of rows."""
        self._row_filter = self._row_filter.next_group()
        self.show_all()

    @on(LineList.Opened)
    def _open_row(self, event: LineList.Opened) -> None:
        row = self._view.find_row(event.key)
        if row is None:
            return
        if row.listed_ids:
            why = clean_line(row.filter_title)
            self._row_filter = RowFilter(order=self._row_filter.order, only=row.listed_ids, why=why)
            self.query_one(TabBar).open = "table"
        elif attempt_id := self.class_state.row_states[row.selected_ids[0]].attempt_id:
            self.navigator.open_attempt(attempt_id)

    def _read_files(self, row_id: str) -> Mapping[str, str]:
        row_state = self.class_state.row_states.get(row_id)
        attempt = self.session.read_attempt(row_state.attempt_id) if row_state and row_state.attempt_id else None
        return attempt.submission.contents if attempt else {}

    @property
    def _selected_rows(self) -> list[ClassRow]:
        """The settled rows that a level or a comment would apply to."""
        row_states = (self.class_state.row_states.get(row_id) for row_id in self._view.selected_ids)
        return [row_state.row for row_state in row_states if row_state and row_state.row]

    def action_override(self) -> None:
        """Set a level of the row under the cursor, or of every row of a cluster."""
        from evalforge.app.classroom.dialogs import OverrideScreen

        rows = [row for row in self._selected_rows if row.judged is not None]
        if rows:
            row_ids = [row.row_id for row in rows]
            dialog = OverrideScreen(rows, self._pack.rubric)
            self.game.push_screen(dialog, lambda level: self.save_override(row_ids, level))

    def action_comment(self) -> None:
        """Comment to the student under the cursor, or to everybody in a cluster."""
        from evalforge.app.classroom.dialogs import comment_dialog

        rows, history = self._selected_rows, self.session.history()
        if not rows or history is None or self._run is None:
            return
        row_ids = [row.row_id for row in rows]
        dialog = comment_dialog(history, self._run.label, self._pack.boss_id, rows)
        self.game.push_screen(dialog, lambda change: self.save_comment(row_ids, change))

    def action_export(self) -> None:
        """Ask for the form to export the class in."""
        from evalforge.app.classroom.screen import ClassExportScreen

        folder = short(self.session.services.starter_folder.absolute())
        self.game.push_screen(ClassExportScreen(folder), self.export_class)
