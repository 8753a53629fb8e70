"""How the wall is laid out: cells as large as they can be with everybody in sight, small ones that scroll if not."""

from dataclasses import dataclass

_SIZES = ((40, 5), (30, 4), (30, 3), (30, 2), (34, 1), (26, 1))
"""Least width and height of a cell, from roomy to dense."""
_WIDEST = 66


@dataclass(frozen=True)
class WallGrid:
    """How cells are laid out, in reading order.

    Attributes:
        columns: How many side by side.
        width: Of a cell, with its margin.
        height: Of a cell, with its margin.
        rows: How many lines of cells there are in all.
        visible_rows: How many of them are in sight.
    """

    columns: int
    width: int
    height: int
    rows: int
    visible_rows: int

    @property
    def scrolls(self) -> bool:
        """Whether not all are in sight."""
        return self.rows > self.visible_rows

    def at(self, x: int, y: int, top: int) -> int:
        """The index of the cell at a place, with ``top`` lines of cells passed over; -1 beside all."""
        column = x // self.width
        return (top + y // self.height) * self.columns + column if column < self.columns else -1


def lay_out(width: int, height: int, count: int) -> WallGrid:
    """The roomiest grid that shows everybody; the densest if none does."""
    grid = WallGrid(1, max(1, width), 1, max(1, count), max(1, height))
    for least, high in _SIZES:
        columns = max(1, min(width // least, count or 1))
        rows = -(-count // columns) if count else 1
        grid = WallGrid(columns, max(1, min(width // columns, _WIDEST)), high, rows, max(1, height // high))
        if not grid.scrolls:
            break
    return grid
