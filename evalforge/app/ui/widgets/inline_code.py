"""Text with ``code`` marked by colour, for widgets that draw their own lines."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.style import Style

from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, Runs
from evalforge.app.ui.theme.themes import Palette
from evalforge.app.ui.widgets.painting import Piece
from evalforge.model.text import clean_line

_CAP = 2_000


def mark_code(text: str, role: str) -> Runs:
    """Mark the code in a one-line text; everything else gets a role."""
    return tuple((run, _drawn_role(styled_role)) for run, styled_role in spans(clean_line(text, cap=_CAP), role))


def _drawn_role(role: str) -> str:
    """Adapt a role for widgets without italics: emphasis becomes bold."""
    *attributes, colour = role.split()
    return f"bold {colour}" if attributes else colour


def pieces(runs: Runs, palette: Palette) -> list[Piece]:
    """Convert runs to the colours of a palette."""
    return [(text, style_of(role, palette)) for text, role in runs if text]


def style_of(role: str, palette: Palette) -> Style:
    """Convert ``bold ember on raised`` to the colours of a palette; colours may replace roles."""
    ink, _, ground = role.removeprefix("bold ").partition(" on ")
    return palette.style(ink, on=ground, bold=role.startswith("bold "))


def fit_runs(runs: Runs, width: int, ellipsis: str = "…", ellipsis_role: str = "") -> Runs:
    """Fit runs into exactly this many cells: padded, or cut with an ellipsis, in a role of its own if it has one."""
    total_width = sum(cell_len(text) for text, _ in runs)
    if total_width <= width:
        return (*runs, (" " * (width - total_width), ""))
    marked_runs: list[Run] = []
    width_left = max(0, width - 1)
    for character, role in _characters(runs):
        width_left -= cell_len(character)
        if width_left < 0:
            break
        marked_runs.append((character, role))
    cut = _joined(marked_runs)
    used = sum(cell_len(text) for text, _ in cut)
    end = (ellipsis if width > 0 else "") + " " * max(0, width - used - 1)
    return (*cut, (end, ellipsis_role or (cut[-1][1] if cut else "")))


def wrap_runs(runs: Runs, width: int, most: int, ellipsis: str = "…") -> list[Runs]:
    """Wrap runs into at most this many lines; the last one is cut if more would follow."""
    lines: list[list[Run]] = [[]]
    for word in _words(runs):
        line = lines[-1]
        gap = [(" ", word[0][1])] if line else []
        if line and _size(line) + 1 + _size(word) > width and len(lines) < most:
            lines.append(list(word))
        else:
            line += [*gap, *word]
    return [_joined(line) if _size(line) <= width else fit_runs(_joined(line), width, ellipsis) for line in lines]


def _size(characters: Sequence[Run]) -> int:
    return sum(cell_len(character) for character, _ in characters)


def _characters(runs: Runs) -> Iterator[Run]:
    return ((character, role) for text, role in runs for character in text)


def _words(runs: Runs) -> Iterator[list[Run]]:
    """Yield the words without the gaps, each as characters with their roles."""
    for is_gap, word in groupby(_characters(runs), key=lambda one: one[0].isspace()):
        if not is_gap:
            yield list(word)


def _joined(characters: Sequence[Run]) -> Runs:
    return tuple(
        ("".join(c for c, _ in same_role), role)
        for role, same_role in groupby(characters, key=lambda styled_character: styled_character[1])
    )
