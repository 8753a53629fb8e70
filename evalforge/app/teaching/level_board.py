"""The levels of one criterion, the highest first: their meaning, the audience's guesses, and the judged one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.text.styled_text import Runs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import mark_code, pieces, wrap_runs
from evalforge.app.ui.widgets.painting import Piece, fit, strip
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean_line

_INDENT = 6
_MAX_DESCRIPTION_LINES = 40
_TALLY_WIDTH, _MAX_BAR_WIDTH = 6, 8
_JUDGED_REMARK = " · judged"


@dataclass(frozen=True)
class Levels:
    """The levels of one criterion as the board shows them.

    Attributes:
        criterion: The criterion.
        keys: The digit that guesses each level, by score; empty if guessing is off.
        tally: The number of guesses of each level.
        pointed: The score of the level under the cursor.
        judged_score: The score that was judged; None while it is hidden. Then the levels need no description.
    """

    criterion: Criterion
    keys: Mapping[float, str]
    tally: Mapping[float, int]
    pointed: float | None = None
    judged_score: float | None = None


class LevelBoard(Widget):
    """Is as high as its levels need. With less room every level stays visible, and descriptions are cut."""

    DEFAULT_CSS = """
    LevelBoard { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False

    class Picked(Message):
        """Posted when a level is clicked."""

        def __init__(self, score: float) -> None:
            super().__init__()
            self.score = score

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._levels: Levels | None = None

    def show(self, levels: Levels) -> None:
        """Show these levels of a criterion."""
        width = max(1, self.size.width)
        has_grown = self._levels is None or _height(self._levels, width) != _height(levels, width)
        self._levels = levels
        self.refresh(layout=has_grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that the levels need; moving the cursor doesn't change them."""
        return _height(self._levels, max(1, width)) if self._levels else 0

    def on_click(self, event: events.Click) -> None:
        """Guess the level that is clicked."""
        y = event.get_content_offset_capture(self).y
        rows = self._rows()
        score = rows[y][0] if 0 <= y < len(rows) else None
        if self._levels and self._levels.keys and score is not None:
            self.post_message(self.Picked(score))

    def _rows(self) -> list[tuple[float | None, list[Piece]]]:
        """The lines, each with the score it belongs to."""
        levels, (width, height) = self._levels, self.size
        if levels is None:
            return []
        lines_by_score = _description_lines(levels, width)
        lines_left = height - len(lines_by_score)
        has_gaps = (
            levels.judged_score is None
            and lines_left >= sum(map(len, lines_by_score.values())) + len(lines_by_score) - 1
        )
        lines_by_score = _limit_descriptions(lines_by_score, lines_left, levels.pointed, look(self).glyphs.ellipsis)
        palette = look(self).palette
        rows: list[tuple[float | None, list[Piece]]] = []
        for level in reversed(levels.criterion.levels):
            if rows and has_gaps:
                rows.append((None, []))
            rows.append((level.score, self._head_line(levels, level, width)))
            rows += [
                (level.score, [(" " * _INDENT, Style()), *pieces(line, palette)])
                for line in lines_by_score[level.score]
            ]
        return rows

    def _head_line(self, levels: Levels, level: Level, width: int) -> list[Piece]:
        """Draw mark, key, pips, label, and the audience's guesses."""
        palette, glyphs = look(self).palette, look(self).glyphs
        score, maximum = level.score, levels.criterion.max_score
        is_judged, is_pointed = score == levels.judged_score, score == levels.pointed and levels.judged_score is None
        mark = glyphs.diamond if is_judged else glyphs.cursor if is_pointed else " "
        is_bright = _is_bright(levels, level)
        pips = glyphs.pips(score, maximum)
        longest_label = max(cell_len(clean_line(criterion_level.label)) for criterion_level in levels.criterion.levels)
        label_column = _INDENT + len(pips) + 2
        max_label_width = max(4, width - label_column - _TALLY_WIDTH)
        remark = (
            _JUDGED_REMARK
            if levels.judged_score is not None and longest_label + len(_JUDGED_REMARK) < max_label_width
            else ""
        )
        label_width = min(max_label_width, longest_label + len(remark) + 1)
        label = clean_line(level.label) + (remark if is_judged else "")
        pieces: list[Piece] = [
            (f"{mark} ", palette.style("molten" if is_judged else "ember", bold=True)),
            (
                f"{levels.keys.get(score) or format_number(score):>2}  ",
                palette.style("ember" if levels.keys else "molten", bold=True),
            ),
            (f"{pips}  ", palette.style("molten" if is_bright else "faint")),
            (fit(label, label_width, glyphs.ellipsis), palette.style("ash" if is_bright else "faint", bold=is_bright)),
        ]
        return [*pieces, *self._guess_bar(levels.tally, score, width - label_column - label_width)]

    def _guess_bar(self, tally: Mapping[float, int], score: float, width: int) -> list[Piece]:
        """Draw the guesses of a level as a small bar and a number."""
        palette, glyphs = look(self).palette, look(self).glyphs
        count, highest_count = tally.get(score, 0), max(tally.values(), default=0)
        if not count:
            return []
        max_length = min(highest_count, _MAX_BAR_WIDTH, max(1, width - 2 - len(str(highest_count))))
        length = max(1, round(max_length * count / highest_count))
        return [
            (f" {glyphs.bar * length}", palette.style("steel")),
            (f" {count}", palette.style("steel", bold=True)),
        ]

    def render_line(self, y: int) -> Strip:
        """Draw one line of the board."""
        rows = self._rows()
        pieces = rows[y][1] if y < len(rows) else []
        return strip(pieces, self.size.width, self.rich_style)


@lru_cache(maxsize=64)
def _wrapped(description: str, width: int) -> tuple[Runs, ...]:
    return tuple(wrap_runs(mark_code(description, "dim"), max(16, width - _INDENT - 1), _MAX_DESCRIPTION_LINES))


def _description_lines(levels: Levels, width: int) -> dict[float, tuple[Runs, ...]]:
    """The description of each level in lines, the highest level first."""
    return {
        level.score: _wrapped(level.full_description, width) if levels.judged_score is None else ()
        for level in reversed(levels.criterion.levels)
    }


def _is_bright(levels: Levels, level: Level) -> bool:
    """Whether to draw a level bright: every level while nothing is judged, then only the judged one."""
    return levels.judged_score in (None, level.score)


def _height(levels: Levels, width: int) -> int:
    """The lines needed for everything."""
    lines_by_score = _description_lines(levels, width)
    gaps = len(lines_by_score) - 1 if levels.judged_score is None else 0
    return len(lines_by_score) + sum(map(len, lines_by_score.values())) + gaps


def _limit_descriptions(
    lines_by_score: Mapping[float, tuple[Runs, ...]], lines_left: int, first_score: float | None, ellipsis: str
) -> dict[float, tuple[Runs, ...]]:
    """Limit descriptions to the available lines: those of one level first, then the same number for each other."""
    lines_of_first = min(len(lines_by_score[first_score]), max(0, lines_left)) if first_score is not None else 0
    other_heights = [len(lines) for score, lines in lines_by_score.items() if score != first_score]
    shares = range(max(other_heights, default=0) + 1)
    lines_per_other = max(
        (n for n in shares if sum(min(size, n) for size in other_heights) <= lines_left - lines_of_first), default=0
    )
    return {
        score: _cut(lines, lines_of_first if score == first_score else lines_per_other, ellipsis)
        for score, lines in lines_by_score.items()
    }


def _cut(lines: tuple[Runs, ...], max_lines: int, ellipsis: str) -> tuple[Runs, ...]:
    """Keep this many lines; the last one ends in an ellipsis if any were cut."""
    if len(lines) <= max_lines or not max_lines:
        return lines[:max_lines]
    last = lines[max_lines - 1]
    return (*lines[: max_lines - 1], (*last, (ellipsis, last[-1][1])))
