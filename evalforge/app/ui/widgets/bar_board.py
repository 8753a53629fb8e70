"""One board of bars: everybody's life at once, each in a cell of its own. Only the cells that moved are redrawn."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip

from evalforge.app.ui.text.styled_text import Run, Runs
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import Look, look
from evalforge.app.ui.widgets.hp_bar_cells import BarMoment, bar_cells
from evalforge.app.ui.widgets.inline_code import pieces, style_of
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.painting import Piece, fit_ends, strip
from evalforge.model.text import clean_line

_SCORE_CELLS, _DENSE_SCORE_CELLS = 8, 6
"""The least room of a score, beside which a cell is left free."""
_ROOMY = 28
"""A cell of one line and at least this width has room for a name next to a long bar."""
_DENSE_PAIR = 2
"""Cells up to this height have no margin below them."""
_FRAME_SECONDS = 1 / 20
_EASE = 7.0
_SETTLED_GAP = 0.004
_CURSOR_CELLS, _MARGIN = 2, 2


@dataclass(frozen=True)
class BarCell:
    """What a cell of the board shows.

    Attributes:
        mark: The sign before the name.
        name: The name, which is cut in its middle if it is too long.
        score: The text at the right end of the name's line.
        short_score: Replaces a score that is too long; empty if there is nothing shorter.
        life: The share of life that is left, 0..1; None if the cell has no bar.
        cracked: The share of that life which trials have cracked, 0..1.
        notes: Makes the lines below the bar, for a width and a number of lines.
    """

    mark: Run
    name: Run
    score: Runs
    short_score: Runs = ()
    life: float | None = None
    cracked: float = 0.0
    notes: Callable[[int, int], Sequence[Runs]] = lambda width, count: ()


@dataclass(frozen=True)
class BarGrid:
    """The grid of cells, in reading order.

    Attributes:
        columns: The number of cells side by side.
        width: The width of a cell, with its margin.
        height: The height of a cell, with its margin.
        rows: The number of all lines of cells.
        bar_height: The lines of each bar, 1 or 2.
        scrolls: Whether some cells are out of sight.
    """

    columns: int
    width: int
    height: int
    rows: int
    bar_height: int = 1
    scrolls: bool = False

    def at(self, x: int, y: int) -> int:
        """The index of the cell at a position; -1 outside the cells."""
        column = x // self.width
        return y // self.height * self.columns + column if column < self.columns else -1


def draw_cell(
    cell: BarCell, moment: BarMoment, accent: str, grid: BarGrid, current_look: Look, *, at_cursor: bool = False
) -> list[list[Piece]]:
    """Draw the lines of a cell without its margin: name and score, the bar, and what fits of the notes.

    Args:
        cell: What it shows.
        moment: What its bar shows, which may still move.
        accent: Role or colour of the life.
        grid: The grid it is in; cells of one line have their bar beside the name.
        current_look: The current look.
        at_cursor: Whether the cursor is on it.
    """
    width = grid.width - _CURSOR_CELLS - _MARGIN
    is_dense = grid.height == 1
    bar_width = max(4, min(14, width // (3 if width >= _ROOMY else 4))) if is_dense else width - 2
    rows = range(grid.bar_height if cell.life is not None else 0)
    bars = [bar_cells(moment, bar_width, current_look, accent, row, len(rows)) for row in rows]
    score = _score_pieces(cell, _DENSE_SCORE_CELLS if is_dense else _SCORE_CELLS, current_look)
    if is_dense:
        # Without a bar, what is said instead of a score begins where the bar would.
        start = [(" ", Style()), *(bars[0] if bars else ())]
        end = score if bars else [(text.strip().ljust(bar_width + _DENSE_SCORE_CELLS), style) for text, style in score]
        return [_named_line(cell, [*start, *end], width, current_look, at_cursor=at_cursor)]
    lines = [_named_line(cell, score, width, current_look, at_cursor=at_cursor)]
    lines += [[("  ", Style()), *bar] for bar in bars]
    inner_height = grid.height - (1 if grid.height > _DENSE_PAIR else 0)
    for note in cell.notes(width - 2, inner_height - len(lines))[: inner_height - len(lines)]:
        lines.append(pieces((("  ", note[0][1] if note else ""), *note), current_look.palette))
    return [*lines, *([[(" ", Style())]] * (inner_height - len(lines)))]


def _score_pieces(cell: BarCell, width: int, current_look: Look) -> list[Piece]:
    """The score at the right end of so many cells, or the shorter one if no cell would be left beside it."""
    is_too_long = sum(cell_len(text) for text, _ in cell.score) >= width
    score = cell.short_score if is_too_long and cell.short_score else cell.score
    free_width = max(0, width - sum(cell_len(text) for text, _ in score))
    return pieces(((" " * free_width + score[0][0], score[0][1]), *score[1:]), current_look.palette)


def _named_line(cell: BarCell, end: list[Piece], width: int, current_look: Look, *, at_cursor: bool) -> list[Piece]:
    """The first line of a cell: mark and name, and the number at its right end."""
    palette, (mark, mark_role), (name, name_role) = current_look.palette, cell.mark, cell.name
    name_width = max(1, width - 2 - sum(cell_len(text) for text, _ in end))
    name_text = fit_ends(clean_line(name), name_width, current_look.glyphs.ellipsis)
    name_style = style_of("bold ash" if at_cursor else name_role, palette)
    return [(f"{mark} ", style_of(mark_role, palette)), (name_text, name_style), *end]


class BarBoard(LineList):
    """A cell for each key, in reading order. Subclasses define ``cell`` and ``grid``.

    Args:
        accent: Role or colour of the life on every bar.
        opens: The label of enter in the key bar; empty if cells don't open.
        id: The widget's id.
    """

    ALLOW_SELECT = False

    def __init__(self, accent: str, opens: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(opens, id=id)
        self._accent = accent
        self._keys: Sequence[str] = ()
        self._shown: dict[str, BarMoment] = {}
        """What each bar shows now; its life moves towards the true one."""
        self._moving: set[str] = set()
        self._grid = BarGrid(1, 1, 1, 0)

    def cell(self, key: str) -> BarCell:
        """What the cell of a key shows now."""
        raise NotImplementedError

    def grid(self, width: int, height: int) -> BarGrid:
        """Lay the cells out for a size."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Start with the animation paused; frames are drawn only while something moves."""
        self._frames = self.set_interval(_FRAME_SECONDS, self._draw_frame, pause=True)

    def show_keys(self, keys: Sequence[str]) -> None:
        """Show these cells in this order; the cursor stays on its cell."""
        key = self.key
        self._keys = keys
        # A cell that was out of the board has its true life when it is shown again.
        self._shown = {key: self._shown.get(key) or self._settled(key) for key in keys}
        self._moving &= self._shown.keys()
        self.renew(len(keys), keys.index(key) if key in self._shown else 0)

    def key_of(self, index: int) -> str:
        """The key of a cell."""
        return self._keys[index]

    # Layout

    def lay_out(self, width: int) -> Size:
        """Lay the cells out for the current size."""
        self._grid = self.grid(max(1, width), max(1, self.size.height))
        return Size(width, self._grid.rows * self._grid.height)

    def item_at(self, x: int, y: int) -> int:
        """The cell at a position; -1 for none."""
        index = self._grid.at(x, y)
        return index if index < self.count else -1

    def region_of(self, index: int) -> Region:
        """The place of a cell."""
        line, column = divmod(index, self._grid.columns)
        width, height = self._grid.width, self._grid.height
        return Region(column * width, line * height, width, height) if index < self.count else Region()

    # Animation

    def move_bar(self, key: str) -> None:
        """Let the bar of a changed cell move to its new value."""
        if key not in self._shown:
            return
        self._moving.add(key)
        shown = self._shown[key]
        if look(self).motion is motion.Motion.FULL and abs(self._settled(key).life - shown.life) > _SETTLED_GAP:
            self._shown[key] = BarMoment(shown.life, shown.life, heat=1.0)
        self._frames.resume()

    def settle(self) -> None:
        """Finish all animation at once: every bar shows its true life."""
        self._shown = {key: self._settled(key) for key in self._keys}
        self._moving.clear()
        self.refresh()

    def _settled(self, key: str) -> BarMoment:
        life = self.cell(key).life
        return BarMoment(1.0, 1.0) if life is None else BarMoment(life, life)

    def _draw_frame(self) -> None:
        """Draw one frame: advance everything that moves, and redraw its cells."""
        moves = look(self).motion is not motion.Motion.NONE and self.screen.is_current
        for key in tuple(self._moving):
            shown, target = self._shown[key], self._settled(key).life
            gap = target - shown.life
            is_settled = not moves or abs(gap) <= _SETTLED_GAP
            life = target if is_settled else shown.life + gap * (1 - math.exp(-_EASE * _FRAME_SECONDS))
            heat = max(0.0, shown.heat - _FRAME_SECONDS / motion.GHOST_FADE) if moves else 0.0
            self._shown[key] = BarMoment(life, shown.before, heat)
            if is_settled and not heat:
                self._moving.remove(key)
            self.refresh(self.region_of(self._keys.index(key)).translate(-self.scroll_offset))
        if not self._moving:
            self._frames.pause()

    # Drawing

    def line_strip(self, y: int, width: int) -> Strip:
        """Draw one line of every cell in a row of cells."""
        line, part = divmod(y, self._grid.height)
        first = line * self._grid.columns
        cells = [self._draw_part(index, part) for index in range(first, min(self.count, first + self._grid.columns))]
        return Strip.join(cells).adjust_cell_length(width, self.rich_style).simplify()

    def _draw_part(self, index: int, part: int) -> Strip:
        here, base, key = look(self), self.rich_style, self._keys[index]
        at_cursor = self.has_focus and index == self.cursor
        cell, shown = self.cell(key), self._shown[key]
        moment = shown._replace(cracked=shown.life * cell.cracked)
        lines = draw_cell(cell, moment, self._accent, self._grid, here, at_cursor=at_cursor)
        drawn = lines[part] if part < len(lines) else []
        mark = here.glyphs.cursor if at_cursor and part == 0 else " "
        ground = base + here.palette.style("", on="raised") if at_cursor and drawn else base
        head = strip([(f"{mark} ", here.palette.style("ember", bold=True))], _CURSOR_CELLS, ground)
        width = self._grid.width - _CURSOR_CELLS - _MARGIN
        return Strip.join([head, strip(drawn or [("", Style())], width, ground), Strip.blank(_MARGIN, base)])
