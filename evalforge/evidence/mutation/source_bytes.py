"""Positions in a file as Python's parser counts them: in lines, and in bytes within a line."""

import ast
import re

NEWLINE = re.compile(rb"\r\n?|\n")


class SourceBytes:
    """Finds the bytes of a file's syntax nodes.

    Attributes:
        content: The file's bytes.
    """

    def __init__(self, text: str) -> None:
        self.content = text.encode("utf-8", "surrogatepass")
        self._line_starts = [0, *(match.end() for match in NEWLINE.finditer(self.content))]
        # A byte order mark doesn't count in the columns of the first line.
        self._line_starts[0] = 3 if self.content.startswith(b"\xef\xbb\xbf") else 0

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The first byte of a node, and the byte after its last."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._line_starts[node.lineno - 1] + node.col_offset,
            self._line_starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def newlines(self, start: int, end: int) -> int:
        """The number of newlines in a span."""
        return len(NEWLINE.findall(self.content[start:end]))

    def text(self, start: int, end: int) -> str:
        """The text of a span."""
        return self.content[start:end].decode("utf-8", "surrogatepass")
