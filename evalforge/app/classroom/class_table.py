"""The class as a table: a line for each row, a column for each criterion."""

from collections.abc import Sequence

from rich.cells import cell_len

from evalforge.app.classroom.class_state import RowState
from evalforge.app.classroom.row_order import level_of
from evalforge.app.classroom.row_status import brief, status_role, status_sign, status_word
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean_line

_VERDICT, _SCORE, _MOVE = 11, 8, 6
_COLUMN_LEAST, _COLUMN_MOST = 6, 15
_NAME_LEAST, _NAME_MOST = 14, 30
_NOTE_LEAST = 24


class Columns:
    """The widths of all columns for a given total width.

    Args:
        rubric: The rubric, whose criteria become columns.
        width: The total width.
        longest: The width of the widest name.
    """

    def __init__(self, rubric: BossRubric, width: int, longest: int) -> None:
        self.rubric = rubric
        count = len(rubric.criteria)
        free_width = width - 2 - _VERDICT - _SCORE - _MOVE
        each = max(_COLUMN_LEAST, min(_COLUMN_MOST, (free_width - _NAME_LEAST) // max(1, count)))
        self.criteria = rubric.criteria[: max(0, (free_width - _NAME_LEAST) // each)]
        free_width -= each * len(self.criteria)
        self.name = max(_NAME_LEAST, min(_NAME_MOST, free_width, longest + 2))
        self.each = each
        free_width -= self.name
        self.note = free_width if free_width >= _NOTE_LEAST else 0

    def head(self, order: str) -> Line:
        """The column headings; the sorted column is bright."""
        line: list[Run] = [
            ("  ", "dim"),
            (fit("name", self.name), "bold ash" if order == "name" else "dim"),
        ]
        by_total = order in ("best first", "worst first")
        line += [(fit("verdict", _VERDICT), "dim"), (f"{'total':>{_SCORE - 2}}  ", "bold ash" if by_total else "dim")]
        for criterion in self.criteria:
            label = fit(brief(criterion.label, self.each - 1), self.each - 1) + " "
            line.append((label, "bold ash" if order == criterion.id else "dim"))
        line.append((fit("since", _MOVE), "dim"))
        return tuple(line)

    def line(self, row_state: RowState, glyphs: Glyphs) -> Line:
        """Draw a row of the class as one line of cells."""
        row, result = row_state.row, row_state.result
        status = row_state.status
        line: list[Run] = [
            (f"{status_sign(status, glyphs)} ", f"bold {status_role(status)}"),
            (fit(clean_line(row_state.title), self.name - 1, glyphs.ellipsis) + " ", "ash" if row else "dim"),
            (fit(status_word(status), _VERDICT), status_role(status)),
        ]
        if row is not None and result is None:
            reason_width = _SCORE + self.each * len(self.criteria) + _MOVE + self.note
            return (*line, (fit(clean_line(row_state.reason), reason_width, glyphs.ellipsis), "dim"))
        total = format_number(row_state.total) if result or row_state.scores else ""
        line.append((f"{total:>{_SCORE - 2}}  ", "bold ash" if result else "molten"))
        line += [self._level_cell(row_state, criterion, glyphs) for criterion in self.criteria]
        line.append(self._change_cell(row_state))
        return (*line, (fit(_remark(row_state), self.note, glyphs.ellipsis), "dim")) if self.note else tuple(line)

    def _level_cell(self, row_state: RowState, criterion: Criterion, glyphs: Glyphs) -> Run:
        score = level_of(row_state, criterion.id)
        if score is None:
            return " " * self.each, "faint"
        cell = glyphs.pips(score, criterion.max_score)
        by_hand = _has_override(row_state, criterion.id)
        if self.each >= _COLUMN_LEAST + 3:
            cell += f" {format_number(score)}"
        cell += glyphs.diamond if by_hand else ""
        ink = "molten" if score >= criterion.max_score else "ash" if score > criterion.min_score else "steel"
        return fit(cell, self.each - 1) + " ", ink

    def _change_cell(self, row_state: RowState) -> Run:
        row = row_state.row
        if row is None or not row.has_changed or row.earlier is None or row.judged is None:
            flagged = "!" if row and row.flags else ""
            return fit(flagged, _MOVE), "bold blood"
        change = row.judged.score_total - row.earlier.score_total
        mark = "!" if row.flags else ""
        return fit(
            f"{format_signed(change)}{mark}", _MOVE
        ), "verdigris" if change > 0 else "blood" if change < 0 else "dim"


def longest_name(row_states: Sequence[RowState]) -> int:
    """The width of the widest name."""
    return max((cell_len(clean_line(row_state.title)) for row_state in row_states), default=0)


def table_rows(row_states: Sequence[RowState], rubric: BossRubric, glyphs: Glyphs) -> list[Row]:
    """Return every row as a line."""
    longest = longest_name(row_states)

    def row(row_state: RowState) -> Row:
        def build(width: int) -> Sequence[Line]:
            return (Columns(rubric, width, longest).line(row_state, glyphs),)

        return Row(row_state.row_id, build, shut=not row_state.attempt_id)

    return [row(place) for place in row_states]


def _has_override(row_state: RowState, criterion_id: str) -> bool:
    revised = row_state.row.revised if row_state.row else None
    return revised is not None and any(one.criterion_id == criterion_id for one in revised.in_force)


def _remark(row_state: RowState) -> str:
    """The text of the last column: what deserves attention."""
    row = row_state.row
    if row is None:
        done, planned = row_state.trials
        return f"{done} of {planned} trials" if row_state.judging and planned else ""
    parts = list(map(clean_line, row.flags))
    if row.revised and row.revised.in_force and row.judged:
        parts.insert(0, f"judged {format_number(row.judged.score_total)}")
    if not parts and row.fresh and row.seconds:
        parts = [f"{row.seconds:.1f} s"]
    return "; ".join(parts)
