"""The look in roles: every theme defines the same dozen, and everything that is drawn uses a role."""

from functools import lru_cache
from typing import NamedTuple

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

DEFAULT_THEME = "ember"
_ANSI_INK = "ansi_default"


class Palette(NamedTuple):
    """The colour of each role in one theme.

    ``ember`` is what you do, ``molten`` what you earned, ``steel`` the boss and what is still locked, ``blood`` failure
    and danger, ``verdigris`` passed. ``ash``, ``dim`` and ``faint`` are three strengths of ink; ``flash`` is the moment
    of a blow. Values are ``#rrggbb``, or ``ansi_*`` names in the theme that keeps the terminal's own colours.
    """

    ground: str
    raised: str
    rule: str
    ash: str
    dim: str
    faint: str
    ember: str
    molten: str
    steel: str
    blood: str
    verdigris: str
    flash: str
    dark: bool = True
    ansi: bool = False

    def color(self, role: str) -> str:
        """The colour of a role; anything that isn't a role is taken as a colour."""
        return str(getattr(self, role, role))

    def style(self, role: str, on: str = "", bold: bool = False) -> Style:
        """A Rich style in a role's colour, for lines drawn cell by cell."""
        return _style(self.color(role), self.color(on) if on else "", bold)

    def accent(self, color: str) -> str:
        """A boss's accent, adjusted until it is readable on this background."""
        return _legible(color, self)

    def mix(self, first: str, second: str, share: float) -> str:
        """The colour a share of the way from one role or colour to another."""
        colour, other = self.color(first), self.color(second)
        if self.ansi:
            return other if share >= 0.5 else colour
        return _blend(colour, other, share)


@lru_cache(maxsize=4096)
def _blend(first: str, second: str, share: float) -> str:
    return Color.parse(first).blend(Color.parse(second), share).hex6


@lru_cache(maxsize=4096)
def _style(ink: str, ground: str, bold: bool) -> Style:
    return Style(
        color=Color.parse(ink).rich_color if ink else None,
        bgcolor=Color.parse(ground).rich_color if ground else None,
        bold=bold or None,
    )


@lru_cache(maxsize=256)
def _legible(accent: str, palette: Palette) -> str:
    if palette.ansi:
        return palette.steel
    color, ground = Color.parse(accent), Color.parse(palette.ground)
    target = Color.parse(palette.ash)
    for _ in range(8):
        if _contrast(color, ground) >= 3.2:
            break
        color = color.blend(target, 0.18)
    return color.hex6


def _contrast(colour: Color, other: Color) -> float:
    """The WCAG contrast of two colours, 1 to 21."""
    first, second = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (first + 0.05) / (second + 0.05)


def _luminance(color: Color) -> float:
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


PALETTES: dict[str, Palette] = {
    # A forge at night.
    "ember": Palette(
        ground="#16110e", raised="#211a16", rule="#3b3029", ash="#e0d6ca", dim="#9c8f83", faint="#65584e",
        ember="#ff8d42", molten="#ffc84d", steel="#8ea9bd", blood="#f0625a", verdigris="#6cc2a1", flash="#fff6e0",
    ),
    # The same forge after the quench: blue hour, cold water.
    "quench": Palette(
        ground="#0e1519", raised="#172127", rule="#2a3942", ash="#d3dee2", dim="#8799a2", faint="#52636c",
        ember="#f59a5f", molten="#f2cf6b", steel="#7fb4d6", blood="#ec6a73", verdigris="#68c7b4", flash="#f1fbff",
    ),
    # Daylight on paper.
    "vellum": Palette(
        ground="#f5f0e6", raised="#eae2d3", rule="#d2c6b2", ash="#2c241d", dim="#6d6155", faint="#a2947f",
        ember="#b2470a", molten="#8a5b00", steel="#3f6079", blood="#b3261e", verdigris="#1d6e54", flash="#5b2a00",
        dark=False,
    ),
    # High contrast: only pure colours.
    "anvil": Palette(
        ground="#000000", raised="#1c1c1c", rule="#8a8a8a", ash="#ffffff", dim="#dcdcdc", faint="#a8a8a8",
        ember="#ffa250", molten="#ffe24a", steel="#9fd0ff", blood="#ff7a7a", verdigris="#6fffb4", flash="#ffffff",
    ),
    # The terminal's own sixteen colours.
    "terminal": Palette(
        ground=_ANSI_INK, raised=_ANSI_INK, rule="ansi_bright_black", ash=_ANSI_INK, dim="ansi_white",
        faint="ansi_bright_black", ember="ansi_bright_yellow", molten="ansi_yellow", steel="ansi_cyan",
        blood="ansi_red",
        verdigris="ansi_green", flash="ansi_bright_white", ansi=True,
    ),
}  # fmt: skip


def css_variables(palette: Palette) -> dict[str, str]:
    """The roles as variables for our style sheets: ``$ember``, ``$rule`` and so on."""
    return {name: value for name, value in palette._asdict().items() if isinstance(value, str)}


def _textual_theme(name: str, palette: Palette) -> Theme:
    p = palette
    cursor = {
        "block-cursor-foreground": p.ground if not p.ansi else "ansi_black",
        "block-cursor-background": p.ember,
        "input-cursor-foreground": p.ground if not p.ansi else "ansi_black",
        "input-cursor-background": p.ember,
        "input-selection-background": p.rule,
        "scrollbar": p.rule,
        "scrollbar-hover": p.faint,
        "scrollbar-active": p.ember,
        "scrollbar-background": p.ground,
        "scrollbar-background-hover": p.ground,
        "scrollbar-background-active": p.ground,
        "scrollbar-corner-color": p.ground,
        "border": p.ember,
        "border-blurred": p.rule,
    }
    if p.ansi:
        cursor |= {"ansi-background": "ansi_black", "ansi-foreground": "ansi_white"}
    return Theme(
        name=name, primary=p.ember, secondary=p.steel, accent=p.molten, warning=p.molten, error=p.blood,
        success=p.verdigris, foreground=p.ash, background=p.ground, surface=p.ground, panel=p.raised,
        boost=p.raised, dark=p.dark, ansi=p.ansi, variables=css_variables(p) | cursor,
    )  # fmt: skip


def textual_themes() -> dict[str, Theme]:
    """Our themes in Textual's terms, by name."""
    return {name: _textual_theme(name, palette) for name, palette in PALETTES.items()}
