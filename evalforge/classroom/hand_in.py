"""A hand-in: whose it is, and the pieces it is put together from."""

from dataclasses import dataclass, field
from pathlib import Path

from evalforge.classroom.archive import Archive

HAND_IN_SUFFIXES = (".py", ".zip")


@dataclass(frozen=True)
class DiskPiece:
    """A folder or a file on disk; a file is unpacked as ``name``, which is empty for a folder."""

    path: Path
    name: str = ""


@dataclass(frozen=True)
class ZipPiece:
    """Members of an archive that holds a whole class.

    Attributes:
        members: Their names in the archive, and the path each is unpacked to.
        path_inside: The path in the archive that holds them.
    """

    archive: Archive = field(compare=False)
    members: dict[str, str] = field(compare=False)
    path_inside: str = ""


@dataclass(frozen=True)
class Person:
    """Somebody of the class; a field that isn't known is empty.

    Attributes:
        number: The course platform's own number of the person.
    """

    name: str = ""
    student_id: str = ""
    email: str = ""
    folder: str = ""
    number: str = ""


def name_without_suffix(name: str) -> str:
    """The name of a folder or file without the ending that a hand-in in one file has (``ann`` for ``ann.zip``)."""
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and dot + suffix.lower() in HAND_IN_SUFFIXES else name


@dataclass(frozen=True)
class HandIn:
    """One row of a class.

    Attributes:
        row_id: Its name in the class, the same in every run.
        person: Whose it is, as far as known.
        source: Its place as people know it.
        pieces: What it is put together from; none if nothing was handed in.
        problem: Why it can't be judged; empty if nothing is known against it.
        members: The people of a group; empty for one person.
        on_roster: Whether the roster names this person; None without a roster.
        entry_name: The name of its folder or file as it was handed in; empty if that is the row id.
        name_clashes: Names of other hand-ins that differ from its own only in case or ending.
        platform: The course platform that named it; empty for a name of its own.
        form: ``folder``, ``zip``, ``file`` or, of several entries, ``several files``.
        entries: The names of the entries it is put together from.
        handed_in: When it was handed in, as the platform says; empty if it doesn't.
        is_late: Whether the platform says that it came late.
        earlier: The names of earlier versions, which are not judged.
    """

    row_id: str
    person: Person
    source: str = ""
    pieces: tuple[DiskPiece | ZipPiece, ...] = ()
    problem: str = ""
    members: tuple[Person, ...] = ()
    on_roster: bool | None = None
    entry_name: str = ""
    name_clashes: tuple[str, ...] = ()
    platform: str = ""
    form: str = "folder"
    entries: tuple[str, ...] = ()
    handed_in: str = ""
    is_late: bool = False
    earlier: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name as it was handed in, before duplicates were renamed, without an ending."""
        return name_without_suffix(self.entry_name or self.row_id)
