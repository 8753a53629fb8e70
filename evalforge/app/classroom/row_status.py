"""How a row's state is shown: a glyph, a role, a word. The glyphs alone are distinct, even in ASCII."""

from rich.cells import cell_len

from evalforge.app.classroom.class_state import JUDGING, WAITING
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.model.text import clean_line

STATUSES = (
    "strong_pass", "pass", "borderline", "fail", "ungraded", "unusable", "absent", JUDGING, WAITING,
)  # fmt: skip
"""The order in which states are listed."""
_ROLES = {
    **VERDICT_ROLES, "ungraded": "blood", "unusable": "blood", "absent": "faint", JUDGING: "ember", WAITING: "faint",
}  # fmt: skip
_MIN_LAST_WORD_CHARS = 4
"""A shorter word at the end of a cut label is an article or the like."""
_ASCII = {"borderline": "~", JUDGING: "#", "strong_pass": "*"}


def status_glyph(status: str, glyphs: Glyphs) -> str:
    """The glyph of a state, one cell wide."""
    if not glyphs.block_face and status in _ASCII:
        return _ASCII[status]
    return {
        "strong_pass": glyphs.star,
        "pass": glyphs.passed,
        "borderline": glyphs.half_pip,
        "fail": glyphs.failed,
        "ungraded": "!",
        "unusable": "?",
        "absent": "-",
        JUDGING: glyphs.pip,
    }.get(status, glyphs.dot)


def status_role(status: str) -> str:
    """The role whose colour a state is drawn in."""
    return _ROLES.get(status, "dim")


def status_word(status: str) -> str:
    """The state in a word."""
    return VERDICT_WORDS.get(status, status)


def first_words(label: str, width: int) -> str:
    """A criterion's label in as many of its words as fit; at least one."""
    words = clean_line(label).lower().split()
    left_words = words[:]
    while len(left_words) > 1 and (
        cell_len(" ".join(left_words)) > width or (left_words != words and len(left_words[-1]) < _MIN_LAST_WORD_CHARS)
    ):
        left_words.pop()
    return " ".join(left_words).rstrip(",&/- ")
