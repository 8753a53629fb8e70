"""A file with the lines that matter marked in the gutter; only what is seen is drawn."""

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ink import Ink
from evalforge.app.look import look
from evalforge.app.widgets.paint import Piece, strip, wrap
from evalforge.model.text import clean_line

_GUTTER = 8
_NOTE_LINES = 3


class CodeView(ScrollView):
    """Line numbers, marks, coloured source; what was found at a line is told below it."""

    DEFAULT_CSS = """
    CodeView { height: 1fr; background: transparent; scrollbar-size: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "up", show=False, id="code.up"),
        Binding("down,j", "scroll_down", "down", show=False, id="code.down"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._ink: Ink | None = None
        self._path = ""
        self._marks: dict[int, list[str]] = {}
        self._line = 0
        self._rows: list[tuple[int, str]] = []
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
            self._ink = Ink(path, text)
        self._path, self._marks, self._line = path, dict(marks), line
        self._widest = max((cell_len(row) for row in self._ink.plain), default=0)
        self._lay_out()
        self.call_after_refresh(self._bring)

    def _lay_out(self) -> None:
        if self._ink is None:
            return
        room = max(20, min(self.size.width - _GUTTER - 2, 100))
        self._rows = []
        for index in range(self._ink.count):
            self._rows.append((index, ""))
            if index + 1 == self._line:
                notes = self._marks.get(self._line, [])
                told = [line for note in notes for line in wrap(clean_line(note, cap=600), room, _NOTE_LINES)]
                self._rows += [(index, line) for line in told if line]
        self.virtual_size = Size(max(self._widest + _GUTTER, self.size.width), len(self._rows))
        self.refresh()

    def _bring(self) -> None:
        """The line in question goes a third of the way down."""
        row = next((y for y, (index, _) in enumerate(self._rows) if index + 1 == self._line), 0)
        self.scroll_to(0, max(0, row - self.size.height // 3), animate=False)
        self.scroll_to_region(Region(0, row, 1, 2), animate=False)

    def on_resize(self) -> None:
        """Wrap the notes anew."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        here, width = look(self), self.size.width
        at = self.scroll_offset.y + y
        if self._ink is None or not 0 <= at < len(self._rows):
            return Strip.blank(width, self.rich_style)
        index, note = self._rows[at]
        palette, glyphs = here.palette, here.glyphs
        base = self.rich_style
        if note:
            pieces: list[Piece] = [
                (" " * (_GUTTER - 2), Style()),
                (f"{glyphs.hairline} ", palette.style("ember")),
                (note, palette.style("ember")),
            ]
            return strip(pieces, width, base)
        number = index + 1
        marked, chosen = number in self._marks, number == self._line
        if chosen:
            base += palette.style("", on="raised")
        pieces = [
            (f" {glyphs.cursor if marked else ' '}", palette.style("blood" if marked else "faint", bold=True)),
            (f"{number:>4}", palette.style("ash" if chosen else "faint", bold=chosen)),
            (f" {glyphs.hairline if marked else ' '}", palette.style("ember" if marked else "rule")),
        ]
        code = Strip([*strip([(t, palette.style(role)) for t, role in self._ink.line(index)], self._widest, Style())])
        left = self.scroll_offset.x
        return Strip.join([
            strip(pieces, _GUTTER, base), code.crop(left, left + width - _GUTTER).apply_style(base),
        ]).adjust_cell_length(width, base)  # fmt: skip
