"""The program that a decoy changes: its files, and the one that trials start or import."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalforge.model.submission import Submission, SubmissionFile


@dataclass(frozen=True)
class Program:
    """A submission without tests, whose entry file Python can read.

    Attributes:
        submission: All its files.
        entry: The one that trials start or import.
    """

    submission: Submission
    entry: SubmissionFile

    @property
    def tree(self) -> ast.Module:
        """The entry's syntax tree, anew each time."""
        return ast.parse(self.entry.content)

    def beside_entry(self, name: str) -> str:
        """The path of a file in the entry's folder."""
        return (PurePosixPath(self.entry.path).parent / name).as_posix()

    def with_entry(self, content: str) -> "Program":
        """The program with another text for its entry."""
        return self.with_files({self.entry.path: content})

    def with_files(self, contents: Mapping[str, str]) -> "Program":
        """The program with these files, by path, added or replaced."""
        submission = Submission.of({**self.submission.contents, **contents}, self.submission.notes)
        return Program(submission, submission.file(self.entry.path) or self.entry)


def find_program(submission: Submission, entry_files: tuple[str, ...]) -> Program | None:
    """A submission as a program; None if there is no entry file at its root or in src/, or Python can't read it."""
    for path in (f"{folder}{name}" for name in entry_files for folder in ("", "src/")):
        entry = submission.file(path)
        if entry is not None and _can_be_read(entry.content):
            return Program(submission, entry)
    return None


def _can_be_read(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
