"""The program that a decoy changes: its files, and the one that trials start or import."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalforge.model.submission import Submission, SubmissionFile


@dataclass(frozen=True)
class DecoyProgram:
    """A submission without tests whose entry file is valid Python.

    Attributes:
        submission: All its files.
        entry: The file that trials start or import.
    """

    submission: Submission
    entry: SubmissionFile

    @property
    def tree(self) -> ast.Module:
        """The entry's syntax tree, parsed again at each access."""
        return ast.parse(self.entry.content)

    def beside_entry(self, name: str) -> str:
        """The path of a file in the entry's folder."""
        return (PurePosixPath(self.entry.path).parent / name).as_posix()

    def with_entry(self, content: str) -> "DecoyProgram":
        """Return the program with this text as its entry file."""
        return self.with_files({self.entry.path: content})

    def with_files(self, contents: Mapping[str, str]) -> "DecoyProgram":
        """Return the program with these files, by path, added or replaced."""
        submission = Submission.of({**self.submission.contents, **contents}, self.submission.notes)
        return DecoyProgram(submission, submission.file(self.entry.path) or self.entry)


def find_program(submission: Submission, entry_files: tuple[str, ...]) -> DecoyProgram | None:
    """Return a submission as a program; None if it has no valid entry file at its root or in src/."""
    for path in (f"{folder}{name}" for name in entry_files for folder in ("", "src/")):
        entry = submission.file(path)
        if entry is not None and _can_be_read(entry.content):
            return DecoyProgram(submission, entry)
    return None


def _can_be_read(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
