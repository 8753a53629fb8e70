"""The cells of every HP bar: life as a full block, ash once the boss fell, damage as a low bed of gold.

The three differ in height and texture, so that a bar is readable even without colour.
"""

from rich.style import Style

from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece

BED = 0.375
"""The height of settled damage, as a share of the bar's height."""
_GLOW_STEPS = 10
"""The number of shades of cooling damage; adjacent cells of one shade are written to the terminal together."""


def life(current_look: Look, accent: str, *, fallen: bool) -> Piece:
    """One cell of the boss's remaining life: in its accent while it is up, ash once it fell."""
    glyphs, palette = current_look.glyphs, current_look.palette
    return (glyphs.medium, palette.style("dim")) if fallen else (glyphs.full, palette.style(palette.accent(accent)))


def damage(current_look: Look, heat: float, *, row: int = 0, rows: int = 1) -> Piece:
    """One cell of damage: a white block at the blow, which sinks and cools to a bed of gold.

    Args:
        current_look: The current look.
        heat: From 1 at the blow to 0 once it has settled.
        row: The line of the bar, 0 for the topmost.
        rows: The height of the bar in lines.
    """
    glyphs, palette = current_look.glyphs, current_look.palette
    step = round(heat * _GLOW_STEPS) / _GLOW_STEPS
    height = round((BED + (1 - BED) * step) * 8 * rows)
    level = min(8, max(0, height - 8 * (rows - 1 - row)))
    return glyphs.levels[level], palette.style(palette.mix("molten", "flash", step), on="raised")


def gap(current_look: Look) -> Piece:
    """One cell between the damage of two criteria."""
    return " ", current_look.palette.style("ash", on="raised")


def notch(current_look: Look, accent: str, *, fallen: bool) -> Piece:
    """One cell of life with a thin cut, which marks where the boss falls."""
    style = life(current_look, accent, fallen=fallen)[1]
    if not current_look.glyphs.block_face or current_look.palette.ansi or fallen:
        return current_look.glyphs.hairline, style
    return current_look.glyphs.eighths[1], Style(color=current_look.palette.style("ground").color, bgcolor=style.color)


def edge(current_look: Look, life_cell: Piece, beside: Piece, part: int) -> Piece:
    """The cell in which life ends, to an eighth.

    Args:
        current_look: The current look.
        life_cell: A cell of the life to its left.
        beside: The cell of damage to its right.
        part: The number of eighths that are life, 1 to 7.
    """
    is_block = beside[0] == current_look.glyphs.full
    ground = beside[1].color if is_block else beside[1].bgcolor
    return current_look.glyphs.eighths[part], Style(color=life_cell[1].color, bgcolor=ground)
