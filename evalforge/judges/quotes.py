"""Whether a quote is in the submission, and whether it is code: what isn't there is no evidence."""

import io
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from evalforge.judges.rendering import neutral
from evalforge.judges.reply import Quote

_NEAR = 3
"""How many lines a quote may stand from where it is said to stand."""
_SHORTEST = 3
_BARE = "()[]{},:;. "
"""Signs that are no code by themselves."""
_WORD = re.compile(r"\S+")
_SILENT = frozenset(
    number
    for name in ("COMMENT", "STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END", "NL", "NEWLINE", "INDENT",
                 "DEDENT", "ENCODING", "ENDMARKER")
    if (number := getattr(tokenize, name, None)) is not None
)  # fmt: skip


@dataclass(frozen=True)
class Found:
    """Where a quote really stands; ``is_code`` tells whether code that runs is in it."""

    path: str
    line: int
    text: str
    is_code: bool


@dataclass(frozen=True)
class _Line:
    """A line with its white space squeezed, and the same with everything blanked that isn't code."""

    text: str
    code: str

    def holds_code(self, begin: int, end: int) -> bool:
        return bool(self.code[begin:end].strip(_BARE))


@dataclass
class QuoteBook:
    """Looks quotes up in a submission as the model was shown it.

    Args:
        shown: The lines of each file, by path.
    """

    shown: Mapping[str, tuple[str, ...]]
    _read: dict[str, list[tuple[int, _Line]]] = field(default_factory=dict[str, list[tuple[int, _Line]]])

    def find(self, quote: Quote) -> Found | None:
        """The place of a quote, nearest to the line it names, at most a few lines from it; None if it isn't there.

        Lines are compared without regard to white space; blank ones don't count.
        """
        path = self._path(quote.path)
        wanted = [squeezed for line in quote.text.split("\n") if (squeezed := " ".join(neutral(line).split()))]
        if path is None or not wanted or sum(map(len, wanted)) < _SHORTEST:
            return None
        lines = self._lines(path)
        best: Found | None = None
        for index, (number, _) in enumerate(lines):
            if abs(number - quote.line) > _NEAR:
                continue
            is_code = _match(lines, index, wanted)
            if is_code is None:
                continue
            found = Found(path, number, quote.text.strip(), is_code)
            if best is None or _better(found, best, quote.line):
                best = found
        return best

    def _path(self, given: str) -> str | None:
        if given in self.shown:
            return given
        wanted = PurePosixPath(given.strip().removeprefix("./"))
        matching = [path for path in self.shown if PurePosixPath(path) == wanted or neutral(path) == given]
        return matching[0] if len(matching) == 1 else None

    def _lines(self, path: str) -> list[tuple[int, _Line]]:
        if path not in self._read:
            shown = self.shown[path]
            masks = _code_only(shown) if PurePosixPath(path).suffix == ".py" else [" " * len(line) for line in shown]
            pairs = enumerate(zip(shown, masks, strict=True), start=1)
            self._read[path] = [(number, _squeeze(line, mask)) for number, (line, mask) in pairs if line.strip()]
        return self._read[path]


def _better(found: Found, best: Found, line: int) -> bool:
    if found.is_code != best.is_code:
        return found.is_code
    return abs(found.line - line) < abs(best.line - line)


def _match(lines: list[tuple[int, _Line]], index: int, wanted: list[str]) -> bool | None:
    """Whether a quote that begins on this line holds code; None if it doesn't begin here.

    A quote's first line may begin, and its last may end, within a line.
    """
    span = [line for _, line in lines[index : index + len(wanted)]]
    first, last = wanted[0], wanted[-1]
    if len(wanted) == 1:
        begin = span[0].text.find(first)
        return None if begin < 0 else span[0].holds_code(begin, begin + len(first))
    whole = [line.text for line in span[1:-1]] == wanted[1:-1]
    if len(span) != len(wanted) or not whole or not span[0].text.endswith(first) or not span[-1].text.startswith(last):
        return None
    return (
        span[0].holds_code(len(span[0].text) - len(first), len(span[0].text))
        or span[-1].holds_code(0, len(last))
        or any(line.holds_code(0, len(line.text)) for line in span[1:-1])
    )


def _squeeze(line: str, mask: str) -> _Line:
    words = list(_WORD.finditer(line))
    return _Line(
        " ".join(word.group() for word in words),
        " ".join(mask[word.start() : word.end()] for word in words),
    )


def _code_only(lines: tuple[str, ...]) -> list[str]:
    """The lines with comments and strings blanked, character for character. Code ends where it can't be read."""
    masks = [[" "] * len(line) for line in lines]
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            (row, begin), (last, end) = token.start, token.end
            if token.type not in _SILENT and row == last and row <= len(masks):
                masks[row - 1][begin:end] = token.string
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return ["".join(mask) for mask in masks]
