"""The cells of the HP bar: struck metal that glows and cools, and the boss that is still there."""

from rich.color import Color

from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece

_GLOW_STEPS = 10
"""Shades of glowing metal; neighbours of one shade are written to the terminal as one."""


def struck_cells(here: Look, count: int, width: int, struck: float, ghost: float, heat: float) -> list[Piece]:
    """The first cells of struck metal: molten where it has cooled, towards white where the blow fell.

    Args:
        here: How things look.
        count: How many cells.
        width: Cells of the whole bar.
        struck: The share of the bar that is struck, 0..1.
        ghost: Up to where it has cooled, 0..1.
        heat: How bright the rest glows, 0..1.
    """
    cool = here.glyphs.full, here.palette.style("molten")
    span = struck - ghost
    if span <= 1e-6 or heat <= 0:
        return [cool] * count
    shades = [_shade(here, step / _GLOW_STEPS) for step in range(_GLOW_STEPS + 1)]
    cells: list[Piece] = []
    for x in range(count):
        lit = ((x + 0.5) / width - ghost) / span
        glow = heat * min(1.0, 0.35 + 0.65 * lit)
        cells.append(shades[round(glow * _GLOW_STEPS)] if lit > 0 else cool)
    return cells


def _shade(here: Look, glow: float) -> Piece:
    glyph = here.glyphs.dense if here.palette.ansi else here.glyphs.full
    return glyph, here.palette.style(here.palette.mix("molten", "flash", glow))


def boss_cell(here: Look, accent_name: str, *, kept: bool) -> Piece:
    """A cell of the boss in its accent: dense where it may still fall, thin where it is kept."""
    palette, accent = here.palette, here.palette.accent(accent_name)
    ink, depth = (palette.mix(accent, "ground", 0.25), 0.38) if kept else (accent, 0.58)
    glyph = here.glyphs.light if kept else here.glyphs.medium
    if palette.ansi:
        return glyph, palette.style(ink)
    return glyph, palette.style(
        palette.mix(ink, "ground", 0.35 if kept else 0.12), on=palette.mix("ground", accent, depth)
    )


def beside(here: Look, cell: Piece) -> Color | None:
    """What a sign that takes part of a cell leaves of it: the shade that its texture makes from afar."""
    glyph, style = cell
    glyphs, palette = here.glyphs, here.palette
    if glyph == glyphs.full and glyphs.block_face:
        return style.color
    if palette.ansi or style.color is None or style.bgcolor is None:
        return style.bgcolor
    share = {glyphs.medium: 0.5, glyphs.light: 0.25}.get(glyph, 0.0)
    ground, ink = (color.get_truecolor().hex for color in (style.bgcolor, style.color))
    return palette.style("", on=palette.mix(ground, ink, share)).bgcolor
