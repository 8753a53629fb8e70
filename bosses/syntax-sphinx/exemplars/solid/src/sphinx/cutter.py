"""From text to tokens."""

import re
from dataclasses import dataclass

PATTERNS = [
    ("number", re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")),
    ("name", re.compile(r"[A-Za-z_][A-Za-z0-9_]*")),
    ("sign", re.compile(r"[-+*/%^(),]")),
]


@dataclass(frozen=True)
class Token:
    """A piece of the text and where it begins."""

    kind: str
    text: str
    position: int


def cut(text, position):
    """The next token from a position on; of kind "end" or "stray" where there is none."""
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    if position == len(text):
        return Token("end", "", position)
    for kind, pattern in PATTERNS:
        match = pattern.match(text, position)
        if match:
            return Token(kind, match.group(), position)
    return Token("stray", text[position], position)
