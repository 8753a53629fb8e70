"""The lexer: from text to tokens."""

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sphinx.errors import ParseError


class Kind(enum.Enum):
    """What a token is."""

    NUMBER = enum.auto()
    NAME = enum.auto()
    SYMBOL = enum.auto()
    END = enum.auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and where in the text it begins."""

    kind: Kind
    text: str
    position: int

    def is_symbol(self, *symbols: str) -> bool:
        """Whether the token is one of some symbols."""
        return self.kind is Kind.SYMBOL and self.text in symbols


_RULES: tuple[tuple[Kind | None, re.Pattern[str]], ...] = (
    (None, re.compile(r"[ \t\r\n]+")),
    (Kind.NUMBER, re.compile(r"[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")),
    (Kind.NAME, re.compile(r"[A-Za-z_][A-Za-z_0-9]*")),
    (Kind.SYMBOL, re.compile(r"[-+*/%^(),]")),
)


class Lexer:
    """Cuts one text into tokens."""

    def __init__(self, text: str) -> None:
        self._text = text

    def tokens(self) -> Iterator[Token]:
        """All tokens of the text, the last of which is END."""
        position = 0
        while position < len(self._text):
            kind, length = self._longest(position)
            if kind is not None:
                yield Token(kind, self._text[position : position + length], position)
            position += length
        yield Token(Kind.END, "", position)

    def _longest(self, position: int) -> tuple[Kind | None, int]:
        for kind, pattern in _RULES:
            if match := pattern.match(self._text, position):
                return kind, len(match.group())
        raise ParseError(f"unknown character {self._text[position]!r}", position)
