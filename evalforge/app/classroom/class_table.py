"""The class as a table: a line for each row, a column for each criterion."""

from functools import cache, partial

from rich.cells import cell_len

from evalforge.app.classroom.class_state import RowState, first_words, status_glyph, status_role, status_word
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean_line

_VERDICT_CELLS, _SCORE_CELLS, _CHANGE_CELLS = 11, 8, 6
_MIN_LEVEL_CELLS, _MAX_LEVEL_CELLS = 6, 15
_MIN_NAME_CELLS, _MAX_NAME_CELLS = 14, 30
_MIN_REMARK_CELLS = 24


class Columns:
    """The table's columns; their widths fill a given total width.

    Args:
        snapshot: The rows to show; the criteria of their rubric become columns.
        width: The total width.
    """

    def __init__(self, snapshot: ClassSnapshot, width: int) -> None:
        self._order = snapshot.row_filter.order
        titles = (clean_line(row_state.title) for row_state in snapshot.row_states)
        criteria = snapshot.class_state.rubric.criteria
        free_width = width - 2 - _VERDICT_CELLS - _SCORE_CELLS - _CHANGE_CELLS
        level_width = (free_width - _MIN_NAME_CELLS) // max(1, len(criteria))
        self._level = max(_MIN_LEVEL_CELLS, min(_MAX_LEVEL_CELLS, level_width))
        self._criteria = criteria[: max(0, (free_width - _MIN_NAME_CELLS) // self._level)]
        free_width -= self._level * len(self._criteria)
        longest = max(map(cell_len, titles), default=0)
        self._name = max(_MIN_NAME_CELLS, min(_MAX_NAME_CELLS, free_width, longest + 2))
        free_width -= self._name
        self._remark = free_width if free_width >= _MIN_REMARK_CELLS else 0

    def head(self) -> Line:
        """The column headings; the sorted column is bright."""

        def heading(text: str, *orders: str) -> Run:
            return text, "bold ash" if self._order in orders else "dim"

        labels = [fit(first_words(criterion.label, self._level - 1), self._level - 1) for criterion in self._criteria]
        return (
            ("  ", "dim"),
            heading(fit("name", self._name), "name"),
            heading(fit("verdict", _VERDICT_CELLS)),
            heading(f"{'total':>{_SCORE_CELLS - 2}}  ", "best first", "worst first"),
            *(heading(f"{label} ", criterion.id) for criterion, label in zip(self._criteria, labels, strict=True)),
            heading(fit("since", _CHANGE_CELLS)),
        )

    def line(self, row_state: RowState, glyphs: Glyphs) -> Line:
        """Draw a row of the class as one line of cells."""
        row, result = row_state.row, row_state.result
        status = row_state.status
        line: list[Run] = [
            (f"{status_glyph(status, glyphs)} ", f"bold {status_role(status)}"),
            (fit(clean_line(row_state.title), self._name - 1, glyphs.ellipsis) + " ", "ash" if row else "dim"),
            (fit(status_word(status), _VERDICT_CELLS), status_role(status)),
        ]
        if row is not None and result is None:
            reason_width = _SCORE_CELLS + self._level * len(self._criteria) + _CHANGE_CELLS + self._remark
            return (*line, (fit(clean_line(row_state.reason), reason_width, glyphs.ellipsis), "dim"))
        total = format_number(row_state.total) if result or row_state.scores else ""
        line.append((f"{total:>{_SCORE_CELLS - 2}}  ", "bold ash" if result else "molten"))
        line += [self._level_cell(row_state, criterion, glyphs) for criterion in self._criteria]
        return (*line, _change_cell(row_state), (fit(_remark(row_state), self._remark, glyphs.ellipsis), "dim"))

    def _level_cell(self, row_state: RowState, criterion: Criterion, glyphs: Glyphs) -> Run:
        score = row_state.level_of(criterion.id)
        if score is None:
            return " " * self._level, "faint"
        cell = glyphs.pips(score, criterion.max_score)
        if self._level >= _MIN_LEVEL_CELLS + 3:
            cell += f" {format_number(score)}"
        cell += glyphs.diamond if criterion.id in row_state.overridden_ids else ""
        role = "molten" if score >= criterion.max_score else "ash" if score > criterion.min_score else "steel"
        return fit(cell, self._level - 1) + " ", role


def table_rows(snapshot: ClassSnapshot, glyphs: Glyphs) -> list[Row]:
    """List every row of the class as a line of cells."""
    columns_of_width = cache(partial(Columns, snapshot))

    def table_row(row_state: RowState) -> TabRow:
        return TabRow(
            row_state.row_id,
            lambda width: (columns_of_width(width).line(row_state, glyphs),),
            shut=not row_state.attempt_id,
            selected_ids=(row_state.row_id,),
        )

    return [*map(table_row, snapshot.row_states)] or [message_row("Nobody matches.")]


def _change_cell(row_state: RowState) -> Run:
    """The change of the score since the previous attempt, and a mark for a row that a person should look at."""
    row = row_state.row
    flag = "!" if row and row.flags else ""
    if row is None or not row.has_changed or row.earlier is None or row.judged is None:
        return fit(flag, _CHANGE_CELLS), "bold blood"
    change = row.judged.score_total - row.earlier.score_total
    role = "verdigris" if change > 0 else "blood" if change < 0 else "dim"
    return fit(f"{format_signed(change)}{flag}", _CHANGE_CELLS), role


def _remark(row_state: RowState) -> str:
    """The text of the last column: what deserves attention."""
    row = row_state.row
    if row is None:
        done, planned = row_state.trials
        return f"{done} of {planned} trials" if row_state.is_judging and planned else ""
    parts = list(map(clean_line, row.flags))
    if row_state.overridden_ids and row.judged:
        parts.insert(0, f"judged {format_number(row.judged.score_total)}")
    if not parts and row.fresh and row.seconds:
        parts = [f"{row.seconds:.1f} s"]
    return "; ".join(parts)
