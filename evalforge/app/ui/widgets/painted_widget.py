"""A widget that draws its own lines, and repaints only the cells whose look has changed."""

from collections.abc import Iterable
from typing import Self

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.widgets.painting import difference


class PaintedWidget(Widget):
    """Most of an animated widget doesn't change; repainting a cell costs time here and in the terminal."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._painted: dict[int, Strip] = {}
        self._compared_strips: dict[int, Strip] = {}
        """Lines that were drawn for a comparison and are not painted yet."""
        self._changed_lines: set[int] = set()
        self._ground: Style | None = None

    @property
    def ground(self) -> Style:
        """The background style, computed once because every line of every frame needs it."""
        if self._ground is None:
            self._ground = self.rich_style
        return self._ground

    def line(self, y: int) -> Strip:
        """Draw one line in its current state."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Draw one line, and store it for later comparisons."""
        strip = self._compared_strips.pop(y, None)
        self._painted[y] = strip if strip is not None else self.line(y)
        return self._painted[y]

    def draw_again(self, lines: Iterable[int] | None = None) -> None:
        """Repaint the cells that differ from what was painted last, once for all simultaneous changes.

        Args:
            lines: The lines that may differ; all if None.
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
        """Repaint all of it or a part; a full repaint discards lines drawn for comparison."""
        if not regions:
            self._compared_strips.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Compute the background again, because the theme may have changed."""
        self._ground = None
        super().notify_style_update()

    def on_resize(self) -> None:
        """Forget the painted lines, because their positions have changed."""
        self._painted.clear()
        self.refresh()
