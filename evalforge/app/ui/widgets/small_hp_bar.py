"""A small HP bar: the boss's life from the left, drained from its right end; ash once the boss fell."""

from typing import NamedTuple

from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.hp_bar_cells import damage, edge, life, notch
from evalforge.app.ui.widgets.painting import Piece
from evalforge.model.hp_chunks import cell_of

_TESTED_GLOW = 0.4
"""How much life that was tested by a trial is whitened."""


class SmallHpBar(NamedTuple):
    """The content of a small bar.

    Attributes:
        damage_share: The displayed damage share.
        heat: How bright the newest damage glows, 0 to 1.
        tested_share: The share of finished trials, shown in the life while the boss is judged.
        status: ``waiting``, ``judging`` or any settled status.
        pass_share: The damage share at which the boss falls.
    """

    damage_share: float
    heat: float = 0.0
    tested_share: float = 0.0
    status: str = "waiting"
    pass_share: float = 1.0

    @property
    def fallen(self) -> bool:
        """Whether the displayed boss has fallen."""
        return self.status != "waiting" and self.damage_share >= self.pass_share - 1e-9


def hp_runs(struck: float, width: int, current_look: Look, accent: str, *, fallen: bool) -> tuple[Run, Run]:
    """A bar as high as a line of text, in exactly this many cells: the boss's life, then the damage.

    Args:
        struck: The damage share, 0 to 1.
        width: The width in cells.
        current_look: The current look.
        accent: Role or colour of the boss's life.
        fallen: Whether the boss fell.
    """
    glyphs = current_look.glyphs
    left = cell_of(1 - struck, width)
    alive, ash = (glyphs.bar, glyphs.light) if glyphs.block_face else (glyphs.full, glyphs.medium)
    life_run = (ash * left, "dim") if fallen else (alive * left, accent)
    return life_run, (
        glyphs.bar_rest * (width - left),
        "molten",
    )


def thin(bar: SmallHpBar, width: int, accent: str, current_look: Look) -> list[Piece]:
    """A bar of one line with blank space above it."""
    palette = current_look.palette
    runs = hp_runs(bar.damage_share, width, current_look, palette.accent(accent), fallen=bar.fallen)
    (alive, role), (struck, gold) = runs
    tested = _tested_cells(bar, len(alive))
    glow = min(len(struck), 2) if bar.heat > 0 else 0
    return [
        (alive[:tested], palette.style(_tested_colour(role, current_look))),
        (alive[tested:], palette.style(role)),
        (struck[:glow], palette.style(palette.mix(gold, "flash", bar.heat))),
        (struck[glow:], palette.style(gold)),
    ]


def thick(bar: SmallHpBar, width: int, accent: str, current_look: Look) -> list[Piece]:
    """A bar that fills its line, precise to an eighth of a cell."""
    # Ash isn't drawn in eighths of a cell: its texture fills whole cells.
    end = float(cell_of(1 - bar.damage_share, width)) if bar.fallen else (1 - bar.damage_share) * width
    whole = min(width, int(end))
    eighths = int((end - whole) * 8 + 0.5) if current_look.glyphs.block_face and whole < width else 0
    alive, tested = life(current_look, accent, fallen=bar.fallen), _tested_cells(bar, whole)
    bright = current_look.palette.style(_tested_colour(current_look.palette.accent(accent), current_look))
    glow = min(width - whole, max(1, width // 10)) if bar.heat > 0 else 0
    cells = [(current_look.glyphs.dense if current_look.palette.ansi else alive[0], bright)] * tested + [alive] * (
        whole - tested
    )
    cells += [damage(current_look, bar.heat)] * glow + [damage(current_look, 0.0)] * (width - whole - glow)
    if eighths:
        cells[whole] = edge(current_look, alive, cells[whole], eighths) if eighths < 8 else alive
    tick = cell_of(1 - bar.pass_share, width)
    if 0 < tick < whole:
        cells[tick] = notch(current_look, accent, fallen=bar.fallen)
    return cells


def _tested_cells(bar: SmallHpBar, cells: int) -> int:
    """The number of life cells that trials have tested."""
    return min(cells, cell_of(bar.tested_share, cells)) if bar.status == "judging" else 0


def _tested_colour(accent: str, current_look: Look) -> str:
    return current_look.palette.mix(accent, "flash", _TESTED_GLOW)
