"""Python code as tokens that stay the same when names, comments, layout and constants are changed.

Nothing here parses: code that Python can't read is compared too, and no nesting is deep enough to do harm.
"""

import builtins
import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

_BUILTINS = frozenset(dir(builtins))
# From Python 3.12 on, an f-string comes in parts.
_STRINGS = frozenset({tokenize.STRING, getattr(tokenize, "FSTRING_START", tokenize.STRING)})
_STRING_REST = frozenset({getattr(tokenize, "FSTRING_MIDDLE", -1), getattr(tokenize, "FSTRING_END", -1)})
_UNSEEN = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_ENDS = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})
_LOOSE = re.compile(
    r"#[^\n]*|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<string>\"[^\"\n]*\"|'[^'\n]*')|(?P<other>\S)"
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
NAME, NUMBER, STRING = "v", "0", "''"


class _Kind(Enum):
    NAME = auto()
    NUMBER = auto()
    STRING = auto()
    OTHER = auto()
    END = auto()


class _Raw(NamedTuple):
    kind: _Kind
    text: str
    line: int


class Token(NamedTuple):
    """One token, normalised, and the line it stands on."""

    text: str
    line: int


def normalised(sources: Iterable[str]) -> list[list[Token]]:
    """The tokens of each file of one hand-in.

    What its author named becomes a placeholder; what others named (keywords, builtins, the standard library and its
    arguments) keeps its name. Comments, docstrings and layout are gone.

    Args:
        sources: Every Python file of it; names given in one are placeholders in all.
    """
    files = [_raw(source) for source in sources]
    named = frozenset(name for file in files for statement in _statements(file) for name in _named(statement))
    return [list(_normal(file, named - _BUILTINS)) for file in files]


def _raw(source: str) -> list[_Raw]:
    try:
        return list(_strict(source))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return list(_loose(source))


def _strict(source: str) -> Iterator[_Raw]:
    for kind, text, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(source).readline):
        if kind == tokenize.ERRORTOKEN:
            # Up to Python 3.11 one character is passed over and the rest of the line tried again, and so on: a long
            # line of quotes would take hours.
            raise SyntaxError(text)
        if kind in _ENDS:
            yield _Raw(_Kind.END, "", line)
        elif kind in _STRINGS:
            yield _Raw(_Kind.STRING, text, line)
        elif kind == tokenize.NAME:
            yield _Raw(_Kind.NAME, text, line)
        elif kind == tokenize.NUMBER:
            yield _Raw(_Kind.NUMBER, text, line)
        elif kind not in _UNSEEN and kind not in _STRING_REST:
            yield _Raw(_Kind.OTHER, text, line)


def _loose(source: str) -> Iterator[_Raw]:
    """Tokens of what Python can't read: each line is a statement."""
    kinds = {"name": _Kind.NAME, "number": _Kind.NUMBER, "string": _Kind.STRING, "other": _Kind.OTHER}
    for number, line in enumerate(source.split("\n"), start=1):
        for match in _LOOSE.finditer(line):
            if match.lastgroup:
                yield _Raw(kinds[match.lastgroup], match.group(), number)
        yield _Raw(_Kind.END, "", number)


def _statements(tokens: list[_Raw]) -> Iterator[list[_Raw]]:
    statement: list[_Raw] = []
    for token in tokens:
        if token.kind is _Kind.END:
            yield statement
            statement = []
        else:
            statement.append(token)
    yield statement


def _named(statement: list[_Raw]) -> Iterator[str]:
    """Names a statement gives: of functions, classes, parameters, variables, attributes and loops."""
    words = [token.text for token in statement]
    names = [token.kind is _Kind.NAME and not keyword.iskeyword(token.text) for token in statement]
    target = _last_assignment(words)
    is_definition = "def" in words[:2]
    looping = False
    for place, word in enumerate(words):
        looping = word == "for" or (looping and word != "in")
        if not names[place]:
            continue
        before = words[place - 1] if place else ""
        after = words[place + 1] if place + 1 < len(words) else ""
        assigned = place < target and after not in ("(", "[", ".")
        given = before in ("def", "class", "as", "lambda", "global", "nonlocal") or after == ":="
        parameter = is_definition and before in ("(", ",", "*", "**")
        if assigned or given or parameter or looping:
            yield word


def _last_assignment(words: list[str]) -> int:
    """Where the last ``=`` outside of brackets stands; 0 if there is none."""
    depth = last = 0
    for place, word in enumerate(words):
        depth += (word in _OPENING) - (word in _CLOSING)
        if word == "=" and depth <= 0:
            last = place
    return last


def _normal(tokens: list[_Raw], named: frozenset[str]) -> Iterator[Token]:
    for statement in _statements(tokens):
        if len(statement) == 1 and statement[0].kind is _Kind.STRING:
            continue  # a docstring, or a string nobody reads
        for kind, text, line in statement:
            if kind is _Kind.STRING:
                yield Token(STRING, line)
            elif kind is _Kind.NUMBER:
                yield Token(NUMBER, line)
            else:
                yield Token(NAME if kind is _Kind.NAME and text in named else text, line)
