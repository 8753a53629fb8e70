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
        self._compared_strips: dict[int, Strip] = {}
        """Lines that were drawn to be compared, and are not painted yet."""
        self._changed_lines: set[int] = set()
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
        strip = self._compared_strips.pop(y, None)
        self._painted[y] = strip if strip is not None else self.line(y)
        return self._painted[y]

    def draw_again(self, lines: Iterable[int] | None = None) -> None:
        """Have those cells drawn that differ from what was painted last, once for all that changes at a time.

        Args:
            lines: Those that may differ; any may if None.
        """
        waiting = bool(self._changed_lines)
        self._changed_lines |= self._painted.keys() if lines is None else self._painted.keys() & set(lines)
        if self._changed_lines and not waiting:
            self.call_next(self._refresh_changed_cells)

    def _refresh_changed_cells(self) -> None:
        changed_lines, self._changed_lines = self._changed_lines, set()
        for y in changed_lines & self._painted.keys():
            now = self.line(y)
            span = difference(self._painted[y], now)
            if span is None:
                self._compared_strips.pop(y, None)
            else:
                self._compared_strips[y] = now
                self.refresh(Region(span[0], y, span[1], 1))

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Have all of it drawn, or some of it; all of it is drawn from what is known then."""
        if not regions:
            self._compared_strips.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Look the ground up anew: the theme may be another."""
        self._ground = None
        super().notify_style_update()

    def on_resize(self) -> None:
        """What was painted lies elsewhere now."""
        self._painted.clear()
        self.refresh()
