"""Many styled lines, drawn as they are seen: diffs and the like, of any length."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import Runs, pieces

Line = Runs
"""One line, piece by piece."""


class LineView(ScrollView):
    """Lines that don't wrap; the arrows scroll both ways."""

    DEFAULT_CSS = """
    LineView { height: 1fr; background: transparent; scrollbar-size: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "up", show=False, id="lines.up"),
        Binding("down,j", "scroll_down", "down", show=False, id="lines.down"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._widest = 0

    def show(self, lines: Sequence[Line]) -> None:
        """Show these, from the first."""
        self._lines = lines
        self._widest = max((sum(cell_len(text) for text, _ in line) for line in lines), default=0)
        self._lay_out()
        self.scroll_to(0, 0, animate=False)

    def _lay_out(self) -> None:
        self.virtual_size = Size(max(self._widest, self.size.width), len(self._lines))
        self.refresh()

    def on_resize(self) -> None:
        """Keep the width."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        width, index = self.size.width, self.scroll_offset.y + y
        if not 0 <= index < len(self._lines):
            return Strip.blank(width, self.rich_style)
        segments = [Segment(*piece) for piece in pieces(self._lines[index], look(self).palette)]
        left = self.scroll_offset.x
        line = Strip(segments).adjust_cell_length(max(self._widest, width))
        return line.crop(left, left + width).apply_style(self.rich_style)
