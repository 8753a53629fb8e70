"""Everybody's bar at once: one widget draws them all, and redraws only those that moved."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.strip import Strip

from evalforge.app.classroom.class_state import JUDGING, WAITING, RowState
from evalforge.app.classroom.row_status import status_glyph, status_role, status_word
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import Look, look
from evalforge.app.ui.widgets.hp_bar_cells import BarMoment, bar_cells
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.painting import Piece, fit, fit_ends, strip
from evalforge.model.hp import HpScale
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

# One cell of the wall: glyph, name and score, and the bar; larger cells also describe the state in words.

_SCORE_CELLS = 8
_SCORE_CELLS_DENSE = 6
_ROOMY = 28
"""A cell of one line and at least this width has room for a name next to a long bar."""
_CONTENTS = {2: ("bar",), 3: ("bar",), 4: ("bar", "status"), 5: ("bar", "bar", "status")}
"""What cells of each height show below name and score; a row without a score has only its status there."""


@dataclass(frozen=True)
class CellFace:
    """The current appearance of a row."""

    row_state: RowState
    bar: BarMoment
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
    rows = contents.count("bar")
    return [("  ", Style()), *bar_cells(face.bar, width - 2, current_look, face.accent, part - 1, rows)]


def _dense_cell(face: CellFace, width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    """Draw a cell of one line: name, bar and score."""
    bar_width = max(4, min(14, width // (3 if width >= _ROOMY else 4)))
    head = _name_pieces(face.row_state, width - 3 - bar_width - _SCORE_CELLS_DENSE, current_look, at_cursor=at_cursor)
    if face.is_scoreless:
        text = fit(status_word(face.row_state.status), bar_width + _SCORE_CELLS_DENSE, current_look.glyphs.ellipsis)
        return [*head, (f" {text}", current_look.palette.style(status_role(face.row_state.status)))]
    bar = bar_cells(face.bar, bar_width, current_look, face.accent)
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


# Lays out the wall: cells as large as possible with everybody in sight, else small ones that scroll.

_SIZES = ((40, 5), (30, 4), (30, 3), (30, 2), (34, 1), (26, 1))
"""The minimum width and height of a cell, from large to dense."""
_WIDEST = 66


@dataclass(frozen=True)
class WallGrid:
    """The grid of cells, in reading order.

    Attributes:
        columns: The number of cells side by side.
        width: The width of a cell, with its margin.
        height: The height of a cell, with its margin.
        rows: The number of all lines of cells.
        scrolls: Whether some cells are out of sight.
    """

    columns: int
    width: int
    height: int
    rows: int
    scrolls: bool

    def at(self, x: int, y: int) -> int:
        """The index of the cell at a position; -1 outside the cells."""
        column = x // self.width
        return y // self.height * self.columns + column if column < self.columns else -1


def lay_out(width: int, height: int, count: int) -> WallGrid:
    """Return the largest grid that shows everybody, or the densest if none does."""
    grids = [_grid(min_width, cell_height, width, height, count) for min_width, cell_height in _SIZES]
    return next((grid for grid in grids if not grid.scrolls), grids[-1])


def _grid(min_width: int, cell_height: int, width: int, height: int, count: int) -> WallGrid:
    columns = max(1, min(width // min_width, count))
    rows = -(-count // columns)
    return WallGrid(columns, max(1, min(width // columns, _WIDEST)), cell_height, rows, rows * cell_height > height)


_FRAME_SECONDS = 1 / 20
_EASE = 7.0
_SETTLED_GAP = 0.004
_MARGIN = 2


@dataclass
class _ShownLife:
    """The displayed life of a row, which moves towards the true one, and how bright the newest change glows."""

    life: float
    before: float
    heat: float = 0.0


class ClassWall(LineList):
    """A cell for each row, in reading order; the cursor moves in all four directions."""

    DEFAULT_CSS = """
    ClassWall { scrollbar-gutter: stable; }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(-1)", "left", show=False, id="wall.left"),
        Binding("right,l", "move(1)", "right", show=False, id="wall.right"),
        Binding("up,k", "move_line(-1)", "up", show=False, id="wall.up"),
        Binding("down,j", "move_line(1)", "down", show=False, id="wall.down"),
        Binding("space", "move_page(1)", "page down", show=False, id="wall.page_down"),
    ]

    def __init__(self, scale: HpScale, accent: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__("open", id=id)
        self._scale, self._accent = scale, accent
        self._row_states: Sequence[RowState] = ()
        self._index: dict[str, int] = {}
        self._shown: dict[str, _ShownLife] = {}
        self._moving: set[str] = set()
        self._grid = WallGrid(1, 1, 1, 0, scrolls=False)

    def on_mount(self) -> None:
        """Start with the animation paused; frames are drawn only while something moves."""
        self._frames = self.set_interval(_FRAME_SECONDS, self._draw_frame, pause=True)

    # Rows

    def show(self, row_states: Sequence[RowState]) -> None:
        """Show these rows in this order; the cursor stays on its row."""
        key = self.key
        self._row_states = row_states
        self._index = {row_state.row_id: index for index, row_state in enumerate(row_states)}
        # A row that a filter hid has its true life when it is shown again.
        self._shown = {row_id: self._shown.get(row_id) or self._settled(row_id) for row_id in self._index}
        self._moving &= self._index.keys()
        self.renew(len(row_states), self._index.get(key, 0))

    def key_of(self, index: int) -> str:
        """The id of a row."""
        return self._row_states[index].row_id

    def can_open(self, index: int) -> bool:
        """Whether a row has an attempt to open."""
        return super().can_open(index) and bool(self._row_states[index].attempt_id)

    @property
    def page_text(self) -> str:
        """Which rows are in sight, if there are more."""
        top, columns = self.scroll_offset.y, self._grid.columns  # cells that scroll are one line high
        last = min(self.count, (top + self.size.height) * columns)
        return f"{top * columns + 1}-{last} of {self.count}" if self._grid.scrolls else ""

    # Layout

    def lay_out(self, width: int) -> Size:
        """Lay the cells out for the current size."""
        self._grid = lay_out(max(1, width), max(1, self.size.height), self.count)
        return Size(width, self._grid.rows * self._grid.height)

    def item_at(self, x: int, y: int) -> int:
        """The row whose cell is at a position; -1 for none."""
        index = self._grid.at(x, y)
        return index if index < self.count else -1

    def region_of(self, index: int) -> Region:
        """The cell of a row."""
        line, column = divmod(index, self._grid.columns)
        width, height = self._grid.width, self._grid.height
        return Region(column * width, line * height, width, height) if index < self.count else Region()

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

    # Animation

    def update_row(self, row_id: str) -> None:
        """Update a changed row: its bar moves to its new value."""
        if row_id not in self._index:
            return
        self._moving.add(row_id)
        shown = self._shown[row_id]
        if look(self).motion is motion.Motion.FULL and abs(self._life(row_id) - shown.life) > _SETTLED_GAP:
            shown.before, shown.heat = shown.life, 1.0
        self._frames.resume()

    def settle(self) -> None:
        """Finish all animation at once: every bar shows its true life."""
        self._shown = {row_id: self._settled(row_id) for row_id in self._index}
        self._moving.clear()
        self.refresh()

    def _life(self, row_id: str) -> float:
        return self._row_states[self._index[row_id]].life(self._scale)

    def _settled(self, row_id: str) -> _ShownLife:
        life = self._life(row_id)
        return _ShownLife(life, life)

    def _draw_frame(self) -> None:
        """Draw one frame: advance everything that moves, and redraw its cells."""
        moves = look(self).motion is not motion.Motion.NONE and self.screen.is_current
        for row_id in tuple(self._moving):
            shown, target = self._shown[row_id], self._life(row_id)
            gap = target - shown.life
            is_settled = not moves or abs(gap) <= _SETTLED_GAP
            shown.life = target if is_settled else shown.life + gap * (1 - math.exp(-_EASE * _FRAME_SECONDS))
            shown.heat = max(0.0, shown.heat - _FRAME_SECONDS / motion.GHOST_FADE) if moves else 0.0
            if is_settled and not shown.heat:
                self._moving.remove(row_id)
            self.refresh(self.region_of(self._index[row_id]).translate(-self.scroll_offset))
        if not self._moving:
            self._frames.pause()

    # Drawing

    def line_strip(self, y: int, width: int) -> Strip:
        """Draw one line of every cell in a row of cells."""
        line, part = divmod(y, self._grid.height)
        first, base = line * self._grid.columns, self.rich_style
        last = min(self.count, first + self._grid.columns)
        cells = [self._draw_cell(index, part, base) for index in range(first, last)]
        return Strip.join(cells).adjust_cell_length(width, base).simplify()

    def _draw_cell(self, index: int, part: int, base: Style) -> Strip:
        here, grid = look(self), self._grid
        at_cursor = self.has_focus and index == self.cursor
        width = grid.width - 2 - _MARGIN
        pieces = draw_cell(self._face(self._row_states[index]), part, grid.height, width, here, at_cursor=at_cursor)
        mark = here.glyphs.cursor if at_cursor and part == 0 else " "
        ground = base + here.palette.style("", on="raised") if at_cursor and pieces else base
        head = strip([(f"{mark} ", here.palette.style("ember", bold=True))], 2, ground)
        return Strip.join([head, strip(pieces or [("", Style())], width, ground), Strip.blank(_MARGIN, base)])

    def _face(self, row_state: RowState) -> CellFace:
        done, planned = row_state.trials
        shown = self._shown[row_state.row_id]
        cracked = shown.life * done / planned if row_state.status == JUDGING and planned else 0.0
        bar = BarMoment(shown.life, shown.before, shown.heat, cracked)
        return CellFace(row_state, bar, self._scale.maximum, self._accent)
