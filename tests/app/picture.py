"""A screen as a picture: an SVG that needs nothing but a monospaced font, and a PNG of it.

Blocks and rules are drawn as shapes, so that neighbouring cells meet without seams in any viewer.
"""

import shutil
import struct
import subprocess
import zlib
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from tests.app.seam import lines

CELL = (10, 20)
"""Width and height of a cell."""
EDGE = 14
TITLE_BAR = 34
_SIZE = 16.6
_FONTS = "'Fira Code','JetBrains Mono','Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
_EIGHTHS_ACROSS = "▏▎▍▌▋▊▉█"
_EIGHTHS_UP = "▁▂▃▄▅▆▇█"
_SHADES = {"░": 0.28, "▒": 0.5, "▓": 0.75}
_RULES = {"─": (0, 0.47, 1, 0.06), "━": (0, 0.44, 1, 0.12), "│": (0.46, 0, 0.1, 1), "▔": (0, 0, 1, 0.125)}


def picture(app: App[object], title: str) -> str:
    """The screen of an app as SVG, in a window with this title."""
    rows = lines(app)
    palette = app.look.palette
    ground = palette.ground if palette.ground.startswith("#") else "#101010"
    ink = palette.ash if palette.ash.startswith("#") else "#d8d8d8"
    width, height = app.size
    across, down = width * CELL[0] + 2 * EDGE, height * CELL[1] + 2 * EDGE + TITLE_BAR
    drawn = [part for y, row in enumerate(rows) for part in _row(row, y, ground, ink)]
    bar = f'<text x="{across / 2}" y="{TITLE_BAR / 2 + 5}" font-size="14" text-anchor="middle" fill="{ink}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" height="{down}">',
        f'<rect width="{across}" height="{down}" rx="9" fill="{ground}"/>',
        f'<path d="M0 {TITLE_BAR}V9a9 9 0 0 1 9-9H{across - 9}a9 9 0 0 1 9 9V{TITLE_BAR}z" fill="{palette.raised}"/>'
        if palette.raised.startswith("#") else "",
        *(f'<circle cx="{20 + 20 * i}" cy="{TITLE_BAR / 2}" r="6" fill="{colour}"/>'
          for i, colour in enumerate(("#f0625a", "#ffc84d", "#6cc2a1"))),
        f'<g font-family="{_FONTS}" font-size="{_SIZE}" xml:space="preserve">',
        f'{bar} fill-opacity="0.7">{escape(title)}</text>',
        f'<g transform="translate({EDGE} {EDGE + TITLE_BAR})">',
        *drawn,
        "</g></g></svg>\n",
    ])  # fmt: skip


def _row(row: Iterable[Segment], y: int, ground: str, ink: str) -> list[str]:
    """One line of cells: grounds first, then what stands on them."""
    grounds: list[str] = []
    marks: list[str] = []
    x = 0
    for text, style, _ in row:
        here = style or Style()
        front, back = _hex(here.color, ink), _hex(here.bgcolor, ground)
        if here.reverse:
            front, back = back, front
        size = cell_len(text)
        if back != ground:
            grounds.append(_rect(x, y, (0, 0, size, 1), back))
        marks += _text(text, x, y, front, bold=bool(here.bold))
        x += size
    return grounds + marks


def _text(text: str, x: int, y: int, colour: str, *, bold: bool) -> list[str]:
    parts: list[str] = []
    word, start = "", x
    for character in [*text, " "]:
        shape = _shape(character)
        if shape is None and character != " ":
            if word and not character.isalnum() and not word[-1].isalnum():
                # Two signs in a row could become one in a face with ligatures.
                parts.append(_word(word, start, y, colour, bold=bold))
                word = ""
            start = start if word else x
            word += character
        elif word:
            parts.append(_word(word, start, y, colour, bold=bold))
            word = ""
        if shape is not None:
            box, opacity = shape
            parts.append(_rect(x, y, box, colour, opacity))
        x += cell_len(character)
    return parts


