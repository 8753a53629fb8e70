"""The sides of a class row by row: the wall, the table, who moved; and what all sides have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from evalforge.app.classroom.class_state import ClassState, RowState
from evalforge.app.classroom.findings import levels_of, moved_rows, row_of, summary
from evalforge.app.classroom.row_order import RowFilter
from evalforge.app.classroom.table import Columns, longest_name, table_rows
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_list import ItemMessage
from evalforge.app.ui.widgets.line_view import LineView
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.classroom.report import ClassReport


@dataclass(frozen=True)
class ClassSnapshot:
    """What there is to show now. ``report`` is None until every row is settled; ``why_not`` says what it waits for."""

    room: ClassState
    places: Sequence[RowState]
    wanted: RowFilter
    report: ClassReport | None = None
    why_not: str = ""


class ClassView(Container):
    """One side of a class."""

    DEFAULT_CSS = """
    ClassView { height: 1fr; }
    """

    class Opened(ItemMessage):
        """A fight was asked for."""

    class Pointed(ItemMessage):
        """Another row is under the cursor."""

    class Narrowed(Message):
        """Only some rows are wanted, who have something in common."""

        def __init__(self, why: str, row_ids: frozenset[str]) -> None:
            super().__init__()
            self.why, self.row_ids = why, row_ids

    @property
    def selection(self) -> str:
        """The row under the cursor; empty where there is none."""
        return ""

    def renew(self, seen: ClassSnapshot) -> None:
        """Show what there is now."""

    def take_focus(self) -> None:
        """The keys are its own."""
        for widget in self.query(Rows):
            widget.focus()
            return


class WallView(ClassView):
    """Everybody's bar; below, the one under the cursor in words."""

    def __init__(self, room: ClassState, accent: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._room, self._accent = room, accent
        self._shown: Sequence[RowState] = ()

    def compose(self) -> ComposeResult:
        """Wall and words."""
        rubric = self._room.rubric
        yield ClassWall(rubric.max_score, rubric.overall.pass_threshold, self._accent, id="wall")
        yield Heading(id="detail")

    @property
    def wall(self) -> ClassWall:
        """The wall itself."""
        return self.query_one(ClassWall)

    @property
    def selection(self) -> str:
        """The row under the cursor."""
        return self.wall.selection

    def renew(self, seen: ClassSnapshot) -> None:
        """Show these rows."""
        if list(seen.places) != list(self._shown):
            self._shown = list(seen.places)
            self.wall.show(self._shown)
        self._show_selection()

    def take_focus(self) -> None:
        """The wall takes the keys."""
        self.wall.focus()

    @on(ClassWall.Pointed)
    def _pointed(self, event: ClassWall.Pointed) -> None:
        self._show_selection()
        self.post_message(self.Pointed(self, event.key))

    @on(ClassWall.Opened)
    def _opened(self, event: ClassWall.Opened) -> None:
        self.post_message(self.Opened(self, event.key))

    def _show_selection(self) -> None:
        place = self._room.places.get(self.selection)
        if place is None:
            words = "Nobody matches." if self._room.places else ""
            self.query_one(Heading).set_text([(words, "dim")], [])
            return
        first, last = self.wall.seen
        page = f"{first}-{last} of {len(self._shown)}" if self.wall.scrolls else ""
        words = [(place.title, "bold ash"), (f"  {summary(place)}", "dim")]
        words.append((f"   {levels_of(place, self._room)}", "faint"))
        self.query_one(Heading).set_text(words, [(page, "faint")])


class TableView(ClassView):
    """Everybody on a line."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._seen: ClassSnapshot | None = None

    def compose(self) -> ComposeResult:
        """Names of columns, and the lines."""
        head = LineView(id="columns")
        head.can_focus = False
        yield head
        yield Rows(id="rows")

    @property
    def selection(self) -> str:
        """The row under the cursor."""
        return self.query_one(Rows).key

    def renew(self, seen: ClassSnapshot) -> None:
        """Show these rows."""
        self._seen = seen
        rows = table_rows(seen.places, seen.room.rubric, look(self).glyphs)
        nobody = Row("", lambda _: [(("Nobody matches.", "dim"),)], still=True)
        self.query_one(Rows).show(rows or [nobody])
        self._head()

    def on_resize(self) -> None:
        """Columns are as wide as there is room for."""
        self._head()

    def _head(self) -> None:
        if self._seen is not None and self.query_one(Rows).size.width > 0:
            room = self.query_one(Rows).room
            columns = Columns(self._seen.room.rubric, room, longest_name(self._seen.places))
            self.query_one(LineView).show([columns.head(self._seen.wanted.order)])

    @on(Rows.Pointed)
    def _pointed(self, event: Rows.Pointed) -> None:
        self.post_message(self.Pointed(self, event.key))

    @on(Rows.Opened)
    def _opened(self, event: Rows.Opened) -> None:
        self.post_message(self.Opened(self, event.key))


class MovedView(ClassView):
    """Who moved since the attempt before, and whatever a person said or should look at."""

    def compose(self) -> ComposeResult:
        """Lines by section."""
        yield Rows(id="moved")

    @property
    def selection(self) -> str:
        """The row under the cursor."""
        return row_of(self.query_one(Rows).key)

    def renew(self, seen: ClassSnapshot) -> None:
        """Show what moved."""
        self.query_one(Rows).show(moved_rows(seen.room, look(self).glyphs))

    @on(Rows.Pointed)
    def _pointed(self, event: Rows.Pointed) -> None:
        self.post_message(self.Pointed(self, row_of(event.key)))

    @on(Rows.Opened)
    def _opened(self, event: Rows.Opened) -> None:
        self.post_message(self.Opened(self, row_of(event.key)))
