"""Checks that a quote is in the submission and is code: an invented line proves nothing.

Models shorten quotes, squeeze their white space and miscount lines by one or two. So white space is ignored, a quote
may begin and end within a line, and it may be a few lines off.
"""

import io
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from evalforge.judges.reply import Quote
from evalforge.llm.submission_rendering import neutralize

_MAX_LINE_DISTANCE = 3
"""How many lines a quote may be from the line it names."""
_MIN_QUOTE_CHARS = 3
_PUNCTUATION = "()[]{},:;. "
"""Characters that aren't code by themselves."""
_WORD = re.compile(r"\S+")
_STRUCTURE = frozenset({"else", "try", "finally", "pass", "return", "break", "continue", "...", ":", ";", "None"})
_LAYOUT_TOKENS = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)
_NON_CODE_TOKENS = frozenset(
    number
    for name in ("COMMENT", "STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END", "NL", "NEWLINE", "INDENT",
                 "DEDENT", "ENCODING", "ENDMARKER")
    if (number := getattr(tokenize, name, None)) is not None
)  # fmt: skip


@dataclass(frozen=True)
class QuoteLocation:
    """Where a quote was found; ``is_code`` says whether it has code that does something.

    Comments, strings, imports and bare structure such as ``else:`` don't count.
    """

    path: str
    line: int
    text: str
    is_code: bool


@dataclass(frozen=True)
class _Line:
    """A line with single spaces, and the same line with everything but code blanked.

    ``x  =  "a"  # note`` has the text ``x = "a" # note`` and the code ``x =`` followed by blanks, equally long.
    """

    number: int
    text: str
    code: str

    def holds_code(self, begin: int, end: int) -> bool:
        """Whether there is code between two columns."""
        return bool(self.code[begin:end].strip(_PUNCTUATION))


@dataclass
class QuoteFinder:
    """Finds quotes in a submission as the model read it.

    Args:
        shown_lines: The lines of each file, by path.
    """

    shown_lines: Mapping[str, tuple[str, ...]]
    _lines_by_path: dict[str, list[_Line]] = field(default_factory=dict[str, list[_Line]])

    def find(self, quote: Quote) -> QuoteLocation | None:
        """Find a quote as near as possible to the line it names, preferably in code; None if it isn't near.

        White space and blank lines are ignored.
        """
        path = self._path(quote.path)
        quoted_lines = [squeezed for line in quote.text.split("\n") if (squeezed := " ".join(neutralize(line).split()))]
        if path is None or sum(map(len, quoted_lines)) < _MIN_QUOTE_CHARS:
            return None
        lines = self._lines(path)
        locations: list[QuoteLocation] = []
        for index, line in enumerate(lines):
            if abs(line.number - quote.line) > _MAX_LINE_DISTANCE:
                continue
            spans = _matching_spans(lines[index : index + len(quoted_lines)], quoted_lines)
            if spans:
                is_code = any(spanned.holds_code(begin, end) for spanned, begin, end in spans)
                locations.append(QuoteLocation(path, line.number, quote.text.strip(), is_code))
        return min(
            locations, key=lambda location: (not location.is_code, abs(location.line - quote.line)), default=None
        )

    def is_invented(self, quote: Quote) -> bool:
        """Whether a quote is nowhere in the file it names."""
        path = self._path(quote.path)
        if path is None:
            return True
        return all(self.find(replace(quote, line=line.number)) is None for line in self._lines(path))

    def _path(self, quoted_path: str) -> str | None:
        if quoted_path in self.shown_lines:
            return quoted_path
        plain_path = PurePosixPath(quoted_path.strip().removeprefix("./"))
        matching = [
            path for path in self.shown_lines if PurePosixPath(path) == plain_path or neutralize(path) == quoted_path
        ]
        return matching[0] if len(matching) == 1 else None

    def _lines(self, path: str) -> list[_Line]:
        """The lines of a file that aren't blank, with their code."""
        if path not in self._lines_by_path:
            shown_lines = self.shown_lines[path]
            masks = (
                _code_only(shown_lines)
                if PurePosixPath(path).suffix == ".py"
                else [" " * len(line) for line in shown_lines]
            )
            numbered = enumerate(zip(shown_lines, masks, strict=True), start=1)
            self._lines_by_path[path] = [
                _squeeze(number, line, mask) for number, (line, mask) in numbered if line.strip()
            ]
        return self._lines_by_path[path]


def _matching_spans(lines: list[_Line], quoted_lines: list[str]) -> list[tuple[_Line, int, int]]:
    """The columns of a quote in these lines, preferably where there is code; empty if it isn't there.

    A quote's first line may begin, and its last may end, within a line.
    """
    first, last = quoted_lines[0], quoted_lines[-1]
    if len(quoted_lines) == 1:
        # In ``log("total", total)`` the quote ``total`` matches a string before it matches code.
        spans = [(lines[0], match.start(), match.end()) for match in re.finditer(re.escape(first), lines[0].text)]
        return next(([span] for span in spans if span[0].holds_code(*span[1:])), spans[:1])
    if len(lines) != len(quoted_lines) or [line.text for line in lines[1:-1]] != quoted_lines[1:-1]:
        return []
    if not lines[0].text.endswith(first) or not lines[-1].text.startswith(last):
        return []
    return [
        (lines[0], len(lines[0].text) - len(first), len(lines[0].text)),
        *((line, 0, len(line.text)) for line in lines[1:-1]),
        (lines[-1], 0, len(last)),
    ]


def _squeeze(number: int, line: str, mask: str) -> _Line:
    words = list(_WORD.finditer(line))
    return _Line(
        number,
        " ".join(word.group() for word in words),
        " ".join(mask[word.start() : word.end()] for word in words),
    )


def _code_only(lines: tuple[str, ...]) -> list[str]:
    """Blank everything in the lines that isn't working code, keeping the columns.

    Blanked are comments, strings, imports, bare structure such as ``else:``, and everything after a line that Python
    can't read.
    """
    masks = [[" "] * len(line) for line in lines]
    statement: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            statement.append(token)
            if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                _unmask(statement, masks)
                statement = []
    except (tokenize.TokenError, SyntaxError, ValueError):
        _unmask(statement, masks)
    return ["".join(mask) for mask in masks]


def _unmask(statement: list[tokenize.TokenInfo], masks: list[list[str]]) -> None:
    """Restore the code of one statement, unless it is an import or bare structure."""
    tokens = [token for token in statement if token.type not in _LAYOUT_TOKENS]
    if not tokens or tokens[0].string in ("import", "from") or all(token.string in _STRUCTURE for token in tokens):
        return
    for token in tokens:
        (row, begin), (last_row, end) = token.start, token.end
        if token.type not in _NON_CODE_TOKENS and row == last_row and row <= len(masks):
            masks[row - 1][begin:end] = token.string
