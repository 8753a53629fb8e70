"""The statements that a module consists of, so that one of them can be compiled without the others.

To compile all of a module takes longer than to try a fault in one of its functions.
"""

from __future__ import annotations
import __future__

import ast
from types import CodeType

Span = tuple[int, int, int]
"""First byte, the byte after the last, and the line of the first."""

_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag


class Statements:
    """Where the statements of a module begin and end.

    A module that can't be read, or whose lines are not what they seem, has none.

    Args:
        content: The module's source.
        code: The same, compiled.
    """

    def __init__(self, content: bytes, code: CodeType) -> None:
        self.content = content
        self._flags = code.co_flags & _FUTURE
        self._path = code.co_filename
        self._spans: list[Span] = []
        if b"\r" in content or b"\f" in content or b"coding" in b"".join(content.split(b"\n", 2)[:2]):
            return
        starts = [0]
        for line in content.split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        for node in ast.parse(content).body:
            first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
            self._spans.append((starts[first - 1], min(starts[node.end_lineno], len(content)), first))

    def around(self, start: int, end: int) -> Span | None:
        """The one statement that holds all these bytes; None if none does."""
        touched = [span for span in self._spans if span[0] <= start < span[1] or span[0] < end <= span[1]]
        return touched[0] if len(touched) == 1 and touched[0][0] <= start and end <= touched[0][1] else None

    def source(self, span: Span, changed: bytes | None = None) -> bytes:
        """The source of a module that holds this statement alone, on its own lines.

        Args:
            span: The statement, from ``around``.
            changed: The module's source with a change within the statement; by default as it is.
        """
        first, last, line = span
        content = self.content if changed is None else changed
        return b"\n" * (line - 1) + content[first : last + len(content) - len(self.content)]

    def compiled(self, span: Span, changed: bytes | None = None) -> CodeType:
        """The code of that module."""
        return compile(self.source(span, changed), self._path, "exec", flags=self._flags, dont_inherit=True)
