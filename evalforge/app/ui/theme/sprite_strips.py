"""Sprites on a screen: drawn with half blocks as lines that are cached."""

from functools import lru_cache
from pathlib import Path

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from evalforge.app.ui.theme.look import Look
from evalforge.packs.sprites import ACCENTS, load_sprite

FRAMES = {"idle": 4, "hurt": 2, "enraged": 2, "defeated": 4}
"""The highest number of frames of each mood."""


@lru_cache(maxsize=512)
def strips(
    name: str, pack: Path | None, mood: str, number: int, accent: str, heat: int, look: Look, scale: int = 1
) -> tuple[Strip, ...]:
    """Draw one frame as lines of half blocks.

    Args:
        name: The sprite's name.
        pack: The boss's folder, which may bring its own sprite.
        mood: ``idle``, ``hurt``, ``enraged`` or ``defeated``.
        number: The frame of the mood, from 0; wraps around.
        accent: The boss's accent, ``#rrggbb``.
        heat: How much a blow whitens the frame, 0 to 4.
        look: The current look.
        scale: 1, or 2 for a picture twice as wide and high.
    """
    sprite = load_sprite(name, pack)
    colours = {key: _colour(value, accent, heat, look) for key, value in sprite.palette.items()}
    rows = sprite.frame(mood, number)
    if scale > 1:
        rows = tuple("".join(pixel * scale for pixel in row) for row in rows for _ in range(scale))
    return tuple(_line(rows[y], rows[y + 1], colours, look) for y in range(0, len(rows), 2))


def _colour(value: str, accent: str, heat: int, look: Look) -> Color:
    if value.startswith("accent"):
        base = Color.parse(accent)
        shift = ACCENTS.get(value, 0.0)
        base = base.lighten(shift) if shift > 0 else base.darken(-shift)
    else:
        base = Color.parse(value)
    return base.blend(Color.parse("#fff6e0"), heat / 4 * 0.85) if heat else base


def _line(upper: str, lower: str, colours: dict[str, Color], look: Look) -> Strip:
    """Draw two rows of pixels as one line of cells; equal neighbours become one segment."""
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
        half = top or bottom
        assert half is not None
        return (glyphs.upper if bottom is None else glyphs.lower), Style(color=half.rich_color)
    if top == bottom:
        return glyphs.full, Style(color=top.rich_color)
    return glyphs.upper, Style(color=top.rich_color, bgcolor=bottom.rich_color)


def _shade(color: Color | None) -> str:
    """Return a letter as bright as the pixel, for terminals without block characters."""
    brightness = color.brightness if color else 0.0
    return " .:-=+*#"[min(7, 1 + int(brightness * 7))]
