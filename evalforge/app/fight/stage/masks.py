"""The drawings of impostors: a mask before the player's tests have run on it, and its remains afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from evalforge.app.ui.text.styled_text import Runs
from evalforge.model.evidence import ImpostorFate


class MaskState(Enum):
    """The state of a mask, ordered by precedence when several share a cell."""

    LAUGHING = auto()
    SMIRKING = auto()
    STRUCK = auto()
    IN_PLACE = auto()
    NOT_TRIED = auto()
    SHATTERED = auto()


FINAL_STATES = {
    ImpostorFate.UNMASKED: MaskState.SHATTERED,
    ImpostorFate.LET_THROUGH: MaskState.LAUGHING,
    ImpostorFate.NOT_TRIED: MaskState.NOT_TRIED,
}
Drawing = tuple[Runs, ...]
"""The lines of one mask, each of the same width."""


@dataclass(frozen=True)
class MaskFormat:
    """One format for drawing masks.

    Attributes:
        width: The width of a mask in cells.
        gap: The cells between two masks.
        drawings: A drawing for each state.
    """

    width: int
    gap: int
    drawings: Mapping[MaskState, Drawing]

    @property
    def height(self) -> int:
        """The number of lines of a mask."""
        return len(self.drawings[MaskState.IN_PLACE])

    def masks_in(self, width: int) -> int:
        """How many masks fit on a line of this width."""
        return max(1, (width + self.gap) // (self.width + self.gap))

    def lines_for(self, count: int, width: int) -> int:
        """How many lines this many masks need."""
        return -(-count // self.masks_in(width)) * self.height


def _plain(top: str, bottom: str, role: str) -> Drawing:
    return ((top, role),), ((bottom, role),)


_FACES: dict[MaskState, Drawing] = {
    MaskState.IN_PLACE: _plain("▄▄▄▄▄", "▀▄█▄▀", "steel"),
    MaskState.STRUCK: _plain("▄▄ ▄▄", "▀▄▀▄▀", "flash"),
    MaskState.SHATTERED: (
        ((" ·", "faint"), (" ", ""), ("· ", "ember")),
        (("▁▂", "faint"), ("✓", "bold verdigris"), ("▂▁", "faint")),
    ),
    MaskState.LAUGHING: ((("▄ ▄ ▄", "steel"),), (("▀█▄█▀", "blood"),)),
    MaskState.SMIRKING: ((("▄▄▄▄▄", "steel"),), (("▀▄█▄▀", "blood"),)),
    MaskState.NOT_TRIED: _plain("▄▄▄▄▄", "· · ·", "faint"),
}
_ASCII_FACES: dict[MaskState, Drawing] = {
    MaskState.IN_PLACE: _plain("(o_o)", " |=| ", "steel"),
    MaskState.STRUCK: _plain("(o/o)", " /=| ", "flash"),
    MaskState.SHATTERED: (
        ((" . . ", "ember"),),
        ((".,", "faint"), ("+", "bold verdigris"), (",.", "faint")),
    ),
    MaskState.LAUGHING: _plain("(^_^)", " \\x/ ", "blood"),
    MaskState.SMIRKING: _plain("(^_^)", " -x/ ", "blood"),
    MaskState.NOT_TRIED: _plain("(   )", " ... ", "faint"),
}


def _small(mask: str, role: str, mark: str, mark_role: str) -> tuple[Drawing, Drawing]:
    """A mask of one cell above its mark, and a single-line version: the mark, or the mask while it has none."""
    has_mark = bool(mark.strip())
    return (((mask, role),), ((mark, mark_role),)), (((mark, mark_role) if has_mark else (mask, role),),)


def _small_formats(dense: str, light: str, full: str, passed: str, failed: str, dot: str) -> tuple[MaskFormat, ...]:
    """Formats with masks of one cell, from the most detailed to the smallest."""
    drawings = {
        MaskState.IN_PLACE: _small(dense, "steel", " ", ""),
        MaskState.STRUCK: _small(full, "flash", " ", ""),
        MaskState.SHATTERED: _small(light, "faint", passed, "verdigris"),
        MaskState.LAUGHING: _small(full, "steel", failed, "bold blood"),
        MaskState.SMIRKING: _small(dense, "steel", failed, "bold blood"),
        MaskState.NOT_TRIED: _small(dense, "faint", dot, "faint"),
    }
    tall = {state: drawing for state, (drawing, _) in drawings.items()}
    flat = {state: drawing for state, (_, drawing) in drawings.items()}
    return MaskFormat(1, 1, tall), MaskFormat(1, 0, tall), MaskFormat(1, 1, flat), MaskFormat(1, 0, flat)


FORMATS = (MaskFormat(5, 1, _FACES), *_small_formats("▓", "░", "█", "✓", "✗", "·"))
"""The formats, from the most detailed to the smallest."""
ASCII_FORMATS = (MaskFormat(5, 1, _ASCII_FACES), *_small_formats("=", ".", "#", "+", "x", "."))
