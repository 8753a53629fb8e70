"""A scrolling column of styled text, wrapped with hanging indents for lists."""

import re
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

_INDENT = re.compile(r"\s*")
_HEAD = re.compile(
    r"\s*(?:"
    r"[\d.]+ [kM]?B {2}"  # a size
    r"|[+-]?\d+(?:[.)] +| {2,})"  # the number of a list or a level
    r"|[·+\-→>★☆] +"  # a mark
    r"|(?:\S+ ){0,4}\S*[^\s.,;:!?] {2,}(?=\S)"  # the first column of a table
    r")"
)
"""What precedes the text of a line."""


def hang(content: Content, width: int) -> Content:
    """Wrap text to a width, with a hanging indent after a number, a mark or a first column."""
    lines: list[Content] = []
    for line in content.split("\n", allow_blank=True):
        indent = _indent(line.plain, width // 2)
        wrapped = line[indent:].wrap(max(8, width - indent)) or [Content("")]
        lines.append(line[:indent] + wrapped[0])
        lines += [Content(" " * indent) + more for more in wrapped[1:]]
    return Content("\n").join(lines)


def _indent(line: str, max_indent: int) -> int:
    """The column at which a line's text begins; if that leaves too little room, where the line begins."""
    ends = [match.end() for pattern in (_HEAD, _INDENT) if (match := pattern.match(line))]
    return next((end for end in ends if end <= max_indent), 0)


class Prose(Widget):
    """A text as high as it needs to be."""

    DEFAULT_CSS = """
    Prose { width: 1fr; height: auto; }
    """

    def __init__(
        self,
        content: Content | None = None,
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._content = content or Content("")

    @property
    def content(self) -> Content:
        """The original text."""
        return self._content

    def set_text(self, content: Content) -> None:
        """Show another text, wrapped to the width."""
        self._content = content
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines of the wrapped text."""
        return self.lines(width)

    def lines(self, width: int) -> int:
        """The number of lines of the text at a width."""
        return len(hang(self._content, width).split("\n", allow_blank=True)) if self._content.plain else 0

    def render(self) -> Content:
        """The text, wrapped to the width."""
        return hang(self._content, max(1, self.size.width))


class Panel(VerticalScroll, inherit_bindings=False):
    """Scrollable text. It leaves left and right to the screen, for its tabs."""

    DEFAULT_CSS = """
    Panel { height: 1fr; background: transparent; scrollbar-size: 0 1; scrollbar-gutter: stable; padding: 0 1 0 0; }
    Panel > Prose { padding: 0 1 0 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "up", show=False, id="panel.up"),
        Binding("down", "scroll_down", "down", show=False, id="panel.down"),
        Binding("pageup", "page_up", "page up", show=False, id="panel.page_up"),
        Binding("pagedown", "page_down", "page down", show=False, id="panel.page_down"),
        Binding("home", "scroll_home", "first", show=False, id="panel.first"),
        Binding("end", "scroll_end", "last", show=False, id="panel.last"),
    ]

    def __init__(self, content: Content | None = None, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._initial_text = content or Content("")

    def compose(self) -> ComposeResult:
        """Compose the text that the panel scrolls."""
        yield Prose(self._initial_text)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The text's height at the width without the scrollbar, which Textual doesn't take into account here."""
        return super().get_content_height(container, viewport, width - self.styles.scrollbar_size_vertical)

    def set_text(self, content: Content) -> None:
        """Show another text, from its beginning."""
        if self.is_mounted:
            self.query_one(Prose).set_text(content)
            self.scroll_home(animate=False)
        else:
            self._initial_text = content
