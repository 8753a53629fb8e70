"""One cell of the wall: glyph, name and score, and the bar; larger cells also describe the state in words."""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from evalforge.app.classroom.class_state import JUDGING, WAITING, RowState
from evalforge.app.classroom.row_status import status_glyph, status_role, status_word
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece, fit, fit_ends
from evalforge.app.ui.widgets.small_hp_bar import SmallHpBar, thick, thin
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_SCORE_CELLS = 8
_SCORE_CELLS_DENSE = 6
_ROOMY = 28
"""A cell of one line and at least this width has room for a name next to a long bar."""
_CONTENTS = {2: ("thin",), 3: ("thick",), 4: ("thick", "status"), 5: ("thick", "thick", "status")}
"""What cells of each height show below name and score; a row without a score has only its status there."""


@dataclass(frozen=True)
class CellFace:
    """The current appearance of a row."""

    row_state: RowState
    bar: SmallHpBar
    maximum: float
    accent: str

    @property
    def is_scoreless(self) -> bool:
        """Whether the row is settled without a score."""
        return self.row_state.row is not None and self.row_state.result is None


def draw_cell(
    face: CellFace, part: int, height: int, width: int, current_look: Look, *, at_cursor: bool
) -> list[Piece]:
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
        return _dense_cell(face, width, current_look, at_cursor=at_cursor)
    if part == 0:
        head = _name_pieces(face.row_state, width - 2 - _SCORE_CELLS, current_look, at_cursor=at_cursor)
        return [*head, _score_piece(face, _SCORE_CELLS, current_look)]
    contents = ("status",) if face.is_scoreless else _CONTENTS[height]
    if part > len(contents):
        return [(" ", Style())] if part < height - 1 else []
    if contents[part - 1] == "status":
        status_text = fit(_status_text(face.row_state), width - 2, current_look.glyphs.ellipsis)
        return [(f"  {status_text}", current_look.palette.style("dim"))]
    draw_bar = thin if contents[part - 1] == "thin" else thick
    return [("  ", Style()), *draw_bar(face.bar, width - 2, face.accent, current_look)]


def _dense_cell(face: CellFace, width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    """Draw a cell of one line: name, bar and score."""
    bar_width = max(4, min(14, width // (3 if width >= _ROOMY else 4)))
    head = _name_pieces(face.row_state, width - 3 - bar_width - _SCORE_CELLS_DENSE, current_look, at_cursor=at_cursor)
    if face.is_scoreless:
        text = fit(status_word(face.row_state.status), bar_width + _SCORE_CELLS_DENSE, current_look.glyphs.ellipsis)
        return [*head, (f" {text}", current_look.palette.style(status_role(face.row_state.status)))]
    bar = thin(face.bar, bar_width, face.accent, current_look)
    return [*head, (" ", Style()), *bar, _score_piece(face, _SCORE_CELLS_DENSE, current_look)]


def _name_pieces(row_state: RowState, width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    status = row_state.status
    role = "dim" if status in (WAITING, "absent") and not at_cursor else "ash"
    name = fit_ends(clean_line(row_state.title), max(1, width), current_look.glyphs.ellipsis)
    mark = (f"{status_glyph(status, current_look.glyphs)} ", current_look.palette.style(status_role(status), bold=True))
    return [mark, (name, current_look.palette.style(role, bold=at_cursor))]


def _score_piece(face: CellFace, width: int, current_look: Look) -> Piece:
    row_state, palette = face.row_state, current_look.palette
    if face.is_scoreless:
        return f"{status_word(row_state.status):>{width}}"[-width:], palette.style(status_role(row_state.status))
    if row_state.row is None and not row_state.scores:
        return " " * width, palette.style("faint")
    score = f"{format_number(row_state.total)}/{format_number(face.maximum)}"
    if cell_len(score) > width - 1:
        score = format_number(round(row_state.total, 1))
    is_final = row_state.result is not None
    return f"{score:>{width}}"[-width:], palette.style("ash" if is_final else "molten", bold=is_final)


def _status_text(row_state: RowState) -> str:
    """Describe the row's state in words."""
    row, (done, planned) = row_state.row, row_state.trials
    if row is None:
        if row_state.status != JUDGING:
            return "waiting"
        return f"{done} of {planned} trials" if planned else "reading"
    if row_state.result is None:
        return clean_line(row_state.reason)
    by_hand = ", set by a person" if row_state.overridden_ids else ""
    return f"{status_word(row_state.status)}{by_hand}"
