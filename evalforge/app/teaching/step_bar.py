"""The progress of a lesson: a thin line of steps, with gaps between chapters."""

from collections.abc import Sequence

from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, strip


class StepBar(Widget):
    """Past steps glow, later ones don't; there is a gap between two chapters."""

    DEFAULT_CSS = """
    StepBar { height: 1; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._chapters: tuple[str, ...] = ()
        self._step = 0

    def plan(self, chapters: Sequence[str]) -> None:
        """Set the chapter of each step, in order."""
        self._chapters = tuple(chapters)
        self.refresh()

    def go(self, step: int) -> None:
        """Mark the current step."""
        self._step = step
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a mark for each step."""
        current_look, width, count = look(self), self.size.width, len(self._chapters)
        if not count or y:
            return Strip.blank(width, self.rich_style)
        pieces: list[Piece] = []
        for index, chapter in enumerate(self._chapters):
            size = width * (index + 1) // count - width * index // count
            is_last = index + 1 == count or self._chapters[index + 1] != chapter
            gap = min(size, 2) if is_last and index + 1 < count else 0
            role = "ember" if index == self._step else "faint" if index < self._step else "rule"
            mark = current_look.glyphs.diamond if index == self._step and size > gap else ""
            line = mark + current_look.glyphs.rule * (size - gap - len(mark))
            pieces += [(line, current_look.palette.style(role)), (" " * gap, Style())]
        return strip(pieces, width, self.rich_style)