def _shape(character: str) -> tuple[tuple[float, float, float, float], float] | None:
    """A block character as a share of its cell, and how opaque it is."""
    if character in _EIGHTHS_UP:
        share = (_EIGHTHS_UP.index(character) + 1) / 8
        return (0, 1 - share, 1, share), 1
    if character in _EIGHTHS_ACROSS:
        return (0, 0, (_EIGHTHS_ACROSS.index(character) + 1) / 8, 1), 1
    if character == "▀":
        return (0, 0, 1, 0.5), 1
    if character in _SHADES:
        return (0, 0, 1, 1), _SHADES[character]
    return (_RULES[character], 1) if character in _RULES else None


def _rect(x: float, y: int, box: tuple[float, float, float, float], colour: str, opacity: float = 1) -> str:
    left, top, wide, high = box
    w, h = CELL
    seen = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return (
        f'<rect x="{(x + left) * w:g}" y="{(y + top) * h:g}" width="{wide * w:g}" height="{high * h:g}" '
        f'fill="{colour}"{seen} shape-rendering="crispEdges"/>'
    )


def _word(word: str, x: int, y: int, colour: str, *, bold: bool) -> str:
    weight = ' font-weight="bold"' if bold else ""
    length = f' textLength="{cell_len(word) * CELL[0]}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x * CELL[0]}" y="{y * CELL[1] + 15}" fill="{colour}"{weight}{length}>{escape(word)}</text>'


def _hex(colour: Color | None, otherwise: str) -> str:
    return colour.get_truecolor().hex if colour is not None and not colour.is_default else otherwise


def rasterise(svg: Path, most: int = 300_000) -> Path | None:
    """The PNG beside an SVG, as large as it gets in so many bytes; None if nothing here can draw it."""
    png = svg.with_suffix(".png")
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    for zoom in (1.5, 1.4, 1.25, 1.1, 1.0):
        if shutil.which("rsvg-convert"):
            command = ["rsvg-convert", f"--zoom={zoom}", f"--output={png}", str(svg)]
        elif browser:
            command = [browser, "--headless", "--no-sandbox", "--hide-scrollbars", f"--screenshot={png}", str(svg)]
        else:
            return None
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        _slim(png)
        if png.stat().st_size < most:
            break
    return png


def _slim(path: Path) -> None:
    """Rewrite a PNG with a palette of 256 colours, which text on a dark ground hardly notices."""
    width, height, rows = _pixels(path.read_bytes())
    for bits in (8, 5, 4, 3):
        mask = 0xFF & ~((1 << (8 - bits)) - 1)
        table = bytes(value & mask for value in range(256))
        keys = [row.translate(table) for row in rows]
        colours: dict[bytes, int] = {}
        indexed: list[bytes] = []
        palette = bytearray()
        for row, key in zip(rows, keys, strict=True):
            line = bytearray()
            for at in range(0, 4 * width, 4):
                pixel = key[at : at + 4]
                if pixel not in colours:
                    colours[pixel] = len(colours)
                    palette += row[at : at + 4]
                line.append(colours[pixel] & 0xFF)
            indexed.append(b"\0" + bytes(line))
            if len(colours) > 256:
                break
        if len(colours) <= 256:
            path.write_bytes(_indexed(width, height, bytes(palette), b"".join(indexed)))
            return


def _pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of RGBA of a PNG as rasterisers write it: eight bits, not interlaced."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 6)
    at, data = 8, b""
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + size] if name == b"IDAT" else b""
        at += 12 + size
    raw, step = zlib.decompress(data), 4 * width + 1
    rows, above = [], bytearray(4 * width)
    for start in range(0, height * step, step):
        above = _unfilter(raw[start], bytearray(raw[start + 1 : start + step]), above)
        rows.append(bytes(above))
    return width, height, rows


def _unfilter(kind: int, row: bytearray, above: bytearray) -> bytearray:
    for at in range(len(row) if kind else 0):
        left = row[at - 4] if at >= 4 else 0
        up, corner = above[at], above[at - 4] if at >= 4 else 0
        if kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            near = (0, left, up, (left + up) // 2)[kind]
        row[at] = (row[at] + near) & 0xFF
    return row


def _indexed(width: int, height: int, palette: bytes, lines: bytes) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    inks = b"".join(palette[at : at + 3] for at in range(0, len(palette), 4))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", inks)
        + chunk(b"tRNS", palette[3::4])
        + chunk(b"IDAT", zlib.compress(lines, 9))
        + chunk(b"IEND", b"")
    )
