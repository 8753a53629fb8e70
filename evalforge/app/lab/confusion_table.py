"""Which levels a judge and the readers gave: one table for each criterion, gold in rows, judged in columns."""

from collections.abc import Sequence

from textual.geometry import Size

from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_view import Line, LineScroll
from evalforge.app.ui.widgets.painting import fit, wrap
from evalforge.calibration.figures import CriterionFigures
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_GAP = 4
_CELL, _WIDEST_CELL = 6, 12
"""The widths of a cell. They are even: one column stays uncoloured, so the rest has a middle for the digit."""
_LABEL, _WIDEST_LABEL = 14, 24
_FAINTEST, _STRONGEST = 0.18, 0.75
"""The least and most colour in a cell's background."""


class ConfusionView(LineScroll):
    """Tables side by side as far as the width allows, then below each other."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._tables: list[tuple[CriterionFigures, tuple[str, ...]]] = []
        self._rows_name, self._columns_name = "gold", "judged"
        self._lines: list[Line] = []
        self._cell, self._label = _CELL, _LABEL

    def show(self, tables: Sequence[tuple[CriterionFigures, tuple[str, ...]]], rows: str, columns: str) -> None:
        """Show these tables, each with the labels of its levels.

        Args:
            tables: One table for each criterion.
            rows: The source of the levels in the rows.
            columns: The source of the levels in the columns.
        """
        self._tables, self._rows_name, self._columns_name = list(tables), rows, columns
        self.arrange_lines()

    def notify_style_update(self) -> None:
        """Redraw the tables in a new theme."""
        super().notify_style_update()
        self.arrange_lines()

    def lay_out(self, width: int) -> Size:
        """Lay the tables out in rows."""
        widest = max((_width(figures) for figures, _ in self._tables), default=1)
        across = max(1, min(3, len(self._tables), (width + _GAP) // (widest + _GAP)))
        most = max((len(labels) for _, labels in self._tables), default=1)
        table_width = (width + _GAP) // across - _GAP
        self._cell = min(
            _WIDEST_CELL, max(_CELL, (table_width - _LABEL - max(0, table_width - widest) // 2) // most // 2 * 2)
        )
        self._label = min(_WIDEST_LABEL, max(_LABEL, table_width - self._cell * most))
        widest = self._label + self._cell * most
        tall = self.size.height >= -(-len(self._tables) // across) * (2 * most + 3)
        self._lines = []
        for start in range(0, len(self._tables), across):
            blocks = [
                self._table(figures, labels, min(widest, width), tall=tall)
                for figures, labels in self._tables[start : start + across]
            ]
            for y in range(max(map(len, blocks))):
                parts = [block[y] if y < len(block) else ((" " * widest, ""),) for block in blocks]
                self._lines.append(tuple(run for part in parts for run in (*part, (" " * _GAP, ""))))
            self._lines.append(())
        return Size(width, len(self._lines))

    def line(self, y: int) -> Line:
        """Draw one line of the tables in a row."""
        return self._lines[y]

    def _table(self, figures: CriterionFigures, labels: tuple[str, ...], width: int, *, tall: bool) -> list[Line]:
        exact = sum(figures.confusion[i][i] for i in range(len(labels)))
        total = sum(map(sum, figures.confusion))
        share = f"{exact} of {total}" if total else "none"
        title = fit(clean_line(figures.label), width - len(share) - 1)
        scores = [format_number(score) for score in figures.levels]
        pad = (" " * max(0, width - self._label - self._cell * len(scores)), "")
        names = (fit(f"{self._rows_name} / {self._columns_name}", self._label), "faint")
        lines: list[Line] = [
            ((f"{title} ", "bold ash"), (share, "verdigris" if exact == total and total else "ember")),
            (names, *((self._centred(score), "dim") for score in scores), pad),
        ]
        for at, label in enumerate(labels):
            lines += self._row(figures, at, f"{scores[at]} {clean_line(label)}", pad, tall=tall)
        return lines

    def _row(self, figures: CriterionFigures, at: int, label: str, pad: Run, *, tall: bool) -> list[Line]:
        """Draw a row of cells; if there is room each has two lines, with its number in the first."""
        row = figures.confusion[at]
        names = [*wrap(label, self._label - 1, 2 if tall else 1), ""]
        first, second = ([(fit(line, self._label), "dim")] for line in names[:2])
        for column, count in enumerate(row):
            is_right = column == at
            if not count:
                first.append((self._centred(look(self).glyphs.dot), "verdigris" if is_right else "faint"))
                second.append((" " * self._cell, ""))
                continue
            ink = self._ink(count / max(1, sum(row)), is_right=is_right)
            cell_text = str(count) if is_right else f"{look(self).glyphs.failed} {count}"
            first += [(cell_text.center(self._cell - 1), ink), (" ", "")]
            second += [(" " * (self._cell - 1), ink), (" ", "")]
        return [(*first, pad), (*second, pad)] if tall else [(*first, pad)]

    def _ink(self, share: float, *, is_right: bool) -> str:
        """The style of a cell with this share of its row."""
        palette, role = look(self).palette, "molten" if is_right else "blood"
        if palette.ansi:
            return f"bold {role}"
        ground = palette.mix("ground", role, _FAINTEST + (_STRONGEST - _FAINTEST) * share)
        bright = "ground" if is_right and 2 * share > 1 else "flash"
        return f"bold {bright if palette.dark else 'ash'} on {ground}"

    def _centred(self, text: str) -> str:
        """Centre text on the coloured parts of the cells, which leave a gap at their right."""
        return text.center(self._cell - 1) + " "


def _width(figures: CriterionFigures) -> int:
    return _LABEL + _CELL * len(figures.levels)
