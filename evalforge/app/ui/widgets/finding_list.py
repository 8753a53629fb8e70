"""Where something was found: under each file one line for each place; the one under the cursor is shown beside it."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import fit_runs, mark_code, pieces
from evalforge.app.ui.widgets.painting import Piece, fit_ends, strip
from evalforge.model.evidence import Finding
from evalforge.model.text import clean_line

_MOST = 8


class FindingList(ScrollView, inherit_bindings=False):
    """Findings of one criterion. Sides and pages are its screen's to turn."""

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
        self._lines: tuple[int | str, ...] = ()
        """What each line says: the index of a finding, or the file of those below it."""

    def show(self, findings: Sequence[Finding]) -> None:
        """List these; those of one file should stand together."""
        self._findings = tuple(findings)
        self._lines = tuple(_lines(self._findings))
        self.set_reactive(FindingList.cursor, 0)
        self.styles.height = max(1, min(_MOST, len(self._lines)))
        self.virtual_size = Size(self.scrollable_content_region.width, max(1, len(self._lines)))
        self.scroll_to(0, 0, animate=False)
        self.refresh()

    @property
    def selection(self) -> Finding | None:
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
        y = self._lines.index(self.cursor) if self.cursor in self._lines else 0
        # The file is kept in sight with its first finding.
        above = 1 if y and isinstance(self._lines[y - 1], str) else 0
        self.scroll_to_region(Region(0, y - above, 1, 1 + above), animate=False, force=True)
        self.refresh()
        self.post_message(self.Pointed())

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked."""
        y = event.get_content_offset_capture(self).y + self.scroll_offset.y
        index = self._lines[y] if 0 <= y < len(self._lines) else ""
        if isinstance(index, int):
            self.cursor = index

    def on_resize(self) -> None:
        """Keep the width."""
        self.virtual_size = Size(self.scrollable_content_region.width, max(1, len(self._lines)))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        here, width = look(self), self.scrollable_content_region.width
        at = self.scroll_offset.y + y
        if not self._findings and y == 0:
            return strip([("   Nothing points at a line.", here.palette.style("dim"))], width, self.rich_style)
        if not 0 <= at < len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[at]
        # A cell of air before the scrollbar.
        room = width - (1 if len(self._lines) > self.size.height else 0)
        if isinstance(line, str):
            name = fit_ends(line, room - 1, here.glyphs.ellipsis)
            return strip([(" ", Style()), (name, here.palette.style("steel"))], width, self.rich_style)
        base = self.rich_style
        if line == self.cursor and self.has_focus:
            base += here.palette.style("", on="raised")
        return strip(self._pieces(line, room), width, base)

    def _pieces(self, index: int, width: int) -> list[Piece]:
        here, finding, at_cursor = look(self), self._findings[index], index == self.cursor
        digits = max((len(str(one.line)) for one in self._findings if one.path and one.line), default=0)
        number = f"{finding.line or '':>{digits}}  " if finding.path and digits else ""
        room = max(1, width - 3 - len(number))
        words = fit_runs(mark_code(finding.message, "ash" if at_cursor else "dim"), room, here.glyphs.ellipsis)
        return [
            (f" {here.glyphs.cursor if at_cursor else ' '} ", here.palette.style("ember", bold=True)),
            (number, here.palette.style("steel", bold=at_cursor)),
            *pieces(words, here.palette),
        ]


def _lines(findings: Sequence[Finding]) -> Iterator[int | str]:
    """Files, each above what was found in it, and findings of no file without one."""
    path = ""
    for index, finding in enumerate(findings):
        if finding.path != path:
            path = finding.path
            if path:
                yield clean_line(path)
        yield index
