"""One cell of the wall: sign, name and score, and the bar; roomier cells say the rest in words."""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from evalforge.app.classroom.class_state import JUDGING, WAITING, RowState
from evalforge.app.classroom.row_status import role, sign, word
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece, fit, fit_ends
from evalforge.app.ui.widgets.small_hp_bar import SmallHpBar, thick, thin
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_SCORE = 8
_SCORE_DENSE = 6
_ROOMY = 28
"""From this width on a cell of one line has room for a name beside a long bar."""


@dataclass(frozen=True)
class CellFace:
    """A row as it is drawn now."""

    place: RowState
    bar: SmallHpBar
    maximum: float
    accent: str

    @property
    def scoreless(self) -> bool:
        """Whether it is settled without a score."""
        return self.place.row is not None and self.place.result is None


def cell(face: CellFace, part: int, height: int, width: int, here: Look, *, at_cursor: bool) -> list[Piece]:
    """One line of a cell; nothing where it has none.

    Args:
        face: The row.
        part: Which line of the cell.
        height: How many it has, with its margin.
        width: Without its margin.
        here: The look in force.
        at_cursor: Whether the cursor is on it.
    """
    if height == 1:
        return _dense(face, width, here, at_cursor=at_cursor)
    if part == 0:
        return [*_head(face.place, width - 2 - _SCORE, here, at_cursor=at_cursor), _score(face, _SCORE, here)]
    if height > 4:
        return _high(face, part, width, here)
    if part == (1 if face.scoreless else 2) and (height > 3 or face.scoreless):
        return _status_line(face.place, width, here)
    if part > 1 or face.scoreless:
        return [(" ", Style())] if height > 3 and part < 3 else []
    return [("  ", Style()), *(thin if height == 2 else thick)(face.bar, width - 2, face.accent, here)]


def _dense(face: CellFace, width: int, here: Look, *, at_cursor: bool) -> list[Piece]:
    """All on one line."""
    room = max(4, min(14, width // (3 if width >= _ROOMY else 4)))
    head = _head(face.place, width - 3 - room - _SCORE_DENSE, here, at_cursor=at_cursor)
    if face.scoreless:
        words = fit(word(face.place.stand), room + _SCORE_DENSE, here.glyphs.ellipsis)
        return [*head, (f" {words}", here.palette.style(role(face.place.stand)))]
    bar = thin(face.bar, room, face.accent, here)
    return [*head, (" ", Style()), *bar, _score(face, _SCORE_DENSE, here)]


def _high(face: CellFace, part: int, width: int, here: Look) -> list[Piece]:
    """A bar of two lines and a line of words, then air."""
    if part == (1 if face.scoreless else 3):
        return _status_line(face.place, width, here)
    if part in (1, 2) and not face.scoreless:
        return [("  ", Style()), *thick(face.bar, width - 2, face.accent, here)]
    return [(" ", Style())] if part < 4 else []


def _status_line(place: RowState, width: int, here: Look) -> list[Piece]:
    return [(f"  {fit(_words(place), width - 2, here.glyphs.ellipsis)}", here.palette.style("dim"))]


def _head(place: RowState, room: int, here: Look, *, at_cursor: bool) -> list[Piece]:
    stand = place.stand
    ink = "dim" if stand in (WAITING, "absent") and not at_cursor else "ash"
    name = fit_ends(clean_line(place.title), max(1, room), here.glyphs.ellipsis)
    mark = (f"{sign(stand, here.glyphs)} ", here.palette.style(role(stand), bold=True))
    return [mark, (name, here.palette.style(ink, bold=at_cursor))]


def _score(face: CellFace, room: int, here: Look) -> Piece:
    place, palette = face.place, here.palette
    if face.scoreless:
        return f"{word(place.stand):>{room}}"[-room:], palette.style(role(place.stand))
    if place.row is None and not place.scores:
        return " " * room, palette.style("faint")
    score = f"{format_number(place.total)}/{format_number(face.maximum)}"
    if cell_len(score) > room - 1:
        score = format_number(round(place.total, 1))
    final = place.result is not None
    return f"{score:>{room}}"[-room:], palette.style("ash" if final else "molten", bold=final)


def _words(place: RowState) -> str:
    """How it stands, in words."""
    row, (done, planned) = place.row, place.trials
    if row is None:
        if place.stand != JUDGING:
            return "waiting"
        return f"{done} of {planned} trials" if planned else "reading"
    if place.result is None:
        return clean_line(place.reason)
    by_hand = ", set by a person" if row.revised and row.revised.in_force else ""
    return f"{word(place.stand)}{by_hand}"
