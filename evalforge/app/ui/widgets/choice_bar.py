"""A few choices on one line, chosen by click (the screen has keys for them)."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, strip
from evalforge.model.text import clean_line


class ChoiceBar(Widget):
    """A label, then the choices; those that don't fit are left out."""

    DEFAULT_CSS = """
    ChoiceBar { height: 1; }
    """
    ALLOW_SELECT = False

    class Chosen(Message):
        """Posted when a choice was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, label: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._label = label
        self._choices: list[str] = []
        self._spots: list[tuple[int, int]] = []

    def offer(self, choices: Sequence[str]) -> None:
        """Offer these choices instead of earlier ones."""
        self._choices = [clean_line(choice) for choice in choices]
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the label and the choices."""
        palette, glyphs = look(self).palette, look(self).glyphs
        width = self.size.width
        if y or not self._choices:
            return Strip.blank(width, self.rich_style)
        pieces: list[Piece] = [(f"{self._label}  ", palette.style("dim"))]
        at = cell_len(self._label) + 2
        self._spots = []
        for choice in self._choices:
            end = at + cell_len(choice)
            if end > width and self._spots:
                break
            if self._spots:
                pieces.append((f"  {glyphs.dot}  ", palette.style("faint")))
            pieces.append((choice, palette.style("steel")))
            self._spots.append((at, end))
            at = end + 5
        return strip(pieces, width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Choose the choice that is clicked."""
        at = event.get_content_offset_capture(self).x
        for index, (start, end) in enumerate(self._spots):
            if start <= at < end:
                self.post_message(self.Chosen(index))
