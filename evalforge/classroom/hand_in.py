"""A hand-in: whose it is, and the pieces it is put together from."""

from dataclasses import dataclass, field
from pathlib import Path

from evalforge.classroom.archive import Archive


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
        number: Moodle's number of the participant.
    """

    name: str = ""
    student_id: str = ""
    email: str = ""
    folder: str = ""
    number: str = ""


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
    """

    row_id: str
    person: Person
    source: str = ""
    pieces: tuple[DiskPiece | ZipPiece, ...] = ()
    problem: str = ""
    members: tuple[Person, ...] = ()
    on_roster: bool | None = None
