"""How far a class is: a bar, how many are settled, and how long the rest will take."""

from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.classes.levels import drawn
from evalforge.app.classes.room import Room
from evalforge.app.classes.signs import STANDS, role, sign, word
from evalforge.app.look import look
from evalforge.app.widgets.paint import Piece, spread, strip
from evalforge.model.text import clean_line


class ClassProgress(Widget):
    """One line."""

    DEFAULT_CSS = """
    ClassProgress { height: 1; padding: 0 1; }
    """

    def __init__(self, room: Room, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._room, self._words, self._role = room, "", "dim"

    def say(self, words: str, role: str = "dim") -> None:
        """What stands at its end."""
        self._words, self._role = clean_line(words), role
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw it."""
        here, width, room = look(self), self.size.width, self._room
        palette, glyphs = here.palette, here.glyphs
        left = f"{room.done:>{len(str(room.total))}} of {room.total} "
        end: list[Piece] = [(f" {self._words}", palette.style(self._role, bold=self._role == "ember"))]
        space = max(4, min(60, width - len(left) - len(self._words) - 3))
        done = drawn(room.done / room.total if room.total else 0.0, space, glyphs)
        rest = glyphs.bar_rest * (space - len(done))
        bar: list[Piece] = [(done, palette.style("ember")), (rest, palette.style("faint"))]
        return spread([(left, palette.style("ash", bold=True)), *bar], end, width, self.rich_style)


class ClassTally(Widget):
    """How many stand how: what the signs mean, and a count of each."""

    DEFAULT_CSS = """
    ClassTally { height: 1; padding: 0 1; }
    """

    def __init__(self, room: Room, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._room, self._end = room, ""

    def say(self, end: str) -> None:
        """What stands at its end."""
        self._end = clean_line(end)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw it."""
        here, counts = look(self), self._room.tally()
        palette = here.palette
        pieces: list[Piece] = []
        for stand in STANDS:
            if counts[stand]:
                pieces += [
                    (f"{sign(stand, here.glyphs)} ", palette.style(role(stand), bold=True)),
                    (f"{counts[stand]} ", palette.style("ash", bold=True)),
                    (f"{word(stand)}   ", palette.style("dim")),
                ]
        if not pieces:
            return strip([(" ", palette.style("dim"))], self.size.width, self.rich_style)
        right = [(self._end, palette.style("faint"))] if self._end else []
        return spread(pieces, right, self.size.width, self.rich_style)
