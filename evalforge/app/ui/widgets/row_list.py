"""A list whose rows may be several lines high; one of them is under the cursor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import pieces
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import strip

_MARK = 2
Build = Callable[[int], Sequence[Line]]
"""Makes the lines of a row for a width."""


@dataclass(frozen=True)
class Row:
    """One row: what it stands for, and its lines.

    One that is ``still`` is passed over by the cursor; one that is ``shut`` can be pointed at, but not opened.
    """

    key: str
    build: Build
    still: bool = False
    shut: bool = False


def choice(key: str, letter: str, words: str) -> Row:
    """One of a few things to choose from, by arrow, by click or by its letter."""
    return Row(key, lambda _: [((f"{letter} ", "bold ember"), (words, "ash"))])


class Rows(ScrollView, inherit_bindings=False):
    """Rows from top to bottom.

    Args:
        opens: What enter does with a row, in the words of a line of keys; empty where it does nothing.
        id: Its name.
    """

    DEFAULT_CSS = """
    Rows { height: 1fr; background: transparent; scrollbar-size: 1 1; overflow-x: hidden; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False, id="rows.up"),
        Binding("down,j", "move(1)", "down", show=False, id="rows.down"),
        Binding("pageup", "move(-8)", "page up", show=False, id="rows.page_up"),
        Binding("pagedown", "move(8)", "page down", show=False, id="rows.page_down"),
        Binding("home,g", "move(-100000)", "first", show=False, id="rows.first"),
        Binding("end,G", "move(100000)", "last", show=False, id="rows.last"),
    ]
    cursor: reactive[int] = reactive(0)

    class Opened(Message):
        """A row was opened."""

        def __init__(self, rows: "Rows", key: str) -> None:
            super().__init__()
            self.rows, self.key = rows, key

        @property
        def control(self) -> "Rows":
            """The list it is in."""
            return self.rows

    class Pointed(Message):
        """The cursor stands on another row."""

        def __init__(self, rows: "Rows", key: str) -> None:
            super().__init__()
            self.rows, self.key = rows, key

        @property
        def control(self) -> "Rows":
            """The list it is in."""
            return self.rows

    def __init__(self, opens: str = "open", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._opens = opens
        enter = Binding("enter", "open", opens, key_display="⏎", id="rows.open")
        self._bindings.key_to_bindings["enter"] = [enter]
        self._rows: list[Row] = []
        self._lines: list[tuple[int, Line]] = []

    @property
    def keys(self) -> tuple[str, ...]:
        """What the rows stand for, from the top."""
        return tuple(row.key for row in self._rows)

    @property
    def selection(self) -> str:
        """What the row under the cursor stands for; empty if there is none."""
        return self._rows[self.cursor].key if self.cursor < len(self._rows) else ""

    def show(self, rows: Sequence[Row]) -> None:
        """Show these; the cursor stays on what it stood on, if that is still there."""
        chosen = self.selection
        self._rows = list(rows)
        keys = [row.key for row in rows if not row.still]
        wanted = chosen if chosen in keys else (keys[0] if keys else "")
        index = self.keys.index(wanted) if wanted else 0
        self.set_reactive(Rows.cursor, index)
        self._lay_out()
        if self.is_mounted:
            if self.styles.height is not None and self.styles.height.is_auto:
                self.refresh(layout=True)
            self.call_after_refresh(self._keep_in_sight)
            self.screen.refresh_bindings()
            self.post_message(self.Pointed(self, self.selection))

    def point(self, key: str) -> None:
        """Move the cursor to a row."""
        if key in self.keys:
            self.cursor = self.keys.index(key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing to open where there is nothing."""
        return bool(self._opens) and self._can_open if action == "open" else True

    @property
    def _can_open(self) -> bool:
        if self.cursor >= len(self._rows):
            return False
        row = self._rows[self.cursor]
        return not (row.still or row.shut)

    def action_move(self, step: int) -> None:
        """Move the cursor, past rows that only say something."""
        able = [index for index, row in enumerate(self._rows) if not row.still]
        if able:
            at = able.index(self.cursor) if self.cursor in able else 0
            self.cursor = able[min(max(at + step, 0), len(able) - 1)]

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if self._can_open:
            self.post_message(self.Opened(self, self.selection))

    def watch_cursor(self) -> None:
        """Keep the cursor in sight and tell about it."""
        self._keep_in_sight()
        self.refresh()
        if self._rows and self.is_mounted:
            self.screen.refresh_bindings()
            self.post_message(self.Pointed(self, self.selection))

    def _keep_in_sight(self) -> None:
        found = [y for y, (index, _) in enumerate(self._lines) if index == self.cursor]
        if found:
            top = 0 if self.cursor == 0 else found[0]
            self.scroll_to_region(Region(0, top, self.size.width, found[-1] - top + 1), animate=False, force=True)

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked; a second click opens it."""
        y = event.get_content_offset_capture(self).y + self.scroll_offset.y
        index = self._lines[y][0] if 0 <= y < len(self._lines) else -1
        if index < 0 or self._rows[index].still:
            return
        if index == self.cursor:
            self.action_open()
        self.cursor = index

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are, where the style sheet leaves the height to them."""
        return sum(len(row.build(max(10, width - _MARK))) for row in self._rows)

    def on_resize(self) -> None:
        """Lay out anew."""
        self._lay_out()

    @property
    def room(self) -> int:
        """Cells for the lines of a row: beside the mark, and with a cell of air before a scrollbar."""
        air = 1 if self.show_vertical_scrollbar or self.styles.scrollbar_gutter == "stable" else 0
        return max(10, self.scrollable_content_region.width - _MARK - air)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if not self.is_mounted or not width:
            return
        self._lines = [(index, line) for index, row in enumerate(self._rows) for line in row.build(self.room)]
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        here, width = look(self), self.scrollable_content_region.width
        at = self.scroll_offset.y + y
        if not 0 <= at < len(self._lines):
            return Strip.blank(width, self.rich_style)
        index, line = self._lines[at]
        is_head = at == 0 or self._lines[at - 1][0] != index
        at_cursor = index == self.cursor and not self._rows[index].still
        mark = here.glyphs.cursor if at_cursor and is_head else " "
        head = (f"{mark} ", here.palette.style("ember" if self.has_focus else "faint", bold=True))
        base = self.rich_style
        if at_cursor and self.has_focus and line:
            base += here.palette.style("", on="raised")
        return strip([head, *pieces(line, here.palette)], width, base)
