"""How a row's state is said: a sign, a role, a word. The sign alone tells them apart, in ASCII as well."""

from rich.cells import cell_len

from evalforge.app.classroom.class_state import JUDGING, WAITING
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.model.text import clean_line

STANDS = (
    "strong_pass", "pass", "borderline", "fail", "ungraded", "unusable", "absent", JUDGING, WAITING,
)  # fmt: skip
"""In the order they are told in."""
_ROLES = {
    **VERDICT_ROLES, "ungraded": "blood", "unusable": "blood", "absent": "faint", JUDGING: "ember", WAITING: "faint",
}  # fmt: skip
_SAYS_LITTLE = 4
"""A shorter word at the end of a cut label is an article or the like."""
_ASCII = {"borderline": "~", JUDGING: "#", "strong_pass": "*"}


def sign(stand: str, glyphs: Glyphs) -> str:
    """The sign of a state, one cell wide."""
    if not glyphs.block_face and stand in _ASCII:
        return _ASCII[stand]
    return {
        "strong_pass": glyphs.star,
        "pass": glyphs.passed,
        "borderline": glyphs.half_pip,
        "fail": glyphs.failed,
        "ungraded": "!",
        "unusable": "?",
        "absent": "-",
        JUDGING: glyphs.pip,
    }.get(stand, glyphs.dot)


def role(stand: str) -> str:
    """The role a state is drawn in."""
    return _ROLES.get(stand, "dim")


def word(stand: str) -> str:
    """The state in a word."""
    return VERDICT_WORDS.get(stand, stand)


def brief(label: str, width: int) -> str:
    """A criterion's label in as many of its words as there is room for; at least one."""
    words = clean_line(label).lower().split()
    kept = words[:]
    while len(kept) > 1 and (cell_len(" ".join(kept)) > width or (kept != words and len(kept[-1]) < _SAYS_LITTLE)):
        kept.pop()
    return " ".join(kept).rstrip(",&/- ")
