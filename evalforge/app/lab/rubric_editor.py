"""A text of a pack under the hammer: YAML in our inks, and a margin that marks the lines something is said about."""

import re
from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import TextArea

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, strip

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$")
_KEY = re.compile(r"(?:^\s*(?:-\s+)?|[{,]\s*)([\w.\-]+)(?=:(?:\s|$))")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_NUMBER = re.compile(r"(?<=[\s:\[{,])-?\d+(?:\.\d+)?(?=\s*(?:[,}\]#]|$))")


class RubricEditor(TextArea):
    """Textual's editor, indenting by two, without wrapping."""

    DEFAULT_CSS = """
    RubricEditor {
        border: none; padding: 0; background: $ground; color: $ash; scrollbar-size: 0 1; width: 1fr;
    }
    RubricEditor:focus { border: none; }
    RubricEditor .text-area--gutter { color: $faint; background: $ground; }
    RubricEditor .text-area--cursor-gutter { color: $ember; background: $raised; text-style: bold; }
    RubricEditor .text-area--cursor-line { background: $raised; }
    RubricEditor .text-area--selection { background: $rule; }
    RubricEditor .text-area--matching-bracket { background: $rule; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the text takes it for a way to the next widget.
        Binding("escape", "leave", "what moved", priority=True, id="editor.leave"),
    ]

    class Left(Message):
        """Enough was typed."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(
            "", id=id, show_line_numbers=True, soft_wrap=False, tab_behavior="indent", theme="css", max_checkpoints=500
        )
        self.indent_width = 2
        self.cursor_blink = False

    def get_line(self, line_index: int) -> Text:
        """A line with keys, words, numbers and comments apart."""
        line = super().get_line(line_index)
        palette, plain = look(self).palette, line.plain
        for match in _KEY.finditer(plain):
            line.stylize(palette.style("steel"), *match.span(1))
        for match in _NUMBER.finditer(plain):
            line.stylize(palette.style("molten"), *match.span())
        for match in _STRING.finditer(plain):
            line.stylize(palette.style("verdigris"), *match.span())
        for match in _COMMENT.finditer(plain):
            if plain.count('"', 0, match.start()) % 2 == 0:
                line.stylize(palette.style("faint"), *match.span())
        return line

    def action_leave(self) -> None:
        """Let others have the keys."""
        self.post_message(self.Left())

    def go_to(self, line: int) -> None:
        """Put the cursor at the beginning of a line, counted from 1, in the middle of the view."""
        row = min(max(line - 1, 0), self.document.line_count - 1)
        indent = len(self.document.get_line(row)) - len(self.document.get_line(row).lstrip())
        self.move_cursor((row, indent), center=True)


class Margin(Widget):
    """Beside an editor: a mark at each line that something is said about."""

    DEFAULT_CSS = """
    Margin { width: 2; height: 1fr; }
    """
    ALLOW_SELECT = False

    def __init__(self, editor: RubricEditor, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._editor = editor
        self._marks: dict[int, bool] = {}

    def on_mount(self) -> None:
        """Scroll as the editor does."""
        self.watch(self._editor, "scroll_y", self._follow)

    def _follow(self) -> None:
        self.refresh()

    def mark(self, lines: Mapping[int, bool]) -> None:
        """Mark these lines; the value says whether it is a problem, or only worth knowing."""
        self._marks = dict(lines)
        self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Two cells."""
        return 2

    def render_line(self, y: int) -> Strip:
        """Draw one line's mark."""
        here = look(self)
        line = y + self._editor.scroll_offset.y + 1
        pieces: list[Piece] = []
        if line in self._marks:
            is_problem = self._marks[line]
            sign = here.glyphs.failed if is_problem else here.glyphs.empty_pip
            pieces.append((sign, here.palette.style("blood" if is_problem else "steel", bold=True)))
        return strip(pieces, self.size.width, self.rich_style)
