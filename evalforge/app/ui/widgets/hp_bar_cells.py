"""How every HP bar is drawn: life as full blocks in the boss's accent, and an empty track where it was struck off.

The two differ in texture, so that a bar is readable even without colour.
"""

from typing import NamedTuple

from rich.style import Style

from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.painting import Piece
from evalforge.model.hp import life_cells

_GLOW_STEPS = 10
"""The number of shades of a fading glow; adjacent cells of one shade are written to the terminal together."""
_CRACK_EVERY = 3
"""One cell in so many is cracked: denser, it would look like life already lost."""


class BarMoment(NamedTuple):
    """What a bar shows at a moment, as shares of the boss's life, 0..1.

    Attributes:
        life: The life left.
        before: The life before the newest change: more if it was struck off, less if it healed.
        heat: How bright the newest change glows, from 1 at once to 0 when all is settled.
        cracked: The life at the end that trials have cracked; nothing of it is lost yet.
        entered: The life with which the boss entered; the track is heavier where this attempt struck it off.
    """

    life: float
    before: float
    heat: float = 0.0
    cracked: float = 0.0
    entered: float = 0.0


def bar_cells(
    moment: BarMoment, width: int, current_look: Look, accent: str, row: int = 0, rows: int = 1
) -> list[Piece]:
    """One line of a bar, a piece for each cell.

    Args:
        moment: What it shows.
        width: The width in cells.
        current_look: The current look.
        accent: Role or colour of the boss's life.
        row: The line of the bar, 0 for the topmost.
        rows: The height of the bar in lines, 1 or 2.
    """
    glyphs, palette = current_look.glyphs, current_look.palette
    alive = palette.style(palette.accent(accent))
    heat = round(moment.heat * _GLOW_STEPS) / _GLOW_STEPS
    life, before = (life_cells(share, width) for share in (moment.life, moment.before))
    cells = [(glyphs.full, alive)] * life
    end = life
    if heat > 0 and before > life:  # a ghost that fades from white
        cells += [(glyphs.full, palette.style(palette.mix("ground", "flash", heat)))] * (before - life)
        end = before
    elif heat > 0:  # blood, which settles in the accent
        blood = palette.style(palette.mix(palette.accent(accent), "blood", min(1.0, 2 * heat)))
        cells[before:] = [(glyphs.full, blood)] * (life - before)
    track, struck = (glyphs.rule, glyphs.thick_rule) if rows == 1 else (glyphs.bar_rest, glyphs.bar_struck)
    struck_now = max(0, life_cells(moment.entered, width) - end)
    if row > 0:
        track = struck = " "
    cells += [(struck, palette.style("dim"))] * struck_now
    cells += [(track, palette.style("faint"))] * (width - end - struck_now)
    for column in range(life - 1, life_cells(max(0.0, moment.life - moment.cracked), width) - 1, -_CRACK_EVERY):
        cells[column] = (glyphs.dense, alive)
    eighths = int(moment.life * width % 1 * 8) if heat > 0 and glyphs.block_face else 0
    if eighths and life < end:
        cells[life] = glyphs.eighths[eighths], Style(color=alive.color, bgcolor=cells[life][1].color)
    return cells


def gold_line(share: float, width: int, current_look: Look) -> list[Piece]:
    """The line of what is won beyond the mark, with a share of gold."""
    glyphs, palette = current_look.glyphs, current_look.palette
    cells = life_cells(share, width)
    return [
        (glyphs.thick_rule * cells, palette.style("molten", bold=True)),
        (glyphs.dashes * (width - cells), palette.style("faint")),
    ]


def hp_runs(life: float, width: int, current_look: Look, accent: str) -> tuple[Run, Run]:
    """A bar as high as a line of text, in exactly this many cells: the boss's life, then the track.

    Args:
        life: The life left, 0..1.
        width: The width in cells.
        current_look: The current look.
        accent: Role or colour of the boss's life.
    """
    glyphs = current_look.glyphs
    cells = life_cells(life, width)
    return (glyphs.bar * cells, accent), (glyphs.bar_rest * (width - cells), "faint")
