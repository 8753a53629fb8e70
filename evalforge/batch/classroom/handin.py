"""What somebody handed in: whose it is, and the pieces it is put together from."""

from dataclasses import dataclass, field
from pathlib import Path

from evalforge.batch.classroom.archive import Archive


@dataclass(frozen=True)
class DiskPiece:
    """A folder or a file on disk; a file is laid down under ``name``."""

    path: Path
    name: str = ""


@dataclass(frozen=True)
class ZipPiece:
    """Members of an archive that holds a whole class, and as what each is laid down."""

    archive: Archive = field(compare=False)
    members: dict[str, str] = field(compare=False)
    inside: str = ""


@dataclass(frozen=True)
class Person:
    """Somebody of the class; what is not known is empty.

    ``number`` is what Moodle calls the participant.
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
        source: Where it was found, as people are told.
        pieces: What it is put together from; none where nothing was handed in.
        problem: Why it can't be judged, known already; empty if it may be.
        members: Everybody of a group; empty for one person.
        on_roster: Whether the roster names this person; None without a roster.
    """

    row_id: str
    person: Person
    source: str = ""
    pieces: tuple[DiskPiece | ZipPiece, ...] = ()
    problem: str = ""
    members: tuple[Person, ...] = ()
    on_roster: bool | None = None
