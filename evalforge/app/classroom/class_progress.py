"""How far a class is: a bar, how many are settled, and how long the rest will take."""

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.levels import drawn
from evalforge.app.classroom.row_status import STANDS, role, sign, word
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, spread
from evalforge.model.text import clean_line


class ClassProgress(Widget):
    """One line."""

    DEFAULT_CSS = """
    ClassProgress { height: 1; padding: 0 1; }
    """

    def __init__(self, room: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._room, self._words, self._role = room, "", "dim"

    def show_message(self, words: str, role: str = "dim") -> None:
        """What stands at its end."""
        self._words, self._role = clean_line(words), role
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw it."""
        here, width, room = look(self), self.size.width, self._room
        palette, glyphs = here.palette, here.glyphs
        left = f"{room.done:>{len(str(room.total))}} of {room.total} "
        end: list[Piece] = [(self._words, palette.style(self._role, bold=self._role == "ember"))]
        space = max(4, min(60, width - len(left) - cell_len(self._words) - 3))
        done = drawn(room.done / room.total if room.total else 0.0, space, glyphs)
        empty_cells = glyphs.bar_rest * (space - len(done))
        bar: list[Piece] = [(done, palette.style("ember")), (empty_cells, palette.style("faint"))]
        return spread([(left, palette.style("ash", bold=True)), *bar], end, width, self.rich_style)


class ClassTally(Widget):
    """How many stand how: what the signs mean, and a count of each."""

    DEFAULT_CSS = """
    ClassTally { height: 1; padding: 0 1; }
    """

    def __init__(self, room: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._room, self._end = room, ""

    def show_time_left(self, end: str) -> None:
        """What stands at its end."""
        self._end = clean_line(end)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw it."""
        right: list[Piece] = [(self._end, look(self).palette.style("faint"))] if self._end else []
        room = self.size.width - cell_len(self._end) - (3 if self._end else 0)
        # The signs stand beside their words wherever a row does; here words give way before a count does.
        ways = [self._counts(gap, words=words) for gap, words in ((3, True), (2, True), (1, True), (3, False))]
        pieces = next((way for way in ways if sum(cell_len(text) for text, _ in way) <= room), ways[-1])
        return spread(pieces, right, self.size.width, self.rich_style)

    def _counts(self, gap: int, *, words: bool) -> list[Piece]:
        here, counts = look(self), self._room.tally()
        palette = here.palette
        counters: list[Piece] = []
        for stand in STANDS:
            if counts[stand]:
                counters += [
                    (" " * gap if counters else "", palette.style("dim")),
                    (f"{sign(stand, here.glyphs)} ", palette.style(role(stand), bold=True)),
                    (f"{counts[stand]}", palette.style("ash", bold=True)),
                    (f" {word(stand)}" if words else "", palette.style("dim")),
                ]
        return counters
