"""A list whose rows may have several lines; one of the rows is under the cursor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from textual.geometry import Size

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit

_MARK_CELLS = 2
Build = Callable[[int], Sequence[Line]]
"""Makes the lines of a row for a width."""


@dataclass(frozen=True)
class Row:
    """One row: its key, and its lines.

    The cursor skips a row that ``is_static``; a row that is ``shut`` can be pointed at, but not opened.
    """

    key: str
    build: Build
    is_static: bool = False
    shut: bool = False


def message_row(message: str) -> Row:
    """A sentence instead of a list, or below it."""
    return Row("message", lambda width: [((fit(message, width).rstrip(), "dim"),)], is_static=True)


def choice(key: str, letter: str, text: str) -> Row:
    """One of a few choices, chosen by arrow, by click or by its letter."""
    return Row(key, lambda _: [((f"{letter} ", "bold ember"), (text, "ash"))])


class Rows(LineList):
    """Rows from top to bottom."""

    def __init__(self, opens: str = "open", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(opens, id=id)
        self._rows: Sequence[Row] = ()
        self._selectable_rows: list[Row] = []
        self._lines: list[Line] = []

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rows that can be pointed at, from the top."""
        return tuple(row.key for row in self._selectable_rows)

    def key_of(self, index: int) -> str:
        """The key of a row."""
        return self._selectable_rows[index].key

    def can_open(self, index: int) -> bool:
        """Whether a row can be opened."""
        return super().can_open(index) and not self._selectable_rows[index].shut

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows; the cursor stays on its row, if that still exists."""
        key = self.key
        self._rows, self._selectable_rows = rows, [row for row in rows if not row.is_static]
        self.renew(len(self._selectable_rows), self.keys.index(key) if key in self.keys else 0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines, if the style sheet leaves the height to them."""
        return sum(len(row.build(max(10, width - _MARK_CELLS))) for row in self._rows)

    @property
    def text_width(self) -> int:
        """The width of a row's lines: next to the mark, with a blank cell before a scrollbar."""
        gap = 1 if self.show_vertical_scrollbar or self.styles.scrollbar_gutter == "stable" else 0
        return max(10, self.line_width - _MARK_CELLS - gap)

    def item_of_lines(self, width: int) -> Sequence[int]:
        """Build the lines of every row, and return the row that each belongs to."""
        indices = count()
        items: list[int] = []
        self._lines = []
        for row in self._rows:
            lines = row.build(self.text_width)
            self._lines += lines
            items += [-1 if row.is_static else next(indices)] * len(lines)
        return items

    def line(self, y: int) -> Line:
        """Draw a line after its mark, which is visible at the row under the cursor."""
        index = self._items[y]
        is_marked = index == self.cursor and (y == 0 or self._items[y - 1] != index)
        mark = look(self).glyphs.cursor if is_marked else " "
        head = (f"{mark} ", f"bold {'ember' if self.has_focus else 'faint'}")
        return (head, *self._lines[y]) if self._lines[y] else ()
