"""A screen as a picture: an SVG that needs nothing but a monospaced font, and a PNG of it.

Blocks and rules are drawn as shapes, so that neighbouring cells meet without seams in any viewer.
"""

import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from tests.app.harness import lines

if TYPE_CHECKING:
    from evalforge.app.app import EvalForge

CELL = (10, 20)
"""Width and height of a cell."""
EDGE = 14
TITLE_BAR = 34
BASE = 15
"""Where in its cell a letter stands."""
_SIZE = 16.6
_FONTS = "'Fira Code','JetBrains Mono','Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
_EIGHTHS_ACROSS = "▏▎▍▌▋▊▉█"
_EIGHTHS_UP = "▁▂▃▄▅▆▇█"
_SHADES = {"░": 0.28, "▒": 0.5, "▓": 0.75}
_RULES = {"─": (0, 0.47, 1, 0.06), "━": (0, 0.44, 1, 0.12), "│": (0.46, 0, 0.1, 1), "▔": (0, 0, 1, 0.125)}
_SURE = "…·"
"""Signs that every face has as wide as a letter; the others may come from another face and stand alone."""
_PIECE = re.compile(r"[^ ](?:.{,5}[^ ])?[^ ]*(?= |$)")
"""A word or a few short ones: not every viewer spreads letters, and in a long line the face would be seen to drift."""
_SIGNS = re.compile(r"(?<=[^\w ]|_)(?=[^\w ]|_)")
"""Between two signs in a row, which could become one in a face with ligatures."""

Box = tuple[float, float, float, float]
"""Left, top, width and height, in cells."""


def picture(app: App[Any], title: str) -> str:
    """The screen of the game as SVG, in a window with this title."""
    drawing = _Drawing(*_ground_and_ink(app))
    for y, row in enumerate(lines(app)):
        drawing.take(row, y)
    return window(app, title, drawing.parts())


def window(app: App[Any], title: str, parts: Iterable[str]) -> str:
    """A window with this title, of the size and in the colours of the game, around what is drawn of its cells."""
    palette = cast("EvalForge", app).look.palette
    ground, ink = _ground_and_ink(app)
    width, height = app.size
    across, down = width * CELL[0] + 2 * EDGE, height * CELL[1] + 2 * EDGE + TITLE_BAR
    bar = f'<text x="{across / 2:g}" y="{TITLE_BAR / 2 + 5:g}" font-size="14" text-anchor="middle" fill="{ink}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" height="{down}">',
        f'<rect width="{across}" height="{down}" rx="9" fill="{ground}"/>',
        f'<path d="M0 {TITLE_BAR}V9a9 9 0 0 1 9-9H{across - 9}a9 9 0 0 1 9 9V{TITLE_BAR}z" fill="{palette.raised}"/>'
        if palette.raised.startswith("#") else "",
        *(f'<circle cx="{20 + 20 * i}" cy="{TITLE_BAR / 2:g}" r="6" fill="{colour}"/>'
          for i, colour in enumerate(("#f0625a", "#ffc84d", "#6cc2a1"))),
        f'<g font-family="{_FONTS}" font-size="{_SIZE}" xml:space="preserve">',
        f'{bar} fill-opacity="0.7">{escape(title)}</text>',
        f'<g transform="translate({EDGE} {EDGE + TITLE_BAR})">',
        *parts,
        "</g></g></svg>\n",
    ])  # fmt: skip


def _ground_and_ink(app: App[Any]) -> tuple[str, str]:
    palette = cast("EvalForge", app).look.palette
    ground = palette.ground if palette.ground.startswith("#") else "#101010"
    return ground, palette.ash if palette.ash.startswith("#") else "#d8d8d8"


