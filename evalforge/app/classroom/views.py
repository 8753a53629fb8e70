"""The tabs of a class: lists of rows in one frame, some with details of the row under the cursor."""

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from evalforge.app.classroom.class_table import Columns, table_rows
from evalforge.app.classroom.levels import COLUMN_BREAK, level_rows
from evalforge.app.classroom.pairs import Files, PairView, pair_rows
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import LineView
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Panel

_WIDE = 108
"""With at least this many columns, levels and totals are side by side."""
RowBuilder = Callable[[ClassSnapshot, Glyphs], list[Row]]
"""Makes the rows of a tab."""


class ClassView(Container):
    """One tab of a class: a list, whose rows know the submissions behind them.

    Args:
        build_rows: Makes the rows.
        opens: The label of enter in the key bar.
        id: The widget's id.
    """

    DEFAULT_CSS = """
    ClassView { height: 1fr; }
    """

    def __init__(self, build_rows: RowBuilder, opens: str = "open", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._build_rows, self._opens = build_rows, opens
        self._snapshot: ClassSnapshot | None = None
        self._tab_rows: dict[str, TabRow] = {}

    def compose(self) -> ComposeResult:
        """Compose the list."""
        yield Rows(self._opens)

    def find_row(self, key: str) -> TabRow | None:
        """Return the row with a key, unless it is a heading or a message."""
        return self._tab_rows.get(key)

    @property
    def selected_ids(self) -> tuple[str, ...]:
        """The submissions that a level or comment would apply to: those of the row under the cursor."""
        row = self.find_row(self.query_one(LineList).key)
        return row.selected_ids if row else ()

    def renew(self, snapshot: ClassSnapshot) -> None:
        """Show the current state of the class."""
        self._snapshot = snapshot
        rows = self._build_rows(snapshot, look(self).glyphs)
        self._tab_rows = {row.key: row for row in rows if isinstance(row, TabRow)}
        self.show_rows(rows)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the rows in the list."""
        self.query_one(Rows).show(rows)

    def take_focus(self) -> None:
        """Focus the list, or the first of several."""
        self.query_one(LineList).focus()


class DetailsView(ClassView):
    """A list, and next to it the row under the cursor in full."""

    def compose(self) -> ComposeResult:
        """Compose the list and the details."""
        yield from super().compose()
        yield Panel()

    @on(LineList.Pointed)
    def _show_details(self, event: LineList.Pointed) -> None:
        row = self.find_row(event.key)
        self.query_one(Panel).set_text(row.details() if row else Content(""))


class TableView(ClassView):
    """A line for each row of the class, below the names of the columns."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(table_rows, id=id)

    def compose(self) -> ComposeResult:
        """Compose the column headings and the lines."""
        head = LineView()
        head.can_focus = False
        yield head
        yield from super().compose()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the lines, and the headings of their columns."""
        super().show_rows(rows)
        self.on_resize()

    def on_resize(self) -> None:
        """Draw the column headings for the current width."""
        rows = self.query_one(Rows)
        if self._snapshot is not None and rows.size.width > 0:
            self.query_one(LineView).show([Columns(self._snapshot, rows.text_width).head()])


class LevelsView(ClassView):
    """Levels, totals and trials as bars, in two columns if there is room."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(level_rows, "show them", id=id)

    def compose(self) -> ComposeResult:
        """Compose two columns; one is hidden if space is short."""
        yield Rows(self._opens, id="levels-left")
        yield Rows(self._opens, id="levels-right")

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Lay the rows out for the current width."""
        left, right = self.query(Rows)
        right.display = self.size.width >= _WIDE
        end = rows.index(COLUMN_BREAK) if right.display else len(rows)
        left.show(rows[:end])
        right.show(rows[end + 1 :])

    def on_resize(self) -> None:
        """Lay the lists out in one column or two."""
        if self._snapshot is not None:
            self.renew(self._snapshot)


class LookalikesView(ClassView):
    """Pairs to look at, and what they share side by side. Similar doesn't mean copied.

    Args:
        files: Returns the files of a submission.
        id: The widget's id.
    """

    def __init__(self, files: Files, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(pair_rows, "show both", id=id)
        self._files = files
        self._pair_view: PairView | None = None

    def compose(self) -> ComposeResult:
        """Compose the pairs, and the lines that two submissions share."""
        yield from super().compose()
        yield Heading([("Similarity alone proves nothing: look before you judge.", "faint")])
        yield LineView()

    @on(LineList.Pointed)
    def _show_shared_code(self, event: LineList.Pointed) -> None:
        row, report = self.find_row(event.key), self._snapshot.report if self._snapshot else None
        pair = report.lookalikes[int(row.key)] if report and row else None
        if pair is None:
            self._pair_view = None
        elif self._pair_view is None or self._pair_view.pair != pair:
            self._pair_view = PairView(pair, self._files)
        self.on_resize()

    def on_resize(self) -> None:
        """Draw the shared lines for the current width."""
        view = self.query_one(LineView)
        width = view.scrollable_content_region.width
        view.show(self._pair_view.lines(width, look(self).glyphs) if self._pair_view and width else [])
