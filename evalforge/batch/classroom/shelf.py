"""A folder or an archive that holds a class, looked at in the same way."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from evalforge.batch.classroom.archive import Archive
from evalforge.batch.classroom.handin import DiskPiece, ZipPiece
from evalforge.library.looking import is_folder, no_file
from evalforge.model.errors import SubmissionError, UsageError

_ENTRIES_MOST = 20_000


@dataclass(frozen=True)
class Entry:
    """Something on a shelf."""

    name: str
    is_folder: bool

    @property
    def suffix(self) -> str:
        """The name's ending, in small letters."""
        return "" if self.is_folder else PurePosixPath(self.name).suffix.lower()


class Shelf(Protocol):
    """What a class is found on."""

    @property
    def source(self) -> str:
        """Where it is, as people are told."""
        ...

    def entries(self) -> list[Entry]:
        """What lies at its top, by name; hidden things aren't seen."""
        ...

    def read(self, name: str, cap: int) -> bytes:
        """The first bytes of a file at its top."""
        ...

    def inside(self, name: str) -> "Shelf":
        """One of its folders as a shelf."""
        ...

    def piece(self, entry: Entry, laid_as: str = "") -> DiskPiece | ZipPiece:
        """Something at its top as a piece of a hand-in; a file is laid down under a name."""
        ...


def open_shelf(place: Path) -> Shelf:
    """The shelf a class was given as.

    Raises:
        UsageError: It is neither a folder nor a zip archive.
    """
    if is_folder(place):
        return FolderShelf(place)
    if fault := no_file(place):
        raise UsageError(f"{place} {fault}.", "Give the folder with one folder for each student, or an export.")
    try:
        return ZipShelf(Archive(place, export=True))
    except SubmissionError as error:
        raise UsageError(str(error), "Give a folder, or the zip a course platform exported.") from None


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in ("__MACOSX", "__pycache__")


@dataclass(frozen=True)
class FolderShelf:
    """A folder on disk. Links at its top are entries like files: they are told, and never followed."""

    path: Path

    @property
    def source(self) -> str:
        """Where it is."""
        return str(self.path.absolute())

    def entries(self) -> list[Entry]:
        """What lies at its top, by name."""
        return sorted(self._entries(), key=lambda entry: entry.name)

    def _entries(self) -> Iterator[Entry]:
        try:
            with os.scandir(self.path) as scan:
                for number, entry in enumerate(scan):
                    if number >= _ENTRIES_MOST:
                        raise UsageError(f"{self.path} holds more than {_ENTRIES_MOST:,} entries.")
                    if not _is_hidden(entry.name):
                        yield Entry(entry.name, entry.is_dir(follow_symlinks=False))
        except OSError as error:
            raise UsageError(f"{self.path} can't be read ({error.strerror}).") from None

    def read(self, name: str, cap: int) -> bytes:
        """The first bytes of a file at its top."""
        try:
            with (self.path / name).open("rb") as file:
                return file.read(cap)
        except OSError as error:
            raise UsageError(f"{self.path / name} can't be read ({error.strerror}).") from None

    def inside(self, name: str) -> "FolderShelf":
        """One of its folders."""
        return FolderShelf(self.path / name)

    def piece(self, entry: Entry, laid_as: str = "") -> DiskPiece:
        """Something at its top."""
        return DiskPiece(self.path / entry.name, "" if entry.is_folder else laid_as or entry.name)


class ZipShelf:
    """An archive, or a folder within it.

    Args:
        archive: The archive.
        prefix: The folder within; empty, or ending in a slash.
    """

    def __init__(self, archive: Archive, prefix: str = "") -> None:
        self._archive = archive
        self._prefix = prefix

    @property
    def source(self) -> str:
        """Where it is."""
        return f"{self._archive.path.absolute()}/{self._prefix}".rstrip("/")

    @cached_property
    def _tree(self) -> dict[str, list[str] | None]:
        """What lies at its top: the members of each folder, None for a file."""
        found: dict[str, list[str] | None] = {}
        for name in self._archive.members:
            if not name.startswith(self._prefix):
                continue
            top, slash, _ = name[len(self._prefix) :].partition("/")
            if _is_hidden(top):
                continue
            if not slash:
                found.setdefault(top, None)
            else:
                members = found.get(top) or []
                members.append(name)
                found[top] = members
        return found

    def entries(self) -> list[Entry]:
        """What lies at its top, by name."""
        return sorted(
            (Entry(name, members is not None) for name, members in self._tree.items()), key=lambda entry: entry.name
        )

    def read(self, name: str, cap: int) -> bytes:
        """The first bytes of a file at its top."""
        return self._archive.read(f"{self._prefix}{name}", cap)

    def inside(self, name: str) -> "ZipShelf":
        """One of its folders."""
        return ZipShelf(self._archive, f"{self._prefix}{name}/")

    def piece(self, entry: Entry, laid_as: str = "") -> ZipPiece:
        """Something at its top."""
        whole = f"{self._prefix}{entry.name}"
        if not entry.is_folder:
            return ZipPiece(self._archive, {whole: laid_as or entry.name}, whole)
        start = f"{whole}/"
        members = self._tree[entry.name] or []
        return ZipPiece(self._archive, {name: name[len(start) :] for name in members}, whole)
