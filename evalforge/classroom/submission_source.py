"""The folder or the archive that holds a class, behind one interface."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from evalforge.classroom.archive import Archive, is_skipped
from evalforge.classroom.hand_in import DiskPiece, ZipPiece
from evalforge.model.errors import SubmissionError, UsageError
from evalforge.packs.path_checks import file_fault, is_folder

MAX_ENTRIES = 20_000
"""The most entries of a class's folder; one with more is refused."""
_HIDDEN = "hidden"


@dataclass(frozen=True)
class SourceEntry:
    """A file or a folder of a source."""

    name: str
    is_folder: bool

    @property
    def suffix(self) -> str:
        """The extension of the name in lower case, such as ``.zip``; empty for a folder."""
        return "" if self.is_folder else PurePosixPath(self.name).suffix.lower()


class SubmissionSource(Protocol):
    """A folder that contains submissions, on disk or within an archive."""

    @property
    def location(self) -> str:
        """Its path, in the form that users know."""
        ...

    def entries(self) -> list[SourceEntry]:
        """Its files and folders, by name, without hidden ones."""
        ...

    def unread(self) -> list[tuple[str, str]]:
        """What it contains that isn't an entry: name and reason."""
        ...

    def read(self, name: str, max_bytes: int) -> bytes:
        """The first bytes of one of its files.

        Raises:
            EvalForgeError: The file can't be read.
        """
        ...

    def close(self) -> None:
        """Close its archive, if any; afterwards its pieces can't be unpacked."""
        ...

    def open_folder(self, name: str) -> "SubmissionSource":
        """Open one of its folders as a source."""
        ...

    def piece(self, entry: SourceEntry, target_name: str = "") -> DiskPiece | ZipPiece:
        """Return an entry as a piece of a submission; a file can be given another name."""
        ...


def open_source(place: Path) -> SubmissionSource:
    """Open the folder or archive of a class.

    Raises:
        UsageError: It is neither a folder nor a zip archive.
    """
    if is_folder(place):
        return FolderSource(place)
    if problem := file_fault(place):
        raise UsageError(f"{place} {problem}.", "Give the folder with one folder for each student, or an export.")
    try:
        return ZipSource(Archive(place, export=True))
    except SubmissionError as error:
        raise UsageError(str(error), "Give a folder, or the zip a course platform exported.") from None


def is_hidden(name: str) -> bool:
    """Whether an entry is usually hidden from users."""
    return name.startswith(".") or name in ("__MACOSX", "__pycache__")


@dataclass(frozen=True)
class FolderSource:
    """A folder on disk. Its links count as files; they are never followed."""

    path: Path

    @property
    def location(self) -> str:
        """The path of the folder."""
        return str(self.path.absolute())

    def entries(self) -> list[SourceEntry]:
        """Its files and folders, by name."""
        return sorted((entry for entry in self._entries() if not is_hidden(entry.name)), key=lambda entry: entry.name)

    def unread(self) -> list[tuple[str, str]]:
        """Its hidden files and folders."""
        return [(entry.name, _HIDDEN) for entry in self._entries() if is_hidden(entry.name)]

    def _entries(self) -> Iterator[SourceEntry]:
        try:
            with os.scandir(self.path) as scan:
                for number, entry in enumerate(scan):
                    if number >= MAX_ENTRIES:
                        raise UsageError(f"{self.path} holds more than {MAX_ENTRIES:,} entries.")
                    yield SourceEntry(entry.name, entry.is_dir(follow_symlinks=False))
        except OSError as error:
            raise UsageError(f"{self.path} can't be read ({error.strerror}).") from None

    def read(self, name: str, max_bytes: int) -> bytes:
        """The first bytes of one of its files.

        Raises:
            UsageError: The file can't be read.
        """
        try:
            with (self.path / name).open("rb") as file:
                return file.read(max_bytes)
        except OSError as error:
            raise UsageError(f"{self.path / name} can't be read ({error.strerror}).") from None

    def close(self) -> None:
        """Does nothing: a folder needs no closing."""

    def open_folder(self, name: str) -> "FolderSource":
        """Open one of its folders as a source."""
        return FolderSource(self.path / name)

    def piece(self, entry: SourceEntry, target_name: str = "") -> DiskPiece:
        """Return an entry as a piece of a submission."""
        return DiskPiece(self.path / entry.name, "" if entry.is_folder else target_name or entry.name)


class ZipSource:
    """An archive, or a folder within it.

    Args:
        prefix: The folder within; empty, or ending in a slash.
    """

    def __init__(self, archive: Archive, prefix: str = "") -> None:
        self._archive = archive
        self._prefix = prefix

    @property
    def location(self) -> str:
        """The path of the archive."""
        return f"{self._archive.path.absolute()}/{self._prefix}".rstrip("/")

    @cached_property
    def _tree(self) -> dict[str, list[str] | None]:
        """Its entries: a list of members for each folder, None for a file."""
        tree: dict[str, list[str] | None] = {}
        for folder in self._archive.folders:
            if folder.startswith(self._prefix) and (top := folder[len(self._prefix) :].partition("/")[0]):
                tree.setdefault(top, [])
        for name in self._archive.members:
            if not name.startswith(self._prefix):
                continue
            top, slash, _ = name[len(self._prefix) :].partition("/")
            if not slash:
                tree.setdefault(top, None)
            else:
                members = tree.get(top) or []
                members.append(name)
                tree[top] = members
        return tree

    def entries(self) -> list[SourceEntry]:
        """Its files and folders, by name."""
        return sorted(
            (SourceEntry(name, members is not None) for name, members in self._tree.items() if not is_hidden(name)),
            key=lambda entry: entry.name,
        )

    def unread(self) -> list[tuple[str, str]]:
        """Its hidden entries, and those whose names lead out of the archive."""
        hidden = [(name, _HIDDEN) for name in self._tree if is_hidden(name)]
        return hidden if self._prefix else [*hidden, *self._archive.unsafe_names]

    def read(self, name: str, max_bytes: int) -> bytes:
        """The first bytes of one of its files."""
        return self._archive.read(f"{self._prefix}{name}", max_bytes)

    def close(self) -> None:
        """Close the archive, which also serves every folder and submission in it."""
        self._archive.close()

    def open_folder(self, name: str) -> "ZipSource":
        """Open one of its folders as a source."""
        return ZipSource(self._archive, f"{self._prefix}{name}/")

    def piece(self, entry: SourceEntry, target_name: str = "") -> ZipPiece:
        """Return an entry as a piece of a submission."""
        path = f"{self._prefix}{entry.name}"
        if not entry.is_folder:
            return ZipPiece(self._archive, {path: target_name or entry.name}, path)
        prefix = f"{path}/"
        members = self._tree[entry.name] or []
        targets = {name: name[len(prefix) :] for name in members}
        return ZipPiece(self._archive, {name: file for name, file in targets.items() if not is_skipped(file)}, path)
