"""One cell of the wall: sign, name and score, and the bar; larger cells also describe the state in words."""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from evalforge.app.classroom.class_state import JUDGING, WAITING, RowState
from evalforge.app.classroom.row_status import status_role, status_sign, status_word
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece, fit, fit_ends
from evalforge.app.ui.widgets.small_hp_bar import SmallHpBar, thick, thin
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_SCORE = 8
_SCORE_DENSE = 6
_ROOMY = 28
"""A cell of one line and at least this width has room for a name next to a long bar."""


@dataclass(frozen=True)
class CellFace:
    """The current appearance of a row."""

    row_state: RowState
    bar: SmallHpBar
    maximum: float
    accent: str

    @property
    def scoreless(self) -> bool:
        """Whether the row is settled without a score."""
        return self.row_state.row is not None and self.row_state.result is None


def cell(face: CellFace, part: int, height: int, width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    """Draw one line of a cell; empty below its content.

    Args:
        face: The row.
        part: The index of the line within the cell.
        height: The number of lines, with the margin.
        width: The width without the margin.
        current_look: The current look.
        at_cursor: Whether the cursor is on it.
    """
    if height == 1:
        return _dense(face, width, current_look, at_cursor=at_cursor)
    if part == 0:
        return [
            *_head(face.row_state, width - 2 - _SCORE, current_look, at_cursor=at_cursor),
            _score(face, _SCORE, current_look),
        ]
    if height > 4:
        return _high(face, part, width, current_look)
    if part == (1 if face.scoreless else 2) and (height > 3 or face.scoreless):
        return _status_line(face.row_state, width, current_look)
    if part > 1 or face.scoreless:
        return [(" ", Style())] if height > 3 and part < 3 else []
    return [("  ", Style()), *(thin if height == 2 else thick)(face.bar, width - 2, face.accent, current_look)]


def _dense(face: CellFace, width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    """Draw a cell of one line: name, bar and score."""
    bar_width = max(4, min(14, width // (3 if width >= _ROOMY else 4)))
    head = _head(face.row_state, width - 3 - bar_width - _SCORE_DENSE, current_look, at_cursor=at_cursor)
    if face.scoreless:
        text = fit(status_word(face.row_state.status), bar_width + _SCORE_DENSE, current_look.glyphs.ellipsis)
        return [*head, (f" {text}", current_look.palette.style(status_role(face.row_state.status)))]
    bar = thin(face.bar, bar_width, face.accent, current_look)
    return [*head, (" ", Style()), *bar, _score(face, _SCORE_DENSE, current_look)]


def _high(face: CellFace, part: int, width: int, current_look: Look) -> list[Piece]:
    """Draw a bar of two lines, a line of text, then a blank line."""
    if part == (1 if face.scoreless else 3):
        return _status_line(face.row_state, width, current_look)
    if part in (1, 2) and not face.scoreless:
        return [("  ", Style()), *thick(face.bar, width - 2, face.accent, current_look)]
    return [(" ", Style())] if part < 4 else []


def _status_line(row_state: RowState, width: int, current_look: Look) -> list[Piece]:
    return [
        (
            f"  {fit(_status_text(row_state), width - 2, current_look.glyphs.ellipsis)}",
            current_look.palette.style("dim"),
        )
    ]


def _head(row_state: RowState, width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    status = row_state.status
    ink = "dim" if status in (WAITING, "absent") and not at_cursor else "ash"
    name = fit_ends(clean_line(row_state.title), max(1, width), current_look.glyphs.ellipsis)
    mark = (f"{status_sign(status, current_look.glyphs)} ", current_look.palette.style(status_role(status), bold=True))
    return [mark, (name, current_look.palette.style(ink, bold=at_cursor))]


def _score(face: CellFace, width: int, current_look: Look) -> Piece:
    row_state, palette = face.row_state, current_look.palette
    if face.scoreless:
        return f"{status_word(row_state.status):>{width}}"[-width:], palette.style(status_role(row_state.status))
    if row_state.row is None and not row_state.scores:
        return " " * width, palette.style("faint")
    score = f"{format_number(row_state.total)}/{format_number(face.maximum)}"
    if cell_len(score) > width - 1:
        score = format_number(round(row_state.total, 1))
    final = row_state.result is not None
    return f"{score:>{width}}"[-width:], palette.style("ash" if final else "molten", bold=final)


def _status_text(row_state: RowState) -> str:
    """Describe the row's state in words."""
    row, (done, planned) = row_state.row, row_state.trials
    if row is None:
        if row_state.status != JUDGING:
            return "waiting"
        return f"{done} of {planned} trials" if planned else "reading"
    if row_state.result is None:
        return clean_line(row_state.reason)
    by_hand = ", set by a person" if row.revised and row.revised.in_force else ""
    return f"{status_word(row_state.status)}{by_hand}"
