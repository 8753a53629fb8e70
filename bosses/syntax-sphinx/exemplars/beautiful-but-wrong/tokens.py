"""Cutting a text into tokens, one at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLANK = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>[-+*/%^(),])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text. Its kind is number, name, sign, end or stray."""

    kind: str
    text: str
    position: int


def token_from(text: str, position: int) -> Token:
    """The first token from a position on."""
    blank = _BLANK.match(text, position)
    start = blank.end() if blank else position
    match = _TOKEN.match(text, start)
    if match:
        return Token(match.lastgroup or "", match.group(), start)
    return Token("stray" if start < len(text) else "end", text[start : start + 1], start)
