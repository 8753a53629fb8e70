"""Attempts on one boss from left to right: integrity as a plot, and below it each criterion's level as a heat strip."""

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.text.formatting import VERDICT_ROLES
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, brief, fit, strip
from evalforge.model.number_format import format_percent
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.boss_progress import LevelMatrix, ScoredAttempt

_LABEL_LEAST = 20
_UP = " ▁▂▃▄▅▆▇█"


class TryChart(Widget):
    """A column for each attempt; the chosen one is bright."""

    DEFAULT_CSS = """
    TryChart { height: 9; padding: 0 1; }
    """
    chosen: reactive[str] = reactive("")
    """The id of the attempt whose column is highlighted."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._title = ""
        self._matrix: LevelMatrix | None = None
        self._labels: dict[str, str] = {}
        self._line = 0.0

    def show(self, title: str, matrix: "LevelMatrix", labels: dict[str, str], pass_share: float) -> None:
        """Show the attempts on a boss.

        Args:
            title: The boss's title.
            matrix: Criteria by attempts, oldest first.
            labels: The criteria's labels, by id.
            pass_share: The integrity that passes; 0 if unknown.
        """
        self._title, self._matrix, self._labels, self._line = title, matrix, labels, pass_share
        self.refresh()

    @property
    def has_tries(self) -> bool:
        """Whether there is anything to plot; submissions of a class aren't attempts of the player."""
        return self._matrix is not None and bool(self._matrix.attempts)

    @property
    def _tall(self) -> int:
        """The height of the plot in lines: what the heat strip leaves."""
        criteria = len(self._matrix.criteria) if self._matrix else 0
        return max(2, self.size.height - 1 - criteria)

    @property
    def _label(self) -> int:
        """The width of the labels before the plot, which get a third of the chart at most."""
        criteria = self._matrix.criteria if self._matrix else ()
        longest_label = max((cell_len(self._label_of(criterion)) for criterion in criteria), default=0)
        return max(_LABEL_LEAST, min(longest_label + 2, self.size.width // 3))

    def _label_of(self, criterion: str) -> str:
        return clean_line(self._labels.get(criterion, criterion))

    def _columns(self) -> "tuple[list[ScoredAttempt], int]":
        """The attempts that fit, and the width of each column."""
        tries = list(self._matrix.attempts) if self._matrix else []
        plot_width = max(1, self.size.width - self._label - 1)
        wide = next((w for w in (4, 3, 2) if len(tries) * w <= plot_width), 1)
        return tries[-(plot_width // wide) :], wide

    def render_line(self, y: int) -> Strip:
        """Draw one line of the chart: plot, numbers or heat."""
        width = self.size.width
        if self._matrix is None or not self._matrix.attempts:
            return Strip.blank(width, self.rich_style)
        tries, wide = self._columns()
        if y < self._tall:
            pieces = self._plot(y, tries, wide)
        elif y == self._tall:
            pieces = self._feet(tries, wide)
        else:
            pieces = self._heat(y - self._tall - 1, tries, wide)
        return strip(pieces, width, self.rich_style)

    def _plot(self, y: int, tries: "list[ScoredAttempt]", wide: int) -> list[Piece]:
        current_look = look(self)
        palette, rows = current_look.palette, self._tall
        at_line = self._line and rows - 1 - min(rows - 1, int(self._line * rows)) == y
        label = (
            clean_line(self._title)
            if y == 0 and not at_line
            else f"pass at {format_percent(self._line)}"
            if at_line
            else ""
        )
        role = "verdigris" if at_line else "ash"
        pieces: list[Piece] = [(fit(f" {label}", self._label), palette.style(role, bold=y == 0 and not at_line))]
        for attempt in tries:
            eighths = round(attempt.integrity * rows * 8) - (rows - 1 - y) * 8
            glyph = (
                _UP[min(8, max(0, eighths))]
                if current_look.glyphs.block_face
                else (current_look.glyphs.full if eighths > 3 else " ")
            )
            ink = "flash" if attempt.id == self.chosen else VERDICT_ROLES.get(attempt.verdict, "steel")
            if not glyph.strip() and at_line:
                glyph, ink = current_look.glyphs.rule, "faint"
            gap = current_look.glyphs.rule if at_line else " "
            bar = glyph * max(1, wide - 1)
            pieces += [(bar, palette.style(ink)), (gap if wide > 1 else "", palette.style("faint"))]
        return pieces

    def _feet(self, tries: "list[ScoredAttempt]", wide: int) -> list[Piece]:
        """The number of the chosen attempt, below its column."""
        current_look = look(self)
        pieces: list[Piece] = [(" " * self._label, Style())]
        at = next((i for i, attempt in enumerate(tries) if attempt.id == self.chosen), None)
        if at is not None:
            mark = f"{current_look.glyphs.below} #{tries[at].number}  {format_percent(tries[at].integrity)}"
            mark_column = at * wide
            plot_width = len(tries) * wide
            if mark_column + len(mark) > max(plot_width, self.size.width - self._label):
                mark = f"#{tries[at].number}  {format_percent(tries[at].integrity)} {current_look.glyphs.below}"
                mark_column = max(0, mark_column + 1 - len(mark))
            pieces += [(" " * mark_column, Style()), (mark, current_look.palette.style("ash"))]
        return pieces

    def _heat(self, index: int, tries: "list[ScoredAttempt]", wide: int) -> list[Piece]:
        current_look = look(self)
        palette, glyphs = current_look.palette, current_look.glyphs
        matrix = self._matrix
        if matrix is None or index >= len(matrix.criteria):
            return []
        name = matrix.criteria[index]
        pieces: list[Piece] = [
            (fit(f" {brief(self._label_of(name), self._label - 2)}", self._label), palette.style("dim"))
        ]
        for attempt in tries:
            level = attempt.levels.get(name)
            glyph, role = " ", "faint"
            if level is not None:
                share = level[0] / level[1] if level[1] > 0 else 0.0
                glyph, role = (
                    (glyphs.full, "molten") if share >= 1
                    else (glyphs.dot, "blood") if share <= 0
                    else (glyphs.medium if share < 0.67 else glyphs.dense, "ember")
                )  # fmt: skip
            cell = glyph * max(1, wide - 1) + (" " if wide > 1 else "")
            pieces.append((cell, palette.style(role)))
        return pieces
