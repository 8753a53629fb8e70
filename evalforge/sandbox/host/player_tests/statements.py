"""The statements of a module, so that one of them can be compiled without the others.

Compiling a whole module takes longer than testing a mutant of one function.
"""

from __future__ import annotations
import __future__

import ast
from types import CodeType
from typing import NamedTuple


class StatementSpan(NamedTuple):
    """A statement's position: its first byte, the byte after its last, and its first line."""

    start: int
    end: int
    first_line: int


def _all_future_flags() -> int:
    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_FUTURE_FLAGS = _all_future_flags()


class Statements:
    """The positions of a module's statements.

    There are none if Python can't parse the module, or if its line numbers can't be trusted.
    """

    def __init__(self, content: bytes, code: CodeType) -> None:
        self.content = content
        self._flags = code.co_flags & _FUTURE_FLAGS
        self._path = code.co_filename
        self._spans: list[StatementSpan] = []
        self._originals: dict[StatementSpan, CodeType] = {}
        if b"\r" in content or b"\f" in content or b"coding" in b"".join(content.split(b"\n", 2)[:2]):
            return
        starts = [0]
        for line in content.split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        for node in ast.parse(content).body:
            first_line = _first_line(node)
            end = starts[node.end_lineno or node.lineno]
            self._spans.append(StatementSpan(starts[first_line - 1], min(end, len(content)), first_line))

    def find_around(self, start: int, end: int) -> StatementSpan | None:
        """The statement that contains all these bytes; None if no single one does."""
        touched = [span for span in self._spans if span.start <= start < span.end or span.start < end <= span.end]
        if len(touched) != 1 or start < touched[0].start or touched[0].end < end:
            return None
        return touched[0]

    def source_of(self, span: StatementSpan, mutant: bytes | None = None) -> bytes:
        """The source of a module with only this statement, on its original lines.

        Args:
            span: The statement, from ``find_around``.
            mutant: The module's source with a change within the statement; by default as it is.
        """
        content = self.content if mutant is None else mutant
        growth = len(content) - len(self.content)
        return b"\n" * (span.first_line - 1) + content[span.start : span.end + growth]

    def compile_original(self, span: StatementSpan) -> CodeType:
        """The code of a module with only this original statement; compiled once."""
        if span not in self._originals:
            self._originals[span] = self.compile_one(span)
        return self._originals[span]

    def compile_one(self, span: StatementSpan, mutant: bytes | None = None) -> CodeType:
        """The code of a module with only this statement, as in ``source_of``."""
        return compile(self.source_of(span, mutant), self._path, "exec", flags=self._flags, dont_inherit=True)


def _first_line(node: ast.stmt) -> int:
    """The first line of a statement, including its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
