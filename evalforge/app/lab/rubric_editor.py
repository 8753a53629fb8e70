"""An editor for a pack's text: YAML in our colours, and a margin that marks lines with notes."""

import re
from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
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
    """Textual's editor, indenting by two; long lines are wrapped."""

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
        # Must come before the editor uses it to go to the next widget.
        Binding("escape", "leave", "what moved", priority=True, id="editor.leave"),
    ]

    class Left(Message):
        """Posted when the player wants to leave the editor for the rest of the lab."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(
            "", id=id, show_line_numbers=True, soft_wrap=True, tab_behavior="indent", theme="css", max_checkpoints=500
        )
        self.indent_width = 2
        self.cursor_blink = False

    def get_line(self, line_index: int) -> Text:
        """Style a line's keys, words, numbers and comments differently."""
        line = super().get_line(line_index)
        palette, text = look(self).palette, line.plain
        for match in _KEY.finditer(text):
            line.stylize(palette.style("steel"), *match.span(1))
        for match in _NUMBER.finditer(text):
            line.stylize(palette.style("molten"), *match.span())
        for match in _STRING.finditer(text):
            line.stylize(palette.style("verdigris"), *match.span())
        for match in _COMMENT.finditer(text):
            if text.count('"', 0, match.start()) % 2 == 0:
                line.stylize(palette.style("faint"), *match.span())
        return line

    def action_leave(self) -> None:
        """Give up the focus."""
        self.post_message(self.Left())

    def go_to(self, line: int) -> None:
        """Move the cursor to the start of a line, counted from 1, in the middle of the view."""
        row = min(max(line - 1, 0), self.document.line_count - 1)
        indent = len(self.document.get_line(row)) - len(self.document.get_line(row).lstrip())
        self.move_cursor((row, indent), center=True)


class Margin(Widget):
    """The margin of an editor: a mark at each line with a note."""

    DEFAULT_CSS = """
    Margin { width: 2; height: 1fr; }
    """
    ALLOW_SELECT = False

    def __init__(self, editor: RubricEditor, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._editor = editor
        self._marks: dict[int, bool] = {}

    def on_mount(self) -> None:
        """Follow the editor's scrolling and wrapping."""
        self.watch(self._editor, "scroll_y", self._follow)
        self.watch(self._editor, "virtual_size", self._follow)

    def _follow(self) -> None:
        self.refresh()

    def mark(self, lines: Mapping[int, bool]) -> None:
        """Mark these lines; the value says whether it is a problem, or only a hint."""
        self._marks = dict(lines)
        self.refresh()

    def _line_at(self, row: int) -> int | None:
        """The line, counted from 1, that begins at a row of the editor; None in a wrapped line or below the text."""
        wrapped = self._editor.wrapped_document
        if row >= wrapped.height:
            return None
        line = wrapped.offset_to_location(Offset(0, row))[0]
        begins = row == 0 or wrapped.offset_to_location(Offset(0, row - 1))[0] != line
        return line + 1 if begins else None

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return two cells: a mark and a space."""
        return 2

    def render_line(self, y: int) -> Strip:
        """Draw the mark beside one line of the editor."""
        current_look = look(self)
        line = self._line_at(y + self._editor.scroll_offset.y)
        pieces: list[Piece] = []
        if line in self._marks:
            is_problem = self._marks[line]
            sign = current_look.glyphs.failed if is_problem else current_look.glyphs.empty_pip
            pieces.append((sign, current_look.palette.style("blood" if is_problem else "steel", bold=True)))
        return strip(pieces, self.size.width, self.rich_style)
