"""Prose and contracts as lines: those that only a page's edge broke are joined, and wrapped where asked."""

import re
import textwrap
from collections.abc import Iterable, Iterator

_TEXT = re.compile(r"\s*(?:(?:[-·*]|\d+\.) +|(?:\S+ )*\S+ {2,}(?=\S))?")
"""What precedes a line's text: its indent, and a mark or a first column."""
_SIGNATURE = re.compile(r"\s*[\w.]+\(")
_PAGE = 96
"""A line that had no room for the next line's first word below this width was wrapped, not broken on purpose."""
_FENCE = "```"
_CODE_INDENT = 4
"""A line after an empty one that is indented by so much more than the text before it begins an example."""


def join_lines(text: str) -> list[str]:
    """The lines of a text as they were meant: a sentence that goes on in the next line is joined with it."""
    lines: list[str] = []
    for line, is_code in _with_code(text.strip("\n").splitlines()):
        if lines and not is_code and _runs_on(lines[-1], line):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.rstrip())
    return lines


def wrap_lines(text: str, width: int) -> str:
    """Wrap a text between words; what is wrapped stays below its list item or its column. Code is never wrapped.

    Args:
        text: Prose with lists, tables in columns, and fenced or indented code.
        width: The most columns of a line, except in code.
    """
    lines = _with_code(join_lines(text))
    return "\n".join(line if is_code else _wrapped(line, width) for line, is_code in lines)


def _with_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is code: within fences, or after an empty line and indented further than the text."""
    margin, is_fenced, is_example, is_after_gap = 0, False, False, True
    for line in lines:
        is_fence = line.startswith(_FENCE)
        is_fenced ^= is_fence
        if line.strip() and not is_fenced:
            is_example = (is_example or is_after_gap) and _indent(line) >= margin + _CODE_INDENT
            margin = margin if is_example else _indent(line)
        is_after_gap = not line.strip()
        yield line, is_fence or is_fenced or is_example


def _wrapped(line: str, width: int) -> str:
    column, indent = _before_text(line), _indent(line)
    if column > width // 2 or (column == indent and _SIGNATURE.match(line)):
        column = indent + _CODE_INDENT
    return textwrap.fill(line, width, subsequent_indent=" " * column, break_long_words=False, break_on_hyphens=False)


def _runs_on(line: str, following: str) -> bool:
    """Whether a sentence continues on the next line: that starts below its text, and its first word didn't fit."""
    indent = _indent(following)
    goes_on = bool(following.strip()) and indent == _before_text(line) == _before_text(following)
    return goes_on and not line.endswith((".", "}")) and len(f"{line} {following.split(maxsplit=1)[0]}") > _PAGE


def _before_text(line: str) -> int:
    match = _TEXT.match(line)
    return match.end() if match else 0


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