class _Drawing:
    """What stands in the cells, by colour: grounds first, then shapes, then words."""

    def __init__(self, ground: str, ink: str) -> None:
        self._ground, self._ink = ground, ink
        self._grounds: dict[str, list[Box]] = {}
        self._shapes: dict[str, list[Box]] = {}
        self._words: dict[str, list[str]] = {}

    def take(self, row: Iterable[Segment], y: int) -> None:
        """Draw one line of cells."""
        x = 0
        for text, style, look in _runs(row, self._ground, self._ink):
            front, back = look
            size = cell_len(text)
            if back != self._ground:
                self._grounds.setdefault(f'fill="{back}"', []).append((x, y, size, 1))
            word, start = "", x
            for character in f"{text}\0":
                shape = _shape(character)
                alone = not (character.isascii() or character.isalpha() or character in _SURE)
                if shape is not None or alone or character == "\0":
                    self._say(word, start, y, f'fill="{front}"{style}')
                    word, start = "", x + cell_len(character)
                else:
                    word += character
                if shape is not None:
                    (left, top, wide, high), seen = shape
                    self._shapes.setdefault(f'fill="{front}"{seen}', []).append((x + left, y + top, wide, high))
                elif alone:
                    self._say(character, x, y, f'fill="{front}"{style}')
                x += cell_len(character)

    def _say(self, word: str, x: int, y: int, look: str) -> None:
        """Words from a cell on, in pieces of a few; what is blank between them is not drawn."""
        for run in _SIGNS.split(word):
            for part in _PIECE.finditer(run):
                size, at = cell_len(part[0]), x + cell_len(run[: part.start()])
                length = f' textLength="{size * CELL[0]}"' if size > 1 else ""
                text = f'<text x="{at * CELL[0]}" y="{y * CELL[1] + BASE}"{length}>{escape(part[0])}</text>'
                self._words.setdefault(look, []).append(text)
            x += cell_len(run)

    def parts(self) -> Iterable[str]:
        """The elements, each colour once in each layer."""
        yield f'<g transform="scale({CELL[0]} {CELL[1]})" shape-rendering="crispEdges">'
        for layer in (self._grounds, self._shapes):
            for look, boxes in layer.items():
                yield f'<path {look} d="{"".join(map(_outline, _merged(boxes)))}"/>'
        yield "</g>"
        for look, words in self._words.items():
            yield f"<g {look}>"
            yield from words
            yield "</g>"


def _runs(row: Iterable[Segment], ground: str, ink: str) -> list[tuple[str, str, tuple[str, str]]]:
    """The text of a line in runs of one look: the text, how it is set, its colour and what it stands on."""
    found: list[tuple[str, str, tuple[str, str]]] = []
    for text, style, _ in row:
        here = style or Style()
        front, back = _hex(here.color, ink), _hex(here.bgcolor, ground)
        if here.reverse:
            front, back = back, front
        lines = ((here.underline, "underline"), (here.strike, "line-through"))
        drawn = " ".join(name for has, name in lines if has)
        how = ' font-weight="bold"' if here.bold else ""
        how += ' font-style="italic"' if here.italic else ""
        how += f' text-decoration="{drawn}"' if drawn else ""
        if found and found[-1][1:] == (how, (front, back)):
            text = found.pop()[0] + text
        found.append((text, how, (front, back)))
    return found


def _shape(character: str) -> tuple[Box, str] | None:
    """A block character as a share of its cell, and how much shines through it."""
    if character in _EIGHTHS_UP:
        share = (_EIGHTHS_UP.index(character) + 1) / 8
        return (0, 1 - share, 1, share), ""
    if character in _EIGHTHS_ACROSS:
        return (0, 0, (_EIGHTHS_ACROSS.index(character) + 1) / 8, 1), ""
    if character == "▀":
        return (0, 0, 1, 0.5), ""
    if character in _SHADES:
        return (0, 0, 1, 1), f' fill-opacity="{_SHADES[character]}"'
    return (_RULES[character], "") if character in _RULES else None


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes of one look, those that touch side by side or one below the other made one."""
    wide: list[Box] = []
    for box in boxes:
        left, top, width, height = wide[-1] if wide else (0, -1, 0, 0)
        if (top, height, left + width) == (box[1], box[3], box[0]):
            wide[-1] = (left, top, width + box[2], height)
        else:
            wide.append(box)
    high: list[Box] = []
    open_at: dict[tuple[float, float], int] = {}
    for box in wide:
        span = box[0], box[2]
        above = open_at.get(span)
        if above is not None and high[above][1] + high[above][3] == box[1]:
            left, top, width, height = high[above]
            high[above] = left, top, width, height + box[3]
        else:
            open_at[span] = len(high)
            high.append(box)
    return high


def _outline(box: Box) -> str:
    left, top, width, height = box
    return f"M{left:g} {top:g}h{width:g}v{height:g}H{left:g}z"


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
