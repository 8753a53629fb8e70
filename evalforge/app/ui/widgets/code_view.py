"""A file with the lines that matter marked in the gutter; only what is seen is drawn."""

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.text.syntax import SyntaxHighlighter
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import Runs, mark_code, pieces, wrap_runs
from evalforge.app.ui.widgets.painting import Piece, strip

_MARKS = 5
"""Cells of the gutter beside the numbers."""
_DIGITS = 3
_NOTE_LINES = 3


class CodeView(ScrollView, inherit_bindings=False):
    """Line numbers, marks, coloured source; what was found at a line is told below it. Its screen turns pages."""

    DEFAULT_CSS = """
    CodeView { height: 1fr; background: transparent; scrollbar-size: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "up", show=False, id="code.up"),
        Binding("down,j", "scroll_down", "down", show=False, id="code.down"),
        Binding("left", "scroll_left", "left", show=False, id="code.left"),
        Binding("right", "scroll_right", "right", show=False, id="code.right"),
        Binding("home", "scroll_home", "first", show=False, id="code.first"),
        Binding("end", "scroll_end", "last", show=False, id="code.last"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._ink: SyntaxHighlighter | None = None
        self._path = ""
        self._marks: dict[int, list[str]] = {}
        self._line = 0
        self._rows: list[tuple[int, Runs]] = []
        """The index of a line, and a line of what was found there; nothing of that for the line itself."""
        self._widest = 0

    def show(self, path: str, text: str, marks: Mapping[int, list[str]], line: int) -> None:
        """Show a file.

        Args:
            path: Its name, which says the language.
            text: Its content.
            marks: What was found at which line, from 1.
            line: The line to bring into sight.
        """
        if self._ink is None or path != self._path or "\n".join(self._ink.plain) != text:
            self._ink = SyntaxHighlighter(path, text)
        self._path, self._marks, self._line = path, dict(marks), line
        self._widest = max((cell_len(row) for row in self._ink.plain), default=0)
        self._lay_out()
        self.call_after_refresh(self._bring)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where every line is seen to its end, left and right are the screen's."""
        return self.allow_horizontal_scroll if action in ("scroll_left", "scroll_right") else True

    @property
    def _gutter(self) -> int:
        return _MARKS + max(_DIGITS, len(str(self._ink.count if self._ink else 0)))

    def _lay_out(self) -> None:
        if self._ink is None:
            return
        room = max(20, min(self.scrollable_content_region.width - self._gutter - 1, 100))
        self._rows = []
        for index in range(self._ink.count):
            self._rows.append((index, ()))
            if index + 1 == self._line:
                notes = self._marks.get(self._line, [])
                told = [line for note in notes for line in wrap_runs(mark_code(note, "ember"), room, _NOTE_LINES)]
                self._rows += [(index, line) for line in told if line]
        # A cell of air behind the longest line, or it would touch the scrollbar.
        width = self.scrollable_content_region.width
        self.virtual_size = Size(max(self._widest + self._gutter + 1, width), len(self._rows))
        self.refresh()

    def _bring(self) -> None:
        """The line in question goes a third of the way down."""
        row = next((y for y, (index, _) in enumerate(self._rows) if index + 1 == self._line), 0)
        self.scroll_to(0, max(0, row - self.size.height // 3), animate=False, force=True)
        self.scroll_to_region(Region(0, row, 1, 2), animate=False, force=True)

    def on_resize(self) -> None:
        """Wrap the notes anew."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        here, width = look(self), self.scrollable_content_region.width
        at = self.scroll_offset.y + y
        if self._ink is None or not 0 <= at < len(self._rows):
            return Strip.blank(width, self.rich_style)
        index, note = self._rows[at]
        palette, glyphs, base, gutter = here.palette, here.glyphs, self.rich_style, self._gutter
        if note:
            margin = [(" " * (gutter - 2), Style()), (f"{glyphs.hairline} ", palette.style("ember"))]
            return strip([*margin, *pieces(note, palette)], width, base)
        number = index + 1
        has_notes, chosen = number in self._marks, number == self._line
        if chosen:
            base += palette.style("", on="raised")
        head: list[Piece] = [
            (f" {glyphs.cursor if has_notes else ' '}", palette.style("blood" if has_notes else "faint", bold=True)),
            (f"{number:>{gutter - _MARKS}} ", palette.style("ash" if chosen else "faint", bold=chosen)),
            (f"{glyphs.hairline if has_notes else ' '} ", palette.style("ember")),
        ]
        return Strip.join([strip(head, gutter, base), self._code(index, width - gutter, base)])

    def _code(self, index: int, width: int, base: Style) -> Strip:
        """The part of a line that is in sight; where it goes on behind the edge, that is said."""
        assert self._ink is not None
        here, left, room = look(self), self.scroll_offset.x, width - 1
        ink = [(text, here.palette.style(role)) for text, role in self._ink.line(index)]
        line = strip(ink, self._widest, Style())
        if cell_len(self._ink.plain[index].rstrip()) > left + room:
            shown = [
                line.crop(left, left + room - 1),
                Strip([Segment(here.glyphs.ellipsis, here.palette.style("dim"))]),
            ]
            line = Strip.join(shown)
        else:
            line = line.crop(left, left + room)
        return line.apply_style(base).adjust_cell_length(width, base)
