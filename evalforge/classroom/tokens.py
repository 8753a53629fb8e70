"""Normalizes Python code to tokens that don't change with names, comments, layout or constants.

``total = price * 3  # gross`` and ``sum_ = cost * 7`` both become ``v = v * 0``. Nothing here parses: code with syntax
errors is compared too, and deep nesting does no harm.
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
# From Python 3.12 on, an f-string is several tokens.
_STRINGS = frozenset({tokenize.STRING, getattr(tokenize, "FSTRING_START", tokenize.STRING)})
_STRING_PARTS = frozenset({getattr(tokenize, "FSTRING_MIDDLE", -1), getattr(tokenize, "FSTRING_END", -1)})
_IGNORED = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_STATEMENT_ENDS = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})
_LOOSE_TOKEN = re.compile(
    r"#[^\n]*|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<string>\"[^\"\n]*\"|'[^'\n]*')|(?P<other>\S)"
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
# The placeholders for names, numbers and strings.
NAME, NUMBER, STRING = "v", "0", "''"


class _TokenType(Enum):
    NAME = auto()
    NUMBER = auto()
    STRING = auto()
    OTHER = auto()
    END = auto()


class _RawToken(NamedTuple):
    type: _TokenType
    text: str
    line: int


class Token(NamedTuple):
    """A normalized token, and the line it is on."""

    text: str
    line: int


def normalized_tokens(sources: Iterable[str]) -> list[list[Token]]:
    """Return the normalized tokens of each file of one submission.

    Names that its author defines become placeholders; other names (keywords, builtins, the standard library, its
    arguments) remain. Comments, docstrings and layout are dropped.

    Args:
        sources: All its Python files; a name defined in one of them becomes a placeholder in all.
    """
    files = [_raw_tokens(source) for source in sources]
    statements = (statement for file in files for statement in _statements(file))
    own_names = frozenset(name for statement in statements for name in _defined_names(statement)) - _BUILTINS
    return [list(_normalize(file, own_names)) for file in files]


def _raw_tokens(source: str) -> list[_RawToken]:
    try:
        return list(_tokenize_strictly(source))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return list(_tokenize_loosely(source))


def _tokenize_strictly(source: str) -> Iterator[_RawToken]:
    for kind, text, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(source).readline):
        if kind == tokenize.ERRORTOKEN:
            # Up to Python 3.11 the tokenizer skips one character and retries the rest of the line: a long line of
            # quotes would take hours.
            raise SyntaxError(text)
        if kind in _STATEMENT_ENDS:
            yield _RawToken(_TokenType.END, "", line)
        elif kind in _STRINGS:
            yield _RawToken(_TokenType.STRING, text, line)
        elif kind == tokenize.NAME:
            yield _RawToken(_TokenType.NAME, text, line)
        elif kind == tokenize.NUMBER:
            yield _RawToken(_TokenType.NUMBER, text, line)
        elif kind not in _IGNORED and kind not in _STRING_PARTS:
            yield _RawToken(_TokenType.OTHER, text, line)


def _tokenize_loosely(source: str) -> Iterator[_RawToken]:
    """Yield tokens of code with syntax errors, by regular expression: each line is a statement."""
    types = {
        "name": _TokenType.NAME,
        "number": _TokenType.NUMBER,
        "string": _TokenType.STRING,
        "other": _TokenType.OTHER,
    }
    for number, line in enumerate(source.split("\n"), start=1):
        for match in _LOOSE_TOKEN.finditer(line):
            if match.lastgroup:
                yield _RawToken(types[match.lastgroup], match.group(), number)
        yield _RawToken(_TokenType.END, "", number)


def _statements(tokens: list[_RawToken]) -> Iterator[list[_RawToken]]:
    statement: list[_RawToken] = []
    for token in tokens:
        if token.type is _TokenType.END:
            yield statement
            statement = []
        else:
            statement.append(token)
    yield statement


def _defined_names(statement: list[_RawToken]) -> Iterator[str]:
    """Yield the names a statement defines: functions, classes, parameters, variables, attributes and loop variables."""
    texts = [token.text for token in statement]
    is_name = [token.type is _TokenType.NAME and not keyword.iskeyword(token.text) for token in statement]
    assignment = _last_assignment(texts)
    is_definition = "def" in texts[:2]
    is_loop_target = False
    for index, text in enumerate(texts):
        is_loop_target = text == "for" or (is_loop_target and text != "in")
        if not is_name[index]:
            continue
        before = texts[index - 1] if index else ""
        after = texts[index + 1] if index + 1 < len(texts) else ""
        is_assigned = index < assignment and after not in ("(", "[", ".")
        is_declared = before in ("def", "class", "as", "lambda", "global", "nonlocal") or after == ":="
        is_parameter = is_definition and before in ("(", ",", "*", "**")
        if is_assigned or is_declared or is_parameter or is_loop_target:
            yield text


def _last_assignment(texts: list[str]) -> int:
    """The index of the last ``=`` outside brackets; 0 if there is none."""
    depth = last = 0
    for index, text in enumerate(texts):
        depth += (text in _OPENING) - (text in _CLOSING)
        if text == "=" and depth <= 0:
            last = index
    return last


def _normalize(tokens: list[_RawToken], own_names: frozenset[str]) -> Iterator[Token]:
    for statement in _statements(tokens):
        if len(statement) == 1 and statement[0].type is _TokenType.STRING:
            continue  # a docstring, or a string without effect
        for token_type, text, line in statement:
            if token_type is _TokenType.STRING:
                yield Token(STRING, line)
            elif token_type is _TokenType.NUMBER:
                yield Token(NUMBER, line)
            else:
                yield Token(NAME if token_type is _TokenType.NAME and text in own_names else text, line)
