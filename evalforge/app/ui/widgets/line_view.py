"""Any number of styled lines, drawn only when visible: diffs and the like."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.text.styled_text import Runs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import pieces
from evalforge.app.ui.widgets.painting import strip

Line = Runs
"""One line, piece by piece."""


class LineScroll(ScrollView, inherit_bindings=False):
    """Lines from any source; the keys scroll them.

    A subclass overrides ``lay_out`` and ``line``, and calls ``arrange_lines`` when the lines change.
    """

    DEFAULT_CSS = """
    LineScroll { height: 1fr; background: transparent; scrollbar-size: 0 1; }
    """
    _extent = Size(0, 0)
    """The size of all lines in the last layout, in cells and lines."""
    _laid_out_for: tuple[Size, int] | None = None
    """The size and line width of the last layout; None before the first one, and when the lines have changed."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "up", show=False, id="lines.up"),
        Binding("down,j", "scroll_down", "down", show=False, id="lines.down"),
        Binding("left", "scroll_left", "left", show=False, id="lines.left"),
        Binding("right", "scroll_right", "right", show=False, id="lines.right"),
        Binding("pageup", "page_up", "page up", show=False, id="lines.page_up"),
        Binding("pagedown", "page_down", "page down", show=False, id="lines.page_down"),
        Binding("home", "scroll_home", "first", show=False, id="lines.first"),
        Binding("end", "scroll_end", "last", show=False, id="lines.last"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave left and right to the screen if every line is fully visible."""
        return self.allow_horizontal_scroll if action in ("scroll_left", "scroll_right") else True

    def lay_out(self, width: int) -> Size:
        """Prepare the lines for a width; returns their size in cells and lines."""
        raise NotImplementedError

    def line(self, y: int) -> Line:
        """Draw one of the lines that were laid out."""
        raise NotImplementedError

    def line_style(self, y: int) -> Style:
        """The background style of a line."""
        del y
        return self.rich_style

    def line_strip(self, y: int, width: int) -> Strip:
        """Draw one of the lines in the colours of the theme."""
        return strip(pieces(self.line(y), look(self).palette), width, self.line_style(y))

    @property
    def line_width(self) -> int:
        """The visible cells of a line."""
        return self.scrollable_content_region.width

    def arrange_lines(self) -> None:
        """Lay out and redraw the lines."""
        self._laid_out_for = None
        if self.is_mounted and self.size.width:
            self.virtual_size = self._current_extent()
            self.refresh()

    def on_resize(self) -> None:
        """Adapt the lines to the widget's width."""
        self._scroll_over_extent()

    def _scroll_over_extent(self) -> None:
        if self.size.width:
            self.virtual_size = self._current_extent()

    def _current_extent(self) -> Size:
        """The size of the lines for the current widget size; the first frame is drawn before the first resize event."""
        if self._laid_out_for != (self.size, self.line_width):
            self._extent = self.lay_out(self.line_width)
            self._laid_out_for = (self.size, self.line_width)
        return self._extent

    def render_line(self, y: int) -> Strip:
        """Draw the line that is scrolled to this position."""
        at, width, extent = self.scroll_offset.y + y, self.line_width, self._current_extent()
        if extent != self.virtual_size:  # a scrollbar appeared or vanished, which doesn't count as a resize
            self.call_next(self._scroll_over_extent)
        if not 0 <= at < extent.height:
            return Strip.blank(width, self.rich_style)
        line = self.line_strip(at, extent.width)
        first_column = self.scroll_offset.x
        return line.crop(first_column, first_column + width) if extent.width > width else line


class LineView(LineScroll):
    """A scrolling view of styled lines that don't wrap."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Show these lines, scrolled to the first."""
        self._lines = lines
        self.arrange_lines()
        self.scroll_to(0, 0, animate=False)

    def lay_out(self, width: int) -> Size:
        """Take the width of the widest line."""
        widest = max((sum(cell_len(text) for text, _ in line) for line in self._lines), default=0)
        return Size(max(widest, width), len(self._lines))

    def line(self, y: int) -> Line:
        """Return one of the lines, by its index."""
        return self._lines[y]
