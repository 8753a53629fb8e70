"""A player's submission: its files, its limits and its hash."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import Self

from pydantic import Field

from evalforge.model.base import Frozen


class SubmissionFile(Frozen):
    """One text file; ``path`` is relative, with forward slashes."""

    path: str
    content: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name

    @property
    def sha256(self) -> str:
        """The SHA-256 hash of the content as UTF-8, in hex."""
        return hashlib.sha256(self.content.encode("utf-8", "surrogatepass")).hexdigest()


class LeftOut(Frozen):
    """A path that was not submitted, and the reason."""

    path: str
    reason: str


class Submission(Frozen):
    """The files, and optional notes, that a player submits.

    Attributes:
        files: The submitted files.
        notes: The player's words on the approach.
        left_out: Paths that were left out, as far as they are listed; not stored.
        left_out_count: How many paths were left out, listed or not; not stored.
        folder: The submission's folder within the directory that was named; not stored.
        entry_was: The original name of a file that was taken as the entry file; not stored.
    """

    files: tuple[SubmissionFile, ...]
    notes: str = ""
    left_out: tuple[LeftOut, ...] = Field(default=(), exclude=True)
    left_out_count: int = Field(default=0, exclude=True)
    folder: str = Field(default="", exclude=True)
    entry_was: str = Field(default="", exclude=True)

    @property
    def total_left_out(self) -> int:
        """How many paths were left out, also if only the list is known."""
        return max(self.left_out_count, len(self.left_out))

    @classmethod
    def of(cls, contents: Mapping[str, str], notes: str = "") -> Self:
        """Make a submission from texts by path."""
        return cls(files=tuple(SubmissionFile(path=path, content=text) for path, text in contents.items()), notes=notes)

    @property
    def contents(self) -> dict[str, str]:
        """The texts of the files, by path."""
        return {file.path: file.content for file in self.files}

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over paths, contents and notes, whatever the order of the files; in hex."""
        digest = hashlib.sha256()
        for file in sorted(self.files, key=lambda f: f.path):
            digest.update(f"{len(file.path.encode())}:{file.path}:{file.sha256};".encode("utf-8", "surrogatepass"))
        digest.update(self.notes.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @property
    def total_bytes(self) -> int:
        """The size of all contents, in bytes of UTF-8."""
        return sum(len(file.content.encode("utf-8", "surrogatepass")) for file in self.files)

    def file(self, path: str) -> SubmissionFile | None:
        """The file at this path, or None."""
        return next((file for file in self.files if file.path == path), None)
