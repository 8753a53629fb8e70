"""Sprites: readable pixel files, drawn with half blocks as lines that are made once."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rich.segment import Segment
from rich.style import Style
from textual.color import Color, ColorParseError
from textual.strip import Strip

from evalforge.app.look import Look
from evalforge.library.places import sprites as sprite_folder

FRAMES = {"idle": 4, "hurt": 2, "enraged": 2, "defeated": 4}
"""How many frames each mood may have."""
FALLBACK = "unknown"
_CLEAR = "."
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MAX_SIDE = 80
_MAX_BYTES = 200_000


@dataclass(frozen=True)
class Sprite:
    """Pixels by frame name (``idle.1``): rows of palette keys, and what colour each key is."""

    width: int
    height: int
    palette: dict[str, str]
    frames: dict[str, tuple[str, ...]]

    def frame(self, mood: str, number: int) -> tuple[str, ...]:
        """The pixels of a frame; a mood that wasn't drawn looks idle."""
        drawn = [name for name in self.frames if name.startswith(f"{mood}.")] or ["idle.1"]
        return self.frames[drawn[number % len(drawn)]]


class SpriteError(ValueError):
    """A sprite file that can't be read; says in which line."""


def parse(text: str) -> Sprite:
    """Read a sprite file (the format is told in ``assets/sprites/README.md``).

    Raises:
        SpriteError: The file breaks the format.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("# ") and line.strip() != "#":
            try:
                reader.take(line)
            except (ValueError, KeyError, IndexError, ColorParseError) as error:
                raise SpriteError(f"line {number}: {error}") from None
    return reader.finish()


class _Reader:
    def __init__(self) -> None:
        self.width = self.height = 0
        self.palette: dict[str, str] = {}
        self.frames: dict[str, list[str]] = {}
        self.rows: list[str] | None = None

    def take(self, line: str) -> None:
        words = line.split()
        if words[0] == "size":
            self.width, self.height = (int(part) for part in words[1].split("x"))
            if not (0 < self.width <= _MAX_SIDE and 0 < self.height <= _MAX_SIDE and self.height % 2 == 0):
                raise ValueError(f"a size is at most {_MAX_SIDE} each way and of even height")
        elif words[0] == "palette":
            self.rows = None
        elif words[0] == "frame":
            base = self.frames[words[3]] if len(words) > 3 else [_CLEAR * self.width] * self.height
            self.rows = self.frames[words[1]] = list(base)
        elif self.rows is None:
            self._colour(words)
        else:
            self._row(words)

    def _colour(self, words: list[str]) -> None:
        if not words[1].startswith("accent"):
            Color.parse(words[1])
        self.palette[words[0]] = words[1]

    def _row(self, words: list[str]) -> None:
        assert self.rows is not None
        index, pixels = int(words[0]), words[1]
        unknown = set(pixels) - set(self.palette) - {_CLEAR}
        if len(pixels) != self.width or unknown:
            raise ValueError(f"a row is {self.width} pixels of the palette")
        self.rows[index] = pixels

    def finish(self) -> Sprite:
        if "idle.1" not in self.frames:
            raise SpriteError("a sprite needs a frame called idle.1")
        return Sprite(self.width, self.height, self.palette, {k: tuple(rows) for k, rows in self.frames.items()})


@lru_cache(maxsize=64)
def load(name: str, pack: Path | None = None) -> Sprite:
    """The sprite of this name: from the boss's own pack if it brings one, else ours, else the unknown boss."""
    if _NAME.fullmatch(name):
        folders = [folder for folder in (pack, sprite_folder()) if folder is not None]
        for path in (folder / f"{name}.sprite" for folder in folders):
            sprite = _read(path)
            if sprite:
                return sprite
    return _read(sprite_folder() / f"{FALLBACK}.sprite") or Sprite(2, 2, {}, {"idle.1": ("..", "..")})


def _read(path: Path) -> Sprite | None:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        return parse(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=512)
def strips(
    name: str, pack: Path | None, mood: str, number: int, accent: str, heat: int, look: Look
) -> tuple[Strip, ...]:
    """One frame as lines of half blocks.

    Args:
        name: The sprite's name.
        pack: The boss's folder, which may bring its own sprite.
        mood: ``idle``, ``hurt``, ``enraged`` or ``defeated``.
        number: Which frame of the mood, from 0; wraps around.
        accent: The boss's accent, ``#rrggbb``.
        heat: How far the frame is whitened by a blow, 0 to 4.
        look: The look in force.
    """
    sprite = load(name, pack)
    colours = {key: _colour(value, accent, heat, look) for key, value in sprite.palette.items()}
    rows = sprite.frame(mood, number)
    return tuple(_line(rows[y], rows[y + 1], colours, look) for y in range(0, sprite.height, 2))


def _colour(value: str, accent: str, heat: int, look: Look) -> Color:
    if value.startswith("accent"):
        base = Color.parse(accent)
        shift = {"accent+": 0.22, "accent-": -0.22}.get(value, 0.0)
        base = base.lighten(shift) if shift > 0 else base.darken(-shift)
    else:
        base = Color.parse(value)
    return base.blend(Color.parse("#fff6e0"), heat / 4 * 0.85) if heat else base


def _line(upper: str, lower: str, colours: dict[str, Color], look: Look) -> Strip:
    """Two rows of pixels as one line of cells; equal neighbours become one segment."""
    runs: list[tuple[str, Style, int]] = []
    for top, bottom in zip(upper, lower, strict=True):
        glyph, style = _cell(colours.get(top), colours.get(bottom), look)
        if runs and runs[-1][:2] == (glyph, style):
            runs[-1] = (glyph, style, runs[-1][2] + 1)
        else:
            runs.append((glyph, style, 1))
    return Strip([Segment(glyph * count, style) for glyph, style, count in runs], len(upper))


@lru_cache(maxsize=2048)
def _cell(top: Color | None, bottom: Color | None, look: Look) -> tuple[str, Style]:
    glyphs = look.glyphs
    if top is None and bottom is None:
        return " ", Style()
    if not glyphs.block_face:
        return _shade(top or bottom), Style(color=(top or bottom or Color(0, 0, 0)).rich_color)
    if top is None or bottom is None:
        one = top or bottom
        assert one is not None
        return (glyphs.upper if bottom is None else glyphs.lower), Style(color=one.rich_color)
    if top == bottom:
        return glyphs.full, Style(color=top.rich_color)
    return glyphs.upper, Style(color=top.rich_color, bgcolor=bottom.rich_color)


def _shade(color: Color | None) -> str:
    """A letter as bright as the pixel, where there are no blocks to draw with."""
    brightness = color.brightness if color else 0.0
    return " .:-=+*#"[min(7, 1 + int(brightness * 7))]
