"""Everybody's bar at once: the wall of a class, on which the cursor moves in all four directions."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from evalforge.app.classroom.class_state import JUDGING, WAITING, RowState, status_glyph, status_role, status_word
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.bar_board import BarBoard, BarCell, BarGrid
from evalforge.app.ui.widgets.painting import fit
from evalforge.model.hp import HpScale
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_SIZES = ((40, 5), (30, 4), (30, 3), (30, 2), (34, 1), (26, 1))
"""The minimum width and height of a cell, from large to dense."""
_WIDEST = 66
_TWO_LINED_FROM = 5
"""The height of a cell from which its bar has two lines."""


def lay_out(width: int, height: int, count: int) -> BarGrid:
    """Return the grid with the largest cells that shows everybody, or the densest if none does."""
    grids: list[BarGrid] = []
    for min_width, cell_height in _SIZES:
        columns = max(1, min(width // min_width, count))
        rows = -(-count // columns)
        cell_width = max(1, min(width // columns, _WIDEST))
        bar_height = 2 if cell_height >= _TWO_LINED_FROM else 1
        grids.append(BarGrid(columns, cell_width, cell_height, rows, bar_height, rows * cell_height > height))
    return next((grid for grid in grids if not grid.scrolls), grids[-1])


def wall_cell(row_state: RowState, scale: HpScale, glyphs: Glyphs) -> BarCell:
    """What the wall shows of a row: its score, or in its place why it has none."""
    status = row_state.status
    score, short_score, role = "", "", "faint"
    is_scoreless = row_state.row is not None and row_state.result is None
    if is_scoreless:
        score, role = status_word(status), status_role(status)
    elif row_state.row is not None or row_state.scores:
        score = f"{format_number(row_state.total)}/{format_number(scale.maximum)}"
        short_score = format_number(round(row_state.total, 1))
        role = "bold ash" if row_state.result else "molten"
    done, planned = row_state.trials
    text = _status_text(row_state)
    return BarCell(
        mark=(status_glyph(status, glyphs), f"bold {status_role(status)}"),
        name=(row_state.title, "dim" if status in (WAITING, "absent") else "ash"),
        score=((score, role),),
        short_score=((short_score, role),) if short_score else (),
        life=None if is_scoreless else row_state.life(scale),
        cracked=done / planned if status == JUDGING and planned else 0.0,
        notes=lambda width, _: (((fit(text, width, glyphs.ellipsis), "dim"),),),
    )


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


class ClassWall(BarBoard):
    """A cell for each row of a class: as large as possible with everybody in sight, else small ones that scroll."""

    DEFAULT_CSS = """
    ClassWall { scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(-1)", "left", show=False, id="wall.left"),
        Binding("right,l", "move(1)", "right", show=False, id="wall.right"),
        Binding("up,k", "move_line(-1)", "up", show=False, id="wall.up"),
        Binding("down,j", "move_line(1)", "down", show=False, id="wall.down"),
        Binding("space", "move_page(1)", "page down", show=False, id="wall.page_down"),
    ]

    def __init__(self, scale: HpScale, accent: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(accent, "open", id=id)
        self._scale = scale
        self._row_states: dict[str, RowState] = {}

    def show(self, row_states: Sequence[RowState]) -> None:
        """Show these rows in this order; the cursor stays on its row."""
        self._row_states = {row_state.row_id: row_state for row_state in row_states}
        self.show_keys(tuple(self._row_states))

    def cell(self, key: str) -> BarCell:
        """What is shown of a row now."""
        return wall_cell(self._row_states[key], self._scale, look(self).glyphs)

    def grid(self, width: int, height: int) -> BarGrid:
        """Lay the cells out for a size."""
        return lay_out(width, height, self.count)

    def can_open(self, index: int) -> bool:
        """Whether a row has an attempt to open."""
        return super().can_open(index) and bool(self._row_states[self.key_of(index)].attempt_id)

    @property
    def page_text(self) -> str:
        """Which rows are in sight, if there are more."""
        top, columns = self.scroll_offset.y, self._grid.columns  # cells that scroll are one line high
        last = min(self.count, (top + self.size.height) * columns)
        return f"{top * columns + 1}-{last} of {self.count}" if self._grid.scrolls else ""

    def action_move_line(self, step: int) -> None:
        """Move the cursor to the line above or below, if there is one; the last line may be shorter."""
        columns = self._grid.columns
        if 0 <= self.cursor // columns + step < self._grid.rows:
            self.action_move(step * columns)

    def action_move_page(self, step: int) -> None:
        """Move the cursor by a screenful of cells."""
        self.action_move(step * self._grid.columns * max(1, self.size.height // self._grid.height - 1))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Report that other rows are in sight."""
        super().watch_scroll_y(old_value, new_value)
        self.announce()
