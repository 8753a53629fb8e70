"""The tabs of a class row by row: the wall, the table, who moved; and the base of all tabs."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from evalforge.app.classroom.class_state import ClassState, RowState
from evalforge.app.classroom.class_table import Columns, longest_name, table_rows
from evalforge.app.classroom.findings import levels_of, moved_rows, row_of, summary
from evalforge.app.classroom.row_order import RowFilter
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_list import ItemMessage
from evalforge.app.ui.widgets.line_view import LineView
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.classroom.report import ClassReport


@dataclass(frozen=True)
class ClassSnapshot:
    """The data to show now. ``report`` is None until every row is settled; ``why_not`` says what it waits for."""

    class_state: ClassState
    row_states: Sequence[RowState]
    row_filter: RowFilter
    report: ClassReport | None = None
    why_not: str = ""


class ClassView(Container):
    """One tab of a class."""

    DEFAULT_CSS = """
    ClassView { height: 1fr; }
    """

    class Opened(ItemMessage):
        """Posted when a fight should be opened."""

    class Pointed(ItemMessage):
        """Posted when another row is under the cursor."""

    class Narrowed(Message):
        """Posted to show only some rows, which have something in common."""

        def __init__(self, why: str, row_ids: frozenset[str]) -> None:
            super().__init__()
            self.why, self.row_ids = why, row_ids

    @property
    def selection(self) -> str:
        """The row under the cursor; empty if there is none."""
        return ""

    @property
    def selected_rows(self) -> tuple[str, ...]:
        """The rows that a level or comment would apply to: the one under the cursor, or a whole cluster."""
        return (self.selection,) if self.selection else ()

    def renew(self, snapshot: ClassSnapshot) -> None:
        """Show the snapshot's data."""

    def take_focus(self) -> None:
        """Focus the part that takes the keys."""
        for widget in self.query(Rows):
            widget.focus()
            return


class WallView(ClassView):
    """Everybody's bar, and below it a description of the row under the cursor."""

    def __init__(self, class_state: ClassState, accent: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state, self._accent = class_state, accent
        self._row_states: Sequence[RowState] = ()

    def compose(self) -> ComposeResult:
        """Compose the wall and the line that describes the selected row."""
        rubric = self._class_state.rubric
        yield ClassWall(rubric.max_score, rubric.overall.pass_threshold, self._accent, id="wall")
        yield Heading(id="detail")

    @property
    def wall(self) -> ClassWall:
        """The widget that draws everybody's bar."""
        return self.query_one(ClassWall)

    @property
    def selection(self) -> str:
        """The row under the cursor."""
        return self.wall.selection

    def renew(self, snapshot: ClassSnapshot) -> None:
        """Show the rows of the snapshot on the wall."""
        if list(snapshot.row_states) != list(self._row_states):
            self._row_states = list(snapshot.row_states)
            self.wall.show(self._row_states)
        self._show_selection()

    def take_focus(self) -> None:
        """Focus the wall."""
        self.wall.focus()

    @on(ClassWall.Pointed)
    def _pointed(self, event: ClassWall.Pointed) -> None:
        self._show_selection()
        self.post_message(self.Pointed(self, event.key))

    @on(ClassWall.Opened)
    def _opened(self, event: ClassWall.Opened) -> None:
        self.post_message(self.Opened(self, event.key))

    def _show_selection(self) -> None:
        row_state = self._class_state.row_states.get(self.selection)
        if row_state is None:
            words = "Nobody matches." if self._class_state.row_states else ""
            self.query_one(Heading).set_text([(words, "dim")], [])
            return
        first, last = self.wall.visible_rows
        page = f"{first}-{last} of {len(self._row_states)}" if self.wall.scrolls else ""
        words = [(row_state.title, "bold ash"), (f"  {summary(row_state)}", "dim")]
        words.append((f"   {levels_of(row_state, self._class_state)}", "faint"))
        self.query_one(Heading).set_text(words, [(page, "faint")])


class TableView(ClassView):
    """The tab with a line for each row of the class."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._snapshot: ClassSnapshot | None = None

    def compose(self) -> ComposeResult:
        """Compose the column headings and the lines."""
        head = LineView(id="columns")
        head.can_focus = False
        yield head
        yield Rows(id="rows")

    @property
    def selection(self) -> str:
        """The row under the cursor."""
        return self.query_one(Rows).key

    def renew(self, snapshot: ClassSnapshot) -> None:
        """Show the rows of the snapshot as a table."""
        self._snapshot = snapshot
        rows = table_rows(snapshot.row_states, snapshot.class_state.rubric, look(self).glyphs)
        nobody = Row("", lambda _: [(("Nobody matches.", "dim"),)], is_static=True)
        self.query_one(Rows).show(rows or [nobody])
        self._show_column_names()

    def on_resize(self) -> None:
        """Redraw the columns for the new width."""
        self._show_column_names()

    def _show_column_names(self) -> None:
        if self._snapshot is not None and self.query_one(Rows).size.width > 0:
            width = self.query_one(Rows).text_width
            columns = Columns(self._snapshot.class_state.rubric, width, longest_name(self._snapshot.row_states))
            self.query_one(LineView).show([columns.head(self._snapshot.row_filter.order)])

    @on(Rows.Pointed)
    def _pointed(self, event: Rows.Pointed) -> None:
        self.post_message(self.Pointed(self, event.key))

    @on(Rows.Opened)
    def _opened(self, event: Rows.Opened) -> None:
        self.post_message(self.Opened(self, event.key))


class MovedView(ClassView):
    """Changes since the previous attempt, overrides, and rows that a person should look at."""

    def compose(self) -> ComposeResult:
        """Compose the list of rows, by section."""
        yield Rows(id="moved")

    @property
    def selection(self) -> str:
        """The row under the cursor."""
        return row_of(self.query_one(Rows).key)

    def renew(self, snapshot: ClassSnapshot) -> None:
        """List the rows that moved, were overridden, or need a look."""
        self.query_one(Rows).show(moved_rows(snapshot.class_state, look(self).glyphs))

    @on(Rows.Pointed)
    def _pointed(self, event: Rows.Pointed) -> None:
        self.post_message(self.Pointed(self, row_of(event.key)))

    @on(Rows.Opened)
    def _opened(self, event: Rows.Opened) -> None:
        self.post_message(self.Opened(self, row_of(event.key)))
