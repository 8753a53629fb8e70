"""The levels of one criterion, the highest first: what they mean, what the room guesses, which one was judged."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.look import look
from evalforge.app.widgets.paint import Piece, fit, strip, wrap
from evalforge.app.words import number, pips
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean_line

_INDENT = 6
_MOST_LINES, _BRIEF_LINES = 9, 2
_TALLY = 12
_LONGEST_LABEL = 28


@dataclass(frozen=True)
class Levels:
    """What the board shows.

    Attributes:
        criterion: Whose levels.
        keys: The digit that guesses each level, by score; empty where nothing is guessed.
        tally: How often each level was guessed.
        pointed: The score of the level under the cursor.
        judged: The score that was judged; None while it is hidden.
        brief: Whether only the level under the cursor is described.
    """

    criterion: Criterion
    keys: Mapping[float, str]
    tally: Mapping[float, int]
    pointed: float | None = None
    judged: float | None = None
    brief: bool = False


class LevelBoard(Widget):
    """As high as its levels need."""

    DEFAULT_CSS = """
    LevelBoard { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False

    class Picked(Message):
        """A level was clicked."""

        def __init__(self, score: float) -> None:
            super().__init__()
            self.score = score

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._shown: Levels | None = None

    def show(self, levels: Levels) -> None:
        """Show these."""
        grown = self._shown is None or self._height(self._shown) != self._height(levels)
        self._shown = levels
        self.refresh(layout=grown)

    def _height(self, levels: Levels) -> int:
        return len(self._rows(levels, max(1, self.size.width)))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the levels take."""
        return len(self._rows(self._shown, max(1, width))) if self._shown else 0

    def on_click(self, event: events.Click) -> None:
        """Guess what is clicked."""
        y = event.get_content_offset_capture(self).y
        rows = self._rows(self._shown, self.size.width) if self._shown else []
        score = rows[y][0] if 0 <= y < len(rows) else None
        if self._shown and self._shown.keys and score is not None:
            self.post_message(self.Picked(score))

    def _rows(self, levels: Levels, width: int) -> list[tuple[float | None, list[Piece]]]:
        """Lines with the score each belongs to."""
        rows: list[tuple[float | None, list[Piece]]] = []
        for level in reversed(levels.criterion.levels):
            if rows and not levels.brief:
                rows.append((None, []))
            rows.append((level.score, self._head(levels, level, width)))
            rows += [(level.score, line) for line in self._description(levels, level, width)]
        return rows

    def _ink(self, levels: Levels, level: Level) -> str:
        """Bright where there is something to see: everywhere while nothing is judged, then at the judged level."""
        if levels.judged is None:
            return "ash"
        return "ash" if level.score == levels.judged else "faint"

    def _head(self, levels: Levels, level: Level, width: int) -> list[Piece]:
        """Mark, key, pips, label, and the room's guesses."""
        palette, glyphs = look(self).palette, look(self).glyphs
        score, maximum = level.score, levels.criterion.max_score
        judged, pointed = score == levels.judged, score == levels.pointed and levels.judged is None
        mark = glyphs.diamond if judged else glyphs.cursor if pointed else " "
        ink = self._ink(levels, level)
        drawn = pips(score, maximum, (glyphs.pip, glyphs.half_pip, glyphs.empty_pip))
        room = max(4, min(_LONGEST_LABEL, width - _INDENT - len(drawn) - _TALLY - 5))
        label = clean_line(level.label) + (" · judged" if judged else "")
        pieces: list[Piece] = [
            (f"{mark} ", palette.style("molten" if judged else "ember", bold=True)),
            (
                f"{levels.keys.get(score) or number(score):>2}  ",
                palette.style("ember" if levels.keys else "molten", bold=True),
            ),
            (f"{drawn}  ", palette.style("molten" if ink == "ash" else "faint")),
            (fit(label, room), palette.style(ink, bold=ink == "ash")),
        ]
        return [*pieces, *self._guesses(levels.tally.get(score, 0), max(levels.tally.values(), default=0))]

    def _guesses(self, count: int, most: int) -> list[Piece]:
        """The guesses of a level as a little bar and a number."""
        palette, glyphs = look(self).palette, look(self).glyphs
        if not count:
            return []
        length = max(1, round(min(most, _TALLY - 4) * count / most))
        return [
            (f" {glyphs.bar * length}", palette.style("steel")),
            (f" {count}", palette.style("steel", bold=True)),
        ]

    def _description(self, levels: Levels, level: Level, width: int) -> list[list[Piece]]:
        if levels.brief and level.score != levels.pointed:
            return []
        palette = look(self).palette
        role = "dim" if self._ink(levels, level) == "ash" else "faint"
        most = _BRIEF_LINES if levels.brief else _MOST_LINES
        lines = wrap(clean_line(level.description, cap=2000), max(16, width - _INDENT - 1), most)
        return [[(" " * _INDENT, Style()), (line, palette.style(role))] for line in lines]

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        rows = self._rows(self._shown, self.size.width) if self._shown else []
        pieces = rows[y][1] if y < len(rows) else []
        return strip(pieces, self.size.width, self.rich_style)
