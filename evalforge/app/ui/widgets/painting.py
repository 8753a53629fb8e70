"""Small helpers for widgets that draw their own lines."""

import re
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Piece = tuple[str, Style]
_SHORTEST_PATH = 8
_SHORT_NAME = 16
_JOINT = re.compile(r"[,:;]? (?:&|and|or|with|for|of) |[,:;] ")


def fit(text: str, width: int, ellipsis: str = "…") -> str:
    """Fit text into exactly this many cells: padded, or cut with an ellipsis."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + ellipsis


def fit_ends(text: str, width: int, ellipsis: str = "…") -> str:
    """Fit text into exactly this many cells, cut in the middle: names that begin alike differ at their ends."""
    if cell_len(text) <= width or width < 5:
        return fit(text, width, ellipsis)
    head, tail = text[: (width - 1) // 3], text[-(width - 1 - (width - 1) // 3) :]
    while cell_len(head) + 1 + cell_len(tail) > width:
        tail = tail[1:]
    return set_cell_size(f"{head}{ellipsis}{tail}", width)


def fit_tail(path: str, width: int, ellipsis: str) -> str:
    """Fit a path into at most this many cells, keeping its end; empty if there are too few."""
    if width < _SHORTEST_PATH:
        return ""
    return path if len(path) <= width else ellipsis + path[-(width - 1) :]


def brief(name: str, width: int, ellipsis: str = "…") -> str:
    """Fit a name into at most this many cells: whole, or only its first part, or cut."""
    if cell_len(name) <= width:
        return name
    first = _JOINT.split(name, maxsplit=1)[0]
    return first if first and cell_len(first) <= width else fit(name, width, ellipsis)


def short_name(name: str) -> str:
    """A name as a label has it: whole if it is short, else its first part."""
    return name if cell_len(name) <= _SHORT_NAME else _JOINT.split(name, maxsplit=1)[0]


def strip(pieces: Iterable[Piece], width: int, base: Style) -> Strip:
    """Join pieces to one line of this width on a base style."""
    # Adjacent pieces of one style are merged, because each one is written to the terminal in every frame.
    runs = groupby((piece for piece in pieces if piece[0]), key=itemgetter(1))
    segments = [Segment("".join(text for text, _ in run), style) for style, run in runs]
    return Strip(segments).adjust_cell_length(width).apply_style(base).simplify()


def difference(before: Strip, now: Strip) -> tuple[int, int] | None:
    """Where two lines of one width differ: the first cell and the number of cells; None if they look the same."""
    if before == now:
        return None
    old_cells, new_cells = _cells(before), _cells(now)
    if old_cells == new_cells:
        return None
    if len(old_cells) != len(new_cells):
        return 0, max(len(old_cells), len(new_cells))
    changed_columns = [index for index, (old, new) in enumerate(zip(old_cells, new_cells, strict=True)) if old != new]
    return changed_columns[0], changed_columns[-1] - changed_columns[0] + 1


def _cells(line: Strip) -> list[tuple[str, Style | None]]:
    """Each cell of a line; the second half of a wide character is an empty one."""
    cells: list[tuple[str, Style | None]] = []
    for text, style, _ in line:
        for character in text:
            cells.append((character, style))
            cells += [("", style)] * (cell_len(character) - 1)
    return cells


def spread(left: list[Piece], right: list[Piece], width: int, base: Style) -> Strip:
    """Align two groups of pieces at both ends of a line; if they don't fit, the left one is cut."""
    right_width = sum(cell_len(text) for text, _ in right)
    left_width = max(0, width - right_width - (1 if right else 0))
    pieces_left: list[Piece] = []
    for text, style in left:
        size = min(left_width, cell_len(text))
        pieces_left.append((fit(text, size), style))
        left_width -= size
    return strip([*pieces_left, (" " * (left_width + (1 if right else 0)), Style()), *right], width, base)


def wrap(text: str, width: int, max_lines: int) -> list[str]:
    """Wrap text into at most this many lines; the last one is cut if more would follow."""
    lines: list[str] = []
    line = ""
    for word in text.replace("\n", " ").split(" "):  # runs of blanks stay: a program's output may be quoted
        candidate = f"{line} {word}" if line else word
        if cell_len(candidate) <= width:
            line = candidate
            continue
        if line:
            lines.append(line)
        line = word
    lines.append(line)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], " ".join(lines[max_lines - 1 :])]
    return [fit(line, width).rstrip() for line in lines]
