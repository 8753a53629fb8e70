"""The last guard between text that isn't ours and the terminal."""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from evalforge.model.text import ASCII_TWINS, UNSAFE

# Newline and tab are safe in a text, never inside a drawn line.
_IN_LINE = "\n\t\r\v\f"


class ControlFilter(LineFilter):
    """Drops what could steer the terminal from every line drawn.

    It drops and never replaces: these characters have no width in the layout, so a replacement would shift all that
    follows.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace control characters in the segments of one line."""
        return [segment if segment.control or _harmless(segment.text) else _stripped(segment) for segment in segments]


class AsciiFilter(LineFilter):
    """For terminals that only know ASCII: every sign of ours becomes its twin, every other stranger a question mark."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Filter one line; widths stay."""
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
