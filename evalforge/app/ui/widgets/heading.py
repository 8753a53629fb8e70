"""The first line of a screen: its title on the left, its status on the right."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.theme.themes import Palette
from evalforge.app.ui.widgets.inline_code import style_of
from evalforge.app.ui.widgets.painting import Piece, spread
from evalforge.model.text import clean_line


class Heading(Widget):
    """One line with two ends."""

    DEFAULT_CSS = """
    Heading { height: 1; padding: 0 1; }
    """

    def __init__(self, left: Sequence[Run] = (), right: Sequence[Run] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._left, self._right = list(left), list(right)

    def set_text(self, left: Sequence[Run] | None = None, right: Sequence[Run] | None = None) -> None:
        """Change the text at the left end, the right end, or both."""
        self._left = list(left) if left is not None else self._left
        self._right = list(right) if right is not None else self._right
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw both ends; the left one is cut if necessary."""
        right_width = sum(cell_len(clean_line(text)) for text, _ in self._right)
        left = self.left_runs(self.size.width - right_width)
        return spread(self._pieces(left), self._pieces(self._right), self.size.width, self.rich_style)

    def left_runs(self, width: int) -> Sequence[Run]:
        """The text at the left end; a subclass may adapt it to the free width."""
        del width
        return self._left

    def _pieces(self, runs: Iterable[Run]) -> list[Piece]:
        palette = look(self).palette
        return [(clean_line(text), style_of(_legible(role, palette), palette)) for text, role in runs]


def _legible(role: str, palette: Palette) -> str:
    """Adjust colours that aren't roles (bosses' accents) to be readable on this background."""
    weight, mark, accent = role.partition("#")
    return f"{weight}{palette.accent(mark + accent)}" if mark else role
