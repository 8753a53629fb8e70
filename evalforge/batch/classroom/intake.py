"""A folder, or what a course platform exported, becomes the hand-ins of a class."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.batch.classroom.handin import HandIn, Person
from evalforge.batch.classroom.platforms import GRADESCOPE, gradescope, is_moodle, moodle, plain
from evalforge.batch.classroom.roster import match, read_roster
from evalforge.batch.classroom.shelf import Shelf, ZipShelf, open_shelf
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line

_WRAPPERS_MOST = 3
_ROW_ID_CAP = 120


@dataclass(frozen=True)
class Intake:
    """Everybody of a class, in order of their rows' names.

    Attributes:
        source: Where it was found.
        kind: How it was read: ``folders``, ``moodle`` or ``gradescope``.
        hand_ins: One for each row.
        passed_over: Names at the top that are nobody's hand-in.
    """

    source: str
    kind: str
    hand_ins: tuple[HandIn, ...]
    passed_over: tuple[str, ...] = ()


def find_hand_ins(place: Path, roster: Path | None = None) -> Intake:
    """Find what a class handed in.

    Args:
        place: A folder with a folder (or a zip) for each student, or what Moodle or Gradescope exported.
        roster: A CSV file that says who should have handed in.

    Raises:
        UsageError: There is nobody, or place or roster can't be read.
    """
    shelf = _unwrapped(open_shelf(place))
    entries = shelf.entries()
    if any(entry.name == GRADESCOPE and not entry.is_folder for entry in entries):
        kind, found = "gradescope", gradescope(shelf)
    elif is_moodle(entries):
        kind, found = "moodle", moodle(shelf)
    else:
        kind, found = "folders", plain(shelf)
    rows = list(found)
    # Before names that are no text are made some: they are still those of the entries.
    taken = {hand_in.source.rpartition("/")[2] for hand_in in rows}
    hand_ins = _distinct(rows)
    if roster is not None:
        hand_ins = match(hand_ins, read_roster(roster))
    if not hand_ins:
        raise UsageError(f"{place} holds no hand-ins.", "Give the folder with one folder (or zip) for each student.")
    passed_over = tuple(clean_line(entry.name) for entry in entries if entry.name not in taken)
    hand_ins = sorted(hand_ins, key=lambda row: (row.row_id.casefold(), row.row_id))
    return Intake(shelf.source, kind, tuple(hand_ins), passed_over if kind == "folders" else ())


def _unwrapped(shelf: Shelf) -> Shelf:
    """An export is often one folder that holds all; a folder given by hand is meant as it is."""
    for _ in range(_WRAPPERS_MOST):
        entries = shelf.entries()
        if not isinstance(shelf, ZipShelf) or len(entries) != 1 or not entries[0].is_folder or is_moodle(entries):
            break
        inner = shelf.inside(entries[0].name)
        within = inner.entries()
        if any(entry.suffix == ".py" for entry in within) and not is_moodle(within):
            break  # one student's folder
        shelf = inner
    return shelf


def _distinct(found: Iterable[HandIn]) -> list[HandIn]:
    """Every row with a name of its own that can be shown; `a` and `a.zip` are two hand-ins."""
    used: set[str] = set()
    rows: list[HandIn] = []
    for hand_in in found:
        name = base = clean_line(hand_in.row_id, _ROW_ID_CAP).strip() or "unnamed"
        count = 1
        while name.casefold() in used:
            count += 1
            name = f"{base} ({count})"
        used.add(name.casefold())
        person = hand_in.person if hand_in.person != Person() else Person(folder=name)
        source = hand_in.source.encode("utf-8", "replace").decode("utf-8")  # a name that is no text can't be told
        rows.append(replace(hand_in, row_id=name, person=person, source=source))
    return rows
