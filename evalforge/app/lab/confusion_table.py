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
_CELL_WIDTH, _MAX_CELL_WIDTH = 6, 12
"""The widths of a cell. They are even: one column stays uncoloured, so the rest has a middle for the digit."""
_LABEL_WIDTH, _MAX_LABEL_WIDTH = 14, 24
_LEAST_COLOUR, _MOST_COLOUR = 0.18, 0.75
"""The least and most colour in a cell's background."""


class ConfusionView(LineScroll):
    """Tables side by side as far as the width allows, then below each other."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._tables: list[tuple[CriterionFigures, tuple[str, ...]]] = []
        self._rows_name, self._columns_name = "gold", "judged"
        self._lines: list[Line] = []
        self._cell_width, self._label_width = _CELL_WIDTH, _LABEL_WIDTH

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
        tables_per_row = max(1, min(3, len(self._tables), (width + _GAP) // (widest + _GAP)))
        max_levels = max((len(labels) for _, labels in self._tables), default=1)
        table_width = (width + _GAP) // tables_per_row - _GAP
        self._cell_width = min(
            _MAX_CELL_WIDTH,
            max(_CELL_WIDTH, (table_width - _LABEL_WIDTH - max(0, table_width - widest) // 2) // max_levels // 2 * 2),
        )
        self._label_width = min(_MAX_LABEL_WIDTH, max(_LABEL_WIDTH, table_width - self._cell_width * max_levels))
        widest = self._label_width + self._cell_width * max_levels
        is_tall = self.size.height >= -(-len(self._tables) // tables_per_row) * (2 * max_levels + 3)
        self._lines = []
        for start in range(0, len(self._tables), tables_per_row):
            blocks = [
                self._table(figures, labels, min(widest, width), is_tall=is_tall)
                for figures, labels in self._tables[start : start + tables_per_row]
            ]
            for y in range(max(map(len, blocks))):
                parts = [block[y] if y < len(block) else ((" " * widest, ""),) for block in blocks]
                self._lines.append(tuple(run for part in parts for run in (*part, (" " * _GAP, ""))))
            self._lines.append(())
        return Size(width, len(self._lines))

    def line(self, y: int) -> Line:
        """Draw one line of the tables in a row."""
        return self._lines[y]

    def _table(self, figures: CriterionFigures, labels: tuple[str, ...], width: int, *, is_tall: bool) -> list[Line]:
        exact = sum(figures.confusion[i][i] for i in range(len(labels)))
        total = sum(map(sum, figures.confusion))
        share = f"{exact} of {total}" if total else "none"
        title = fit(clean_line(figures.label), width - len(share) - 1)
        scores = [format_number(score) for score in figures.levels]
        pad = (" " * max(0, width - self._label_width - self._cell_width * len(scores)), "")
        names = (fit(f"{self._rows_name} / {self._columns_name}", self._label_width), "faint")
        lines: list[Line] = [
            ((f"{title} ", "bold ash"), (share, "verdigris" if exact == total and total else "ember")),
            (names, *((self._centred(score), "dim") for score in scores), pad),
        ]
        for row_index, label in enumerate(labels):
            lines += self._row(figures, row_index, f"{scores[row_index]} {clean_line(label)}", pad, is_tall=is_tall)
        return lines

    def _row(self, figures: CriterionFigures, row_index: int, label: str, pad: Run, *, is_tall: bool) -> list[Line]:
        """Draw a row of cells; if there is room each has two lines, with its number in the first."""
        row = figures.confusion[row_index]
        names = [*wrap(label, self._label_width - 1, 2 if is_tall else 1), ""]
        first, second = ([(fit(line, self._label_width), "dim")] for line in names[:2])
        for column, count in enumerate(row):
            is_right = column == row_index
            if not count:
                first.append((self._centred(look(self).glyphs.dot), "verdigris" if is_right else "faint"))
                second.append((" " * self._cell_width, ""))
                continue
            role = self._cell_role(count / max(1, sum(row)), is_right=is_right)
            cell_text = str(count) if is_right else f"{look(self).glyphs.failed} {count}"
            first += [(cell_text.center(self._cell_width - 1), role), (" ", "")]
            second += [(" " * (self._cell_width - 1), role), (" ", "")]
        return [(*first, pad), (*second, pad)] if is_tall else [(*first, pad)]

    def _cell_role(self, share: float, *, is_right: bool) -> str:
        """The style of a cell with this share of its row."""
        palette, role = look(self).palette, "molten" if is_right else "blood"
        if palette.ansi:
            return f"bold {role}"
        ground = palette.mix("ground", role, _LEAST_COLOUR + (_MOST_COLOUR - _LEAST_COLOUR) * share)
        text_role = "ground" if is_right and 2 * share > 1 else "flash"
        return f"bold {text_role if palette.dark else 'ash'} on {ground}"

    def _centred(self, text: str) -> str:
        """Centre text on the coloured parts of the cells, which leave a gap at their right."""
        return text.center(self._cell_width - 1) + " "


def _width(figures: CriterionFigures) -> int:
    return _LABEL_WIDTH + _CELL_WIDTH * len(figures.levels)
