"""The first line of a screen: what it is on the left, how things stand on the right."""

from collections.abc import Sequence

from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import spread
from evalforge.model.text import clean_line

Words = tuple[str, str, bool]
"""Text, role (or colour), and whether it is bold."""


class Heading(Widget):
    """One line with two ends."""

    DEFAULT_CSS = """
    Heading { height: 1; padding: 0 1; }
    """

    def __init__(self, left: Sequence[Words] = (), right: Sequence[Words] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._left, self._right = list(left), list(right)

    def set_text(self, left: Sequence[Words] | None = None, right: Sequence[Words] | None = None) -> None:
        """Change either end."""
        self._left = list(left) if left is not None else self._left
        self._right = list(right) if right is not None else self._right
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        palette = look(self).palette

        def drawn(words: list[Words]) -> list[tuple[str, object]]:
            return [(clean_line(text), palette.style(_ink(role, self), bold=bold)) for text, role, bold in words]

        return spread(drawn(self._left), drawn(self._right), self.size.width, self.rich_style)  # type: ignore[arg-type]


def _ink(role: str, widget: Heading) -> str:
    """Colours that are no roles are accents of bosses: made to read on this ground."""
    return look(widget).palette.accent(role) if role.startswith("#") else role
