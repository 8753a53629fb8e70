"""A widget that draws its own lines, and of those only the cells that look different now."""

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.widgets.paint import difference


class Drawn(Widget):
    """What moves mostly stands still; every cell that is drawn again costs the terminal and us."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._painted: dict[int, Strip] = {}

    def line(self, y: int) -> Strip:
        """One line as it is to look now."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Draw one line, and remember it."""
        self._painted[y] = self.line(y)
        return self._painted[y]

    def draw_again(self) -> None:
        """Have those cells drawn that differ from what was painted last."""
        for y, before in self._painted.items():
            apart = difference(before, self.line(y))
            if apart is not None:
                self.refresh(Region(apart[0], y, apart[1], 1))

    def on_resize(self) -> None:
        """What was painted lies elsewhere now."""
        self._painted.clear()
        self.refresh()
