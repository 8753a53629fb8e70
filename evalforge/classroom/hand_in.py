"""A student's submission: whose it is, and the pieces it consists of."""

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
    """A person of the class; unknown fields are empty.

    Attributes:
        number: The course platform's own number of the person.
    """

    name: str = ""
    student_id: str = ""
    email: str = ""
    folder: str = ""
    number: str = ""


def name_without_suffix(name: str) -> str:
    """Remove the extension of a single-file submission from a name (``ann`` for ``ann.zip``)."""
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and dot + suffix.lower() in HAND_IN_SUFFIXES else name


@dataclass(frozen=True)
class HandIn:
    """The submission of one row of a class.

    Attributes:
        row_id: Its name in the class, the same in every run.
        person: The person who submitted it, as far as known.
        source: Its path, in the form that users know.
        pieces: The pieces it consists of; none if nothing was submitted.
        problem: Why it can't be judged; empty if no problem is known.
        members: The people of a group; empty for one person.
        on_roster: Whether the roster names this person; None without a roster.
        entry_name: The name of its folder or file as submitted; empty if that is the row id.
        name_clashes: Names of other submissions that differ only in case or extension.
        platform: The course platform that named it; empty if none did.
        form: ``folder``, ``zip``, ``file`` or, if there are several entries, ``several files``.
        entries: The names of the entries it consists of.
        handed_in: The time of submission according to the platform; empty if it gives none.
        is_late: Whether the platform marks it as late.
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
        """Its name as submitted, before duplicates were renamed, without an extension."""
        return name_without_suffix(self.entry_name or self.row_id)
