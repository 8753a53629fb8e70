"""A file with important lines marked in the gutter; only visible lines are drawn."""

from collections.abc import Mapping

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip

from evalforge.app.ui.text.styled_text import Runs
from evalforge.app.ui.text.syntax import SyntaxHighlighter
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import mark_code, pieces, wrap_runs
from evalforge.app.ui.widgets.line_view import LineScroll
from evalforge.app.ui.widgets.painting import strip

_MARKS = 5
"""The width of the gutter's marks next to the numbers, in cells."""
_DIGITS = 3
_NOTE_LINES = 3


class CodeView(LineScroll):
    """Line numbers, marks, coloured source; findings at a line are shown below it. The screen handles the page keys."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._highlighter: SyntaxHighlighter | None = None
        self._path = ""
        self._marks: dict[int, list[str]] = {}
        self._line = 0
        self._rows: list[tuple[int, Runs]] = []
        """The index of a source line, and a line of its findings; empty for the source line itself."""
        self._widest = 0
        self._is_in_sight = True
        """Whether the requested line has been scrolled into view; a hidden view has no lines yet."""

    def show(self, path: str, text: str, marks: Mapping[int, list[str]], line: int) -> None:
        """Show a file: lines with findings are marked, and those of one line are below it.

        Args:
            path: Its name, which determines the language.
            text: Its content.
            marks: The findings by line, counted from 1.
            line: The line to scroll to, whose findings are shown.
        """
        if self._highlighter is None or path != self._path or "\n".join(self._highlighter.plain_lines) != text:
            self._highlighter = SyntaxHighlighter(path, text)
        self._path, self._marks, self._line, self._is_in_sight = path, dict(marks), line, False
        self._widest = max((cell_len(row) for row in self._highlighter.plain_lines), default=0)
        self.arrange_lines()
        self.call_after_refresh(self._scroll_to_line)

    def on_resize(self) -> None:
        """Scroll to the line that was requested while the view was hidden."""
        if not self._is_in_sight:
            self.call_after_refresh(self._scroll_to_line)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the page keys to the screen."""
        return action not in ("page_up", "page_down") and super().check_action(action, parameters)

    @property
    def _gutter(self) -> int:
        return _MARKS + max(_DIGITS, len(str(self._highlighter.count if self._highlighter else 0)))

    def lay_out(self, width: int) -> Size:
        """Wrap the notes to the width."""
        self._rows = []
        if self._highlighter is None:
            return Size(width, 0)
        note_width = max(20, min(width - self._gutter - 1, 100))
        for index in range(self._highlighter.count):
            self._rows.append((index, ()))
            if index + 1 == self._line:
                notes = self._marks.get(self._line, [])
                note_lines = [
                    line for note in notes for line in wrap_runs(mark_code(note, "ember"), note_width, _NOTE_LINES)
                ]
                self._rows += [(index, line) for line in note_lines if line]
        # A blank cell after the longest line, or it would touch the scrollbar.
        return Size(max(self._widest + self._gutter + 1, width), len(self._rows))

    def _scroll_to_line(self) -> None:
        """Scroll the requested line to a third of the height."""
        self._is_in_sight = bool(self._rows)
        row = next((y for y, (index, _) in enumerate(self._rows) if index + 1 == self._line), 0)
        self.scroll_to(0, max(0, row - self.size.height // 3), animate=False, force=True)
        self.scroll_to_region(Region(0, row, 1, 2), animate=False, force=True)
        self.call_after_refresh(self._align_scrollbar)

    def _align_scrollbar(self) -> None:
        """Update a scrollbar that was hidden while the view scrolled and would otherwise stay at the top."""
        self.vertical_scrollbar.position = self.scroll_y

    def render_line(self, y: int) -> Strip:
        """Draw one line; its gutter stays while the code scrolls sideways."""
        here, width, gutter, base = look(self), self.line_width, self._gutter, self.rich_style
        at = self.scroll_offset.y + y
        if not 0 <= at < len(self._rows):
            return Strip.blank(width, base)
        index, note = self._rows[at]
        if note:
            margin = ((" " * (gutter - 2), ""), (f"{here.glyphs.hairline} ", "ember"))
            return strip(pieces((*margin, *note), here.palette), width, base)
        number = index + 1
        has_notes, ink = number in self._marks, "faint"
        if number == self._line:
            base, ink = base + here.palette.style("", on="raised"), "bold ash"
        head = (
            (f" {here.glyphs.cursor if has_notes else ' '}", "bold blood" if has_notes else "bold faint"),
            (f"{number:>{gutter - _MARKS}} ", ink),
            (f"{here.glyphs.hairline if has_notes else ' '} ", "ember"),
        )
        return Strip.join([strip(pieces(head, here.palette), gutter, base), self._code(index, width - gutter, base)])

    def _code(self, index: int, width: int, base: Style) -> Strip:
        """The visible part of a line, with a sign if it continues beyond the edge."""
        assert self._highlighter is not None
        here, first_column, code_width = look(self), self.scroll_offset.x, width - 1
        line = strip(pieces(tuple(self._highlighter.line(index)), here.palette), self._widest, Style())
        goes_on = cell_len(self._highlighter.plain_lines[index].rstrip()) > first_column + code_width
        line = line.crop(first_column, first_column + code_width - goes_on)
        if goes_on:
            line = Strip.join([line, Strip([Segment(here.glyphs.ellipsis, here.palette.style("dim"))])])
        return line.apply_style(base).adjust_cell_length(width, base)
