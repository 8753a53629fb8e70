"""The few shapes that our pictures consist of, as SVG text. Foreign text goes through ``xml_text``."""

import re
from collections.abc import Iterable
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from evalforge.model.text import clean_line

FONT_FAMILY = "ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
LETTER_WIDTH = 0.602
"""The width of a letter of such a font, in font sizes."""
_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def one_line(message: str, cap: int) -> str:
    """Put any text on one line, cut to a length."""
    line = _NOT_IN_XML.sub("\ufffd", clean_line(message))
    return line if len(line) <= cap else f"{line[: cap - 1]}…"


def xml_text(message: str, cap: int) -> str:
    """Escape any text as XML character data."""
    return escape(one_line(message, cap), {'"': "&quot;", "'": "&#39;"})


def text(
    x: float,
    y: float,
    message: str,
    size: float,
    fill: str,
    *,
    bold: bool = False,
    anchor: str = "start",
    spacing: float = 0.0,
    cap: int = 80,
) -> str:
    """Draw one line of text; its baseline begins at ``x`` and ``y`` (or is anchored there)."""
    more = ' font-weight="700"' if bold else ""
    more += f' text-anchor="{anchor}"' if anchor != "start" else ""
    more += f' letter-spacing="{spacing:g}"' if spacing else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{more}>{xml_text(message, cap)}</text>'


def fitting_font_size(message: str, width: float, largest: float, smallest: float, spacing: float = 0.0) -> float:
    """Return the font size, within bounds, at which a text is no wider than a width."""
    cells = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in message)
    return max(smallest, min(largest, (width / max(1, cells) - spacing) / LETTER_WIDTH))


def rect(x: float, y: float, width: float, height: float, fill: str, *, round_by: float = 0.0, more: str = "") -> str:
    """Draw a rectangle, filled with one colour."""
    corner = f' rx="{round_by:g}"' if round_by else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner} fill="{fill}"{more}/>'


def circle(x: float, y: float, radius: float, fill: str, stroke: str = "") -> str:
    """Draw a disc, or a ring if there is a stroke."""
    more = f' stroke="{stroke}" stroke-width="1.6"' if stroke else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{more}/>'


def pixels(rows: Iterable[str], colours: dict[str, str], x: float, y: float, side: float) -> str:
    """Draw a picture of square pixels: one path per colour, with equal neighbours merged."""
    paths: dict[str, list[str]] = {}
    for down, row in enumerate(rows):
        for match in re.finditer(r"(.)\1*", row):
            colour = colours.get(match[1])
            if colour:
                width = len(match[0])
                paths.setdefault(colour, []).append(f"M{match.start()} {down}h{width}v1h-{width}z")
    drawn = "".join(f'<path fill="{colour}" d="{"".join(path)}"/>' for colour, path in paths.items())
    return f'<g transform="translate({x:g} {y:g}) scale({side:g})" shape-rendering="crispEdges">{drawn}</g>'


def mix_colours(one: str, other: str, share: float) -> str:
    """Return the colour a share of the way from one ``#rrggbb`` to another."""
    parts = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)
