"""The tabs of a class: lists of rows in one frame, some with details of the row under the cursor."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from evalforge.app.classroom.class_table import COLUMN_BREAK, Columns, level_rows, table_rows
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.syntax import SyntaxHighlighter
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.inline_code import fit_runs
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line, LineView
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, Rows, message_row
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.classroom.lookalikes import LookalikePair, MatchedSpan
from evalforge.model.number_format import format_percent
from evalforge.model.text import clean_line

# Pairs of submissions that look alike, and the code that they share, side by side.

_NUMBER_CELLS = 5
_MAX_LINES = 400
Files = Callable[[str], Mapping[str, str]]
"""Returns the files of a row's submission, by path."""


def pair_rows(snapshot: ClassSnapshot, _glyphs: Glyphs) -> list[Row]:
    """List the pairs to look at, the most similar first; the key of each is its index."""
    report = snapshot.report
    if report is None:
        return [message_row(snapshot.why_not)]
    names = [
        (snapshot.class_state.title_of(pair.row_id), snapshot.class_state.title_of(pair.other_id))
        for pair in report.lookalikes
    ]
    longest = max((cell_len(name) for pair_names in names for name in pair_names), default=0)
    rows: list[Row] = [
        _pair_row(index, pair, names[index], longest) for index, pair in enumerate(report.lookalikes)
    ]  # fmt: skip
    more = report.lookalikes_in_all - len(rows)
    if more > 0:
        rows.append(message_row(f"and {more:,} more that are less alike"))
    return rows or [message_row("No two submissions look alike.")]


def _pair_row(index: int, pair: LookalikePair, names: tuple[str, str], longest: int) -> TabRow:
    def build(width: int) -> Sequence[Line]:
        end = plural(sum(span.last - span.first + 1 for span in pair.stretches), "line")
        name_width = max(8, min(longest, (width - 8 - 5 - len(end) - 4) // 2))
        name, other_name = (fit(name, name_width) for name in names)
        share = (f"{format_percent(pair.similarity):>6}  ", "bold molten")
        return [(share, (name, "ash"), (" and ", "faint"), (other_name, "ash"), (f"  {end}", "dim"))]

    # Enter lists both submissions, because it is not for us to say which to read first.
    return TabRow(
        str(index),
        build,
        selected_ids=(pair.row_id,),
        listed_ids=frozenset((pair.row_id, pair.other_id)),
        filter_title=f"{' and '.join(names)}, which look alike",
    )


class PairView:
    """The files of two submissions, and the lines of each that look like the other's.

    Args:
        pair: The matching lines.
        files: Returns the files of a submission.
    """

    def __init__(self, pair: LookalikePair, files: Files) -> None:
        self.pair = pair
        own_files, other_files = files(pair.row_id), files(pair.other_id)
        own_paths, other_paths = ({span.path for span in pair.stretches}, {span.other_path for span in pair.stretches})
        self._code = {path: SyntaxHighlighter(path, own_files.get(path, "")) for path in own_paths}
        self._other_code = {path: SyntaxHighlighter(path, other_files.get(path, "")) for path in other_paths}

    def lines(self, width: int, glyphs: Glyphs) -> list[Line]:
        """Draw the matches one by one, for a width."""
        half = max(12, (width - 3) // 2)
        lines: list[Line] = []
        for span in self.pair.stretches:
            if lines:
                lines.append(())
            lines += self._span_lines(span, half, glyphs)
        return lines

    def _span_lines(self, span: MatchedSpan, half: int, glyphs: Glyphs) -> Iterator[Line]:
        locations = (f"{span.path}:{span.first}-{span.last}", f"{span.other_path}:{span.other_first}-{span.other_last}")
        left, right = (fit(clean_line(location), half, glyphs.ellipsis) for location in locations)
        yield ((left, "bold ember"), ("   ", "rule"), (right, "bold ember"))
        count = max(span.last - span.first, span.other_last - span.other_first) + 1
        code, other_code = self._code[span.path], self._other_code[span.other_path]
        for step in range(min(count, _MAX_LINES)):
            yield (
                *_code_line(code, span.first + step, span.last, half, glyphs),
                (f" {glyphs.hairline} ", "rule"),
                *_code_line(other_code, span.other_first + step, span.other_last, half, glyphs),
            )
        if count > _MAX_LINES:
            yield ((f"and {count - _MAX_LINES} more lines", "dim"),)


def _code_line(code: SyntaxHighlighter, number: int, last: int, half: int, glyphs: Glyphs) -> Line:
    if number > last:
        return ((" " * half, "ash"),)
    # The ellipsis is faint, because it is not part of the code.
    runs = fit_runs(tuple(code.line(number - 1)), half - _NUMBER_CELLS, glyphs.ellipsis, "faint")
    return ((f"{number:>{_NUMBER_CELLS - 1}} ", "faint"), *runs)


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
