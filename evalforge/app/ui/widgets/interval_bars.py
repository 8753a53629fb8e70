"""Figures as bars, each with its confidence interval over other submissions of the same kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, brief, fit, strip
from evalforge.calibration.figures import Figure
from evalforge.model.number_format import format_percent, round_percent
from evalforge.model.text import clean_line

_FIGURE_WIDTH, _SHORTEST_BAR = 17, 12


@dataclass(frozen=True)
class IntervalBar:
    """One figure between 0 and 1; ``is_share`` makes it a percentage. A value of None leaves a line blank."""

    name: str
    figure: Figure
    is_share: bool = True
    is_head: bool = False


class IntervalBars(Widget):
    """One line for each bar."""

    DEFAULT_CSS = """
    IntervalBars { height: auto; }
    """
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._bars: list[IntervalBar | None] = []

    def show(self, bars: Sequence[IntervalBar | None]) -> None:
        """Show a bar for each of these figures."""
        self._bars = list(bars)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line for each bar."""
        return len(self._bars)

    def render_line(self, y: int) -> Strip:
        """Draw one figure: its label, its interval and its value."""
        width = self.size.width
        bar = self._bars[y] if y < len(self._bars) else None
        if bar is None:
            return strip([("", Style())], width, self.rich_style)
        palette = look(self).palette
        longest = max(cell_len(clean_line(bar.name)) for bar in self._bars if bar)
        name = min(longest, max(10, width - _FIGURE_WIDTH - 4 - _SHORTEST_BAR))
        ink = palette.style("ash" if bar.is_head else "dim", bold=bar.is_head)
        pieces: list[Piece] = [(fit(brief(clean_line(bar.name), name), name), ink), ("  ", Style())]
        interval_width = width - name - _FIGURE_WIDTH - 4
        if bar.figure.value is None:
            pieces.append(
                (
                    fit("nothing to compare it with" if interval_width > 24 else "n/a", interval_width),
                    palette.style("faint"),
                )
            )
        else:
            pieces += self._cells(bar.figure, interval_width)
            pieces += [("  ", Style()), *self._figure_words(bar)]
        return strip(pieces, width, self.rich_style)

    def _cells(self, figure: Figure, width: int) -> list[Piece]:
        """Draw a solid bar up to the interval, a thin line through it, and a mark at the value."""
        palette, glyphs = look(self).palette, look(self).glyphs
        value = min(max(figure.value or 0.0, 0.0), 1.0)
        low, high = (figure.interval.low, figure.interval.high) if figure.interval else (value, value)
        at, start, end = (round(min(max(share, 0.0), 1.0) * (width - 1)) for share in (value, low, high))
        cells: list[Piece] = []
        for x in range(width):
            if x == at:
                cells.append((glyphs.diamond, palette.style("flash" if palette.dark else "ash", bold=True)))
            elif start <= x <= end:
                cells.append((glyphs.rule, palette.style("ember", bold=True)))
            elif x < start:
                cells.append((glyphs.bar, palette.style("molten")))
            else:
                cells.append((glyphs.dot, palette.style("faint")))
        return cells

    def _figure_words(self, bar: IntervalBar) -> list[Piece]:
        palette, figure = look(self).palette, bar.figure
        assert figure.value is not None
        if bar.is_share:
            value = format_percent(figure.value)
            span = (
                f"{round_percent(figure.interval.low)}-{round_percent(figure.interval.high)}" if figure.interval else ""
            )
        else:
            value = f"{figure.value + 0:.2f}"
            span = f"{figure.interval.low + 0:.2f}-{figure.interval.high + 0:.2f}" if figure.interval else ""
        return [(f"{value:>6}", palette.style("ash", bold=True)), (f"  {span}", palette.style("dim"))]
