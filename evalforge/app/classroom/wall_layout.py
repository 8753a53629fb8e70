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
        visible_rows: The number of visible lines of cells.
    """

    columns: int
    width: int
    height: int
    rows: int
    visible_rows: int

    @property
    def scrolls(self) -> bool:
        """Whether some cells are out of sight."""
        return self.rows > self.visible_rows

    def at(self, x: int, y: int, top: int) -> int:
        """The index of the cell at a position, below ``top`` scrolled lines of cells; -1 outside the cells."""
        column = x // self.width
        return (top + y // self.height) * self.columns + column if column < self.columns else -1


def lay_out(width: int, height: int, count: int) -> WallGrid:
    """Return the largest grid that shows everybody, or the densest if none does."""
    grid = WallGrid(1, max(1, width), 1, max(1, count), max(1, height))
    for least, high in _SIZES:
        columns = max(1, min(width // least, count or 1))
        rows = -(-count // columns) if count else 1
        grid = WallGrid(columns, max(1, min(width // columns, _WIDEST)), high, rows, max(1, height // high))
        if not grid.scrolls:
            break
    return grid
