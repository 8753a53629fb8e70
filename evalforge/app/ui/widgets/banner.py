"""A word in a typeface of half blocks, lit from below; at most one per screen."""

from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import Look, app_of, look
from evalforge.app.ui.theme.motion import Motion

_FACE = {
    "A": ".#./#.#/###/#.#/#.#", "B": "##./#.#/##./#.#/##.", "C": ".##/#../#../#../.##", "D": "##./#.#/#.#/#.#/##.",
    "E": "###/#../##./#../###", "F": "###/#../##./#../#..", "G": ".##/#../#.#/#.#/.##", "H": "#.#/#.#/###/#.#/#.#",
    "I": "#/#/#/#/#", "J": "..#/..#/..#/#.#/.#.", "K": "#.#/#.#/##./#.#/#.#", "L": "#../#../#../#../###",
    "M": "#...#/##.##/#.#.#/#...#/#...#", "N": "#..#/##.#/#.##/#..#/#..#", "O": ".#./#.#/#.#/#.#/.#.",
    "P": "##./#.#/##./#../#..", "Q": ".#./#.#/#.#/#.#/.##", "R": "##./#.#/##./#.#/#.#", "S": ".##/#../.#./..#/##.",
    "T": "###/.#./.#./.#./.#.", "U": "#.#/#.#/#.#/#.#/###", "V": "#...#/#...#/.#.#./.#.#./..#..",
    "W": "#...#/#...#/#.#.#/##.##/#...#", "X": "#.#/#.#/.#./#.#/#.#",
    "Y": "#.#/#.#/.#./.#./.#.", "Z": "###/..#/.#./#../###",
    " ": "../../../../..",
}  # fmt: skip
ROWS = 5
_BAND = 5
"""The width of the light that crosses the letters, in cells."""


def pixels(word: str, scale: int = 1) -> list[str]:
    """The word as five rows of ``#`` and ``.``, each pixel ``scale`` wide; unavailable letters are left out."""
    letters = [_FACE[letter].split("/") for letter in word.upper() if letter in _FACE]
    rows = [".".join(letter[row] for letter in letters) for row in range(ROWS)]
    return ["".join(pixel * scale for pixel in row) for row in rows]


class Banner(Widget):
    """One word in the block typeface; plain spaced capitals if it doesn't fit or can't be drawn."""

    DEFAULT_CSS = """
    Banner { height: 3; width: 1fr; }
    """

    gleam: reactive[float] = reactive(1.0)
    """The progress of the light across the letters, 0 to 1; at 1 it is gone."""

    def __init__(self, word: str = "", low: str = "molten", high: str = "ember", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._word, self._low, self._high = word, low, high
        self._key: tuple[object, ...] = ()
        self._strips: list[Strip] = []

    @property
    def word(self) -> str:
        """The displayed word."""
        return self._word

    def set_word(self, word: str, low: str = "molten", high: str = "ember") -> None:
        """Show another word with a gradient from ``low`` (bottom) to ``high`` (a role, or ``shade``)."""
        self._word, self._low, self._high = word, low, high
        app_of(self).animator.force_stop_animation(self, "gleam")
        self.gleam = 1.0
        self.refresh()

    def shine(self) -> None:
        """Let a light cross the letters, once."""
        if look(self).motion is Motion.FULL:
            self.gleam = 0.0
            self.animate("gleam", 1.0, duration=motion.GLEAM, easing="in_out_sine", level="basic")

    def render_line(self, y: int) -> Strip:
        """Draw one line of the large letters."""
        current_look = look(self)
        key = (self._word, self._low, self._high, self.size, current_look)
        if key != self._key:
            self._key, self._strips = key, self._draw(current_look)
        line = self._strips[y] if y < len(self._strips) else Strip([])
        if self.gleam < 1.0:
            line = self._lit(line, y, current_look)
        return line.adjust_cell_length(self.size.width).apply_style(self.rich_style)

    def _lit(self, line: Strip, y: int, current_look: Look) -> Strip:
        """Draw the light on a line: a slanted band, white in the middle."""
        at = int(self.gleam * (line.cell_length + 2 * _BAND)) - _BAND - y
        start, end = max(0, at), max(0, min(line.cell_length, at + _BAND))
        if start >= end:
            return line
        white = Style(color=current_look.palette.style("flash").color)
        band = line.crop(start, end)
        highlight = Strip([Segment(s.text, (s.style or Style()) + white) for s in band], end - start)
        return Strip.join([line.crop(0, start), highlight, line.crop(end, line.cell_length)])

    def _draw(self, current_look: Look) -> list[Strip]:
        rows = pixels(self._word)
        flat = self.size.height < (ROWS + 1) // 2
        if flat or not current_look.glyphs.block_face or not rows[0] or len(rows[0]) > self.size.width:
            segment = Segment(" ".join(self._word.upper()), current_look.palette.style(self._low, bold=True))
            return [*([] if flat else [Strip([])]), Strip([segment])]
        high = current_look.palette.mix(self._low, "ground", 0.45) if self._high == "shade" else self._high
        shades = [
            current_look.palette.mix(self._low if current_look.palette.ansi else high, self._low, y / (ROWS - 1))
            for y in range(ROWS)
        ]
        return [_pair(rows, shades, y, current_look) for y in range(0, ROWS, 2)]


def _pair(rows: list[str], shades: list[str], y: int, current_look: Look) -> Strip:
    lower = rows[y + 1] if y + 1 < ROWS else "." * len(rows[0])
    top = current_look.palette.style(shades[y])
    bottom = current_look.palette.style(shades[min(y + 1, ROWS - 1)])
    style = Style(color=top.color, bgcolor=bottom.color)
    cells = {"##": ("▀", style), "#.": ("▀", top), ".#": ("▄", bottom), "..": (" ", Style())}
    return Strip([Segment(*cells[a + b]) for a, b in zip(rows[y], lower, strict=True)]).simplify()
