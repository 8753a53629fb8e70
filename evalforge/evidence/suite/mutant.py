"""A mutant: one small change to one place in a file of a program; and the bytes of places in a file."""

import ast
import re
from dataclasses import dataclass, replace
from typing import Self

from evalforge.model.submission import Submission, SubmissionFile


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to one span of a file.

    Attributes:
        path: The file.
        line: The first line of the span, counted from 1.
        last_line: The last line of the span.
        scope: The qualified name of the function or class that it is in; empty at module level.
        is_called: Whether it runs when a function is called; if not, it runs on import.
        start: First byte of the span.
        end: First byte after it.
        replacement: The text that replaces the span, with as many newlines.
        original: The text of the span.
        original_excerpt: The original text on one line, shortened.
        replacement_excerpt: The replacement on one line, shortened; empty if the span is removed.
        copies: Further changes: the same change to each copy of the function outside the program; for an impostor that
            changes several files, the changes to the others.
        impostor_id: The impostor that it makes of a right program; empty for any other mutant.
        meaning: What an impostor does wrong, in words; empty for any other mutant.
    """

    path: str
    line: int
    last_line: int
    scope: str
    is_called: bool
    start: int
    end: int
    replacement: str
    original: str
    original_excerpt: str
    replacement_excerpt: str
    copies: tuple["Mutant", ...] = ()
    impostor_id: str = ""
    meaning: str = ""

    @property
    def description(self) -> str:
        r"""The change in words for the player, such as ``\`x < y\` changed to \`x <= y\```."""
        return (
            f"`{self.original_excerpt}` changed to `{self.replacement_excerpt}`"
            if self.replacement_excerpt
            else f"`{self.original_excerpt}` taken away"
        )

    def put_into(self, submission: Submission) -> Submission:
        """Apply this change to a submission; copies stay unchanged."""
        files = tuple(
            SubmissionFile(path=file.path, content=self.changed(file.content)) if file.path == self.path else file
            for file in submission.files
        )
        return Submission(files=files, notes=submission.notes)

    def changed(self, content: str) -> str:
        """The content of the file with this change."""
        data = content.encode("utf-8", "surrogatepass")
        text = self.replacement.encode("utf-8", "surrogatepass")
        return (data[: self.start] + text + data[self.end :]).decode("utf-8", "surrogatepass")

    def reverted(self) -> Self:
        """A change to the same span that has no effect."""
        return replace(self, replacement=self.original, copies=tuple(copy.reverted() for copy in self.copies))


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
