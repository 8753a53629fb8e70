"""Where a judge put what readers put elsewhere: one table for each criterion, gold in rows, judged in columns."""

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, fit, strip, wrap
from evalforge.calibration.figures import CriterionFigures
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_GAP = 4
_CELL, _WIDEST_CELL = 6, 12
"""Cells are even: what is coloured of them is one less, and a digit stands in its middle."""
_LABEL, _WIDEST_LABEL = 14, 24
_FAINTEST = 0.18


class ConfusionView(ScrollView, inherit_bindings=False):
    """Tables side by side as far as the width allows, then below each other."""

    DEFAULT_CSS = """
    ConfusionView { height: 1fr; background: transparent; scrollbar-size: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "up", show=False, id="confusion.up"),
        Binding("down,j", "scroll_down", "down", show=False, id="confusion.down"),
        Binding("pageup", "page_up", "page up", show=False, id="confusion.page_up"),
        Binding("pagedown", "page_down", "page down", show=False, id="confusion.page_down"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._tables: list[tuple[CriterionFigures, tuple[str, ...]]] = []
        self._rows_name, self._columns_name = "gold", "judged"
        self._lines: list[list[Piece]] = []
        self._cell, self._label = _CELL, _LABEL

    def show(self, tables: Sequence[tuple[CriterionFigures, tuple[str, ...]]], rows: str, columns: str) -> None:
        """Show these tables, each with the labels of its levels.

        Args:
            tables: One for each criterion.
            rows: Who gave the levels in the rows.
            columns: Who gave those in the columns.
        """
        self._tables, self._rows_name, self._columns_name = list(tables), rows, columns
        self._lay_out()

    def on_resize(self) -> None:
        """Lay out anew."""
        self._lay_out()

    def notify_style_update(self) -> None:
        """Draw anew in another theme."""
        super().notify_style_update()
        self._lay_out()

    def _lay_out(self) -> None:
        if not self.is_mounted or not self.size.width:
            return
        width = self.scrollable_content_region.width
        widest = max((_width(figures) for figures, _ in self._tables), default=1)
        across = max(1, min(3, len(self._tables), (width + _GAP) // (widest + _GAP)))
        most = max((len(labels) for _, labels in self._tables), default=1)
        room = (width + _GAP) // across - _GAP
        self._cell = min(_WIDEST_CELL, max(_CELL, (room - _LABEL - max(0, room - widest) // 2) // most // 2 * 2))
        self._label = min(_WIDEST_LABEL, max(_LABEL, room - self._cell * most))
        widest = self._label + self._cell * most
        tall = self.size.height >= -(-len(self._tables) // across) * (2 * most + 3)
        self._lines = []
        for start in range(0, len(self._tables), across):
            blocks = [
                self._table(figures, labels, min(widest, width), tall=tall)
                for figures, labels in self._tables[start : start + across]
            ]
            height = max(len(block) for block in blocks)
            for y in range(height):
                line: list[Piece] = []
                for block in blocks:
                    line += block[y] if y < len(block) else [(" " * widest, Style())]
                    line.append((" " * _GAP, Style()))
                self._lines.append(line)
            self._lines.append([])
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()

    def _table(
        self, figures: CriterionFigures, labels: tuple[str, ...], width: int, *, tall: bool
    ) -> list[list[Piece]]:
        palette = look(self).palette
        exact = sum(figures.confusion[i][i] for i in range(len(labels)))
        total = sum(map(sum, figures.confusion))
        share = f"{exact} of {total}" if total else "none"
        title = fit(clean_line(figures.label), width - len(share) - 1)
        head: list[Piece] = [
            (f"{title} ", palette.style("ash", bold=True)),
            (share, palette.style("verdigris" if exact == total and total else "ember")),
        ]
        scores = [format_number(score) for score in figures.levels]
        names: list[Piece] = [(fit(f"{self._rows_name} / {self._columns_name}", self._label), palette.style("faint"))]
        names += [(self._centred(score), palette.style("dim")) for score in scores]
        pad = (" " * max(0, width - self._label - self._cell * len(scores)), Style())
        lines: list[list[Piece]] = [head, [*names, pad]]
        for at, label in enumerate(labels):
            lines += self._row(figures, at, f"{scores[at]} {clean_line(label)}", pad, tall=tall)
        return lines

    def _row(self, figures: CriterionFigures, at: int, label: str, pad: Piece, *, tall: bool) -> list[list[Piece]]:
        """A row of cells; where there is room each is two lines high, and its number stands in the first."""
        palette, glyphs = look(self).palette, look(self).glyphs
        row = figures.confusion[at]
        most = max(1, sum(row))
        told = [*wrap(label, self._label - 1, 2 if tall else 1), ""]
        first, second = ([(fit(line, self._label), palette.style("dim"))] for line in told[:2])
        for column, count in enumerate(row):
            right = column == at
            if not count:
                first.append((self._centred(glyphs.dot), palette.style("verdigris" if right else "faint")))
                second.append((" " * self._cell, Style()))
                continue
            role = "molten" if right else "blood"
            back = palette.mix("ground", role, _FAINTEST + (0.75 - _FAINTEST) * count / most)
            told = str(count) if right else f"{glyphs.failed} {count}"
            bright = "ground" if right and 2 * count > most else "flash"
            ink = palette.style(bright if palette.dark else "ash", on=back, bold=True)
            if palette.ansi:
                ink = palette.style(role, bold=True)
            first.append((told.center(self._cell - 1), ink))
            first.append((" ", Style()))
            second += [(" " * (self._cell - 1), ink), (" ", Style())]
        lines = [[*first, pad]]
        return [*lines, [*second, pad]] if tall else lines

    def _centred(self, text: str) -> str:
        """Above and between the coloured parts of the cells, which leave a gap at their right."""
        return text.center(self._cell - 1) + " "

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = y + self.scroll_offset.y
        pieces = self._lines[index] if 0 <= index < len(self._lines) else []
        return strip(pieces, self.size.width, self.rich_style)


def _width(figures: CriterionFigures) -> int:
    return _LABEL + _CELL * len(figures.levels)
