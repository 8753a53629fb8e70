"""Lays out the wall: cells as large as possible with everybody in sight, else small ones that scroll."""

from dataclasses import dataclass

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
