"""Where something was found: one line each, the one under the cursor is shown beside it."""

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.look import look
from evalforge.app.widgets.paint import Piece, fit, strip
from evalforge.model.evidence import Finding
from evalforge.model.text import clean_line


class FindingList(ScrollView):
    """Findings of one criterion."""

    DEFAULT_CSS = """
    FindingList { height: auto; max-height: 8; background: transparent; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "finding", key_display="↑↓", id="findings.up"),
        Binding("down,j", "move(1)", "finding", show=False, id="findings.down"),
    ]
    cursor: reactive[int] = reactive(0)

    class Pointed(Message):
        """The cursor stands on another finding."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._findings: tuple[Finding, ...] = ()

    def show(self, findings: Sequence[Finding]) -> None:
        """List these."""
        self._findings = tuple(findings)
        self.set_reactive(FindingList.cursor, 0)
        self.styles.height = max(1, min(8, len(self._findings)))
        self.virtual_size = Size(self.size.width, max(1, len(self._findings)))
        self.scroll_to(0, 0, animate=False)
        self.refresh()

    @property
    def chosen(self) -> Finding | None:
        """The finding under the cursor."""
        return self._findings[self.cursor] if self.cursor < len(self._findings) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing to walk through where there is one or none."""
        return len(self._findings) > 1 if action == "move" else True

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        if self._findings:
            self.cursor = min(max(self.cursor + step, 0), len(self._findings) - 1)

    def watch_cursor(self) -> None:
        """Keep the cursor in sight and tell about it."""
        self.scroll_to_region(Region(0, self.cursor, self.size.width, 1), animate=False)
        self.refresh()
        self.post_message(self.Pointed())

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked."""
        index = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if 0 <= index < len(self._findings):
            self.cursor = index

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        here, width = look(self), self.scrollable_content_region.width
        index = self.scroll_offset.y + y
        if not self._findings and y == 0:
            return strip([("   Nothing points at a line.", here.palette.style("dim"))], width, self.rich_style)
        if not 0 <= index < len(self._findings):
            return Strip.blank(width, self.rich_style)
        finding, at_cursor = self._findings[index], index == self.cursor
        place = clean_line(finding.place)
        room = max(8, min(len(place), width // 2))
        shown = place if len(place) <= room else here.glyphs.ellipsis + place[-(room - 1) :]
        pieces: list[Piece] = [
            (f" {here.glyphs.cursor if at_cursor else ' '} ", here.palette.style("ember", bold=True)),
            (shown, here.palette.style("steel", bold=at_cursor)),
            ("  " if place else "", Style()),
        ]
        rest = width - 5 - len(shown)
        pieces.append((fit(clean_line(finding.message), rest), here.palette.style("ash" if at_cursor else "dim")))
        base = self.rich_style
        if at_cursor and self.has_focus:
            base += here.palette.style("", on="raised")
        return strip(pieces, width, base)
