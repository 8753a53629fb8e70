"""The last filter between foreign text and the terminal."""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from evalforge.model.text import ASCII_TWINS, UNSAFE

# Newline and tab are safe in text, but never inside a drawn line.
_IN_LINE = "\n\t\r\v\f"


class ControlFilter(LineFilter):
    """Removes anything that could control the terminal from every drawn line.

    It never replaces characters: these have no width in the layout, so a replacement would shift everything that
    follows.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Remove control characters from the segments of one line."""
        return [segment if segment.control or _harmless(segment.text) else _stripped(segment) for segment in segments]


class AsciiFilter(LineFilter):
    """For ASCII terminals: each of our signs becomes its twin, any other non-ASCII character a question mark."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Filter one line, keeping its width."""
        return [s if s.control or s.text.isascii() else Segment(_ascii(s.text), s.style) for s in segments]


def _ascii(text: str) -> str:
    return "".join(c if c.isascii() else "?" * cell_len(c) for c in text.translate(ASCII_TWINS))


def _harmless(text: str) -> bool:
    return UNSAFE.search(text) is None and not any(character in text for character in _IN_LINE)


def _stripped(segment: Segment) -> Segment:
    text = UNSAFE.sub("", segment.text)
    for character in _IN_LINE:
        text = text.replace(character, "")
    return Segment(text, segment.style)
