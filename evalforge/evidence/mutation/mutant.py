"""A mutant: one small change to one place in a file of the player's."""

from dataclasses import dataclass, replace
from typing import Self

from evalforge.model.submission import Submission, SubmissionFile


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one span of a file.

    Attributes:
        path: The file.
        line: The first line of the span, counted from 1.
        last_line: The last line of the span.
        scope: The function or class it is in, qualified; empty at module level.
        is_called: Whether it runs when a function is called; if not, it runs on import.
        start: First byte of the span.
        end: First byte after it.
        replacement: What takes the span's place; it holds as many newlines as the span.
        original: The text of the span.
        original_excerpt: The same on one line, shortened.
        replacement_excerpt: How the change reads on one line, shortened; empty if the span is removed.
        copies: What is changed with it: each copy of the function in files that are not the program, the same way; of
            an impostor that changes several files, the changes of the others.
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

    @property
    def description(self) -> str:
        r"""The change in words for the player, such as ``\`x < y\` changed to \`x <= y\```."""
        return (
            f"`{self.original_excerpt}` changed to `{self.replacement_excerpt}`"
            if self.replacement_excerpt
            else f"`{self.original_excerpt}` taken away"
        )

    def put_into(self, submission: Submission) -> Submission:
        """A submission with this change in it; copies stay as they are."""
        files = tuple(
            SubmissionFile(path=file.path, content=self.changed(file.content)) if file.path == self.path else file
            for file in submission.files
        )
        return Submission(files=files, notes=submission.notes)

    def changed(self, content: str) -> str:
        """The file with this change in it."""
        data = content.encode("utf-8", "surrogatepass")
        text = self.replacement.encode("utf-8", "surrogatepass")
        return (data[: self.start] + text + data[self.end :]).decode("utf-8", "surrogatepass")

    def reverted(self) -> Self:
        """A change of the same span that leaves everything as it is."""
        return replace(self, replacement=self.original, copies=tuple(copy.reverted() for copy in self.copies))
