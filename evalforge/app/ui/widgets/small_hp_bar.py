"""A small HP bar: struck metal from the left, the boss's HP to its right, the pass line while it lies ahead."""

from dataclasses import dataclass

from rich.style import Style

from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece

_GLOW_STEPS = 8


@dataclass(frozen=True)
class SmallHpBar:
    """What a small bar shows.

    Attributes:
        struck: The share that is drawn as struck.
        heat: How bright its end glows, 0 to 1.
        probed: Which share of the trials is over; the boss shows it while it is being judged.
        stand: ``waiting``, ``judging`` or anything that is settled.
        passes: The share from which on it passes.
    """

    struck: float
    heat: float = 0.0
    probed: float = 0.0
    stand: str = "waiting"
    passes: float = 1.0


def thin(bar: SmallHpBar, width: int, accent: str, here: Look) -> list[Piece]:
    """A bar of one line with air above it."""
    palette, glyphs = here.palette, here.glyphs
    edge = min(width, int(bar.struck * width + 0.5))
    judging = bar.stand == "judging"
    probed = min(width - edge, int(bar.probed * (width - edge) + 0.5)) if judging else 0
    glow = min(edge, 2) if bar.heat > 0 else 0
    quiet = palette.mix(palette.accent(accent), "ground", 0.5 if judging else 0.72 if bar.stand == "waiting" else 0.6)
    # In ASCII struck and standing would look alike but for their colour.
    standing = glyphs.bar if glyphs.block_face else glyphs.medium
    kept = standing if bar.stand in ("judging", "waiting") else glyphs.bar_rest
    role = "faint" if bar.stand == "waiting" and palette.ansi else quiet
    return [
        (glyphs.bar * (edge - glow), palette.style("molten")),
        (glyphs.bar * glow, palette.style(_glowing(bar.heat, here))),
        (standing * probed, palette.style(palette.accent(accent))),
        (kept * (width - edge - probed), palette.style(role)),
    ]


def thick(bar: SmallHpBar, width: int, accent: str, here: Look) -> list[Piece]:
    """A bar that fills its line, to an eighth of a cell."""
    palette, glyphs = here.palette, here.glyphs
    edge = bar.struck * width
    whole = min(width, int(edge))
    part = int((edge - whole) * 8 + 0.5) if glyphs.block_face and whole < width else 0
    glow = min(whole, max(1, width // 10)) if bar.heat > 0 else 0
    pieces: list[Piece] = [
        (glyphs.full * (whole - glow), palette.style("molten")),
        (glyphs.full * glow, palette.style(_glowing(bar.heat, here))),
    ]
    cells = [_boss_cell(bar, (x + 0.5) / width, accent, here) for x in range(whole, width)]
    if part and cells:
        under = cells[0][1].bgcolor
        glyph = glyphs.eighths[part] if part < 8 else glyphs.full
        cells[0] = (glyph, Style(color=palette.style("molten").color, bgcolor=under))
    tick = min(width - 1, int(bar.passes * width + 0.5)) - whole
    if (1 if part else 0) <= tick < len(cells) and bar.struck < bar.passes - 1e-9:
        mark = glyphs.eighths[1] if glyphs.block_face else glyphs.hairline
        ground = _boss_cell(bar, bar.passes, accent, here, bare=True)[1].bgcolor
        cells[tick] = (mark, Style(color=palette.style("ash").color, bgcolor=ground))
    return [*pieces, *cells]


def _boss_cell(bar: SmallHpBar, at: float, accent: str, here: Look, *, bare: bool = False) -> Piece:
    """What is left of the boss: bright where it was probed, dense where it may still fall, thin where it is kept.

    A bare cell is of the colour that its texture has from afar.
    """
    palette, glyphs = here.palette, here.glyphs
    ink = palette.accent(accent)
    if bar.stand == "judging" and at <= bar.struck + bar.probed * (1 - bar.struck):
        glyph, shade, depth, cover = glyphs.dense, 0.0, 0.58, 0.75
    elif bar.stand == "judging":
        glyph, shade, depth, cover = glyphs.medium, 0.42, 0.3, 0.5
    elif bar.stand == "waiting":
        glyph, shade, depth, cover = glyphs.medium, 0.66, 0.16, 0.5
    else:
        glyph, shade, depth, cover = glyphs.light, 0.55, 0.2, 0.25
    if palette.ansi:
        return glyph, palette.style(ink)
    front, back = palette.mix(ink, "ground", shade), palette.mix("ground", ink, depth)
    if bare:
        return " ", palette.style("ash", on=palette.mix(back, front, cover))
    return glyph, palette.style(front, on=back)


def _glowing(heat: float, here: Look) -> str:
    return here.palette.mix("molten", "flash", round(heat * _GLOW_STEPS) / _GLOW_STEPS)
