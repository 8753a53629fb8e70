"""A widget that draws its own lines, and of those only the cells that look different now."""

from collections.abc import Iterable
from typing import Self

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.widgets.painting import difference


class PaintedWidget(Widget):
    """What moves mostly stands still; every cell that is drawn again costs the terminal and us."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._painted: dict[int, Strip] = {}
        self._ahead: dict[int, Strip] = {}
        """Lines that were drawn to be compared, and are not painted yet."""
        self._due: set[int] = set()
        self._ground: Style | None = None

    @property
    def ground(self) -> Style:
        """The style below everything, worked out once: it is asked for on every line of every frame."""
        if self._ground is None:
            self._ground = self.rich_style
        return self._ground

    def line(self, y: int) -> Strip:
        """One line as it is to look now."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Draw one line, and remember it."""
        ahead = self._ahead.pop(y, None)
        self._painted[y] = ahead if ahead is not None else self.line(y)
        return self._painted[y]

    def draw_again(self, lines: Iterable[int] | None = None) -> None:
        """Have those cells drawn that differ from what was painted last, once for all that changes at a time.

        Args:
            lines: Those that may differ; any may if None.
        """
        waiting = bool(self._due)
        self._due |= self._painted.keys() if lines is None else self._painted.keys() & set(lines)
        if self._due and not waiting:
            self.call_next(self._compare)

    def _compare(self) -> None:
        due, self._due = self._due, set()
        for y in due & self._painted.keys():
            now = self.line(y)
            apart = difference(self._painted[y], now)
            if apart is None:
                self._ahead.pop(y, None)
            else:
                self._ahead[y] = now
                self.refresh(Region(apart[0], y, apart[1], 1))

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Have all of it drawn, or some of it; all of it is drawn from what is known then."""
        if not regions:
            self._ahead.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Another theme, another ground."""
        self._ground = None
        super().notify_style_update()

    def on_resize(self) -> None:
        """What was painted lies elsewhere now."""
        self._painted.clear()
        self.refresh()
