"""Finds the hand-ins of a class in a folder, or in what a course platform exported."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.classroom.class_roster import match_people, read_roster
from evalforge.classroom.hand_in import HandIn, Person
from evalforge.classroom.platforms import GRADESCOPE_METADATA, is_moodle, read_folders, read_gradescope, read_moodle
from evalforge.classroom.submission_source import SubmissionSource, ZipSource, open_source
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line

_MAX_WRAPPERS = 3
_MAX_ROW_ID_CHARS = 120


@dataclass(frozen=True)
class ClassIntake:
    """The hand-ins of a class, by row id.

    Attributes:
        source: The path of the class.
        layout: How it was read: ``folders``, ``moodle`` or ``gradescope``.
        hand_ins: One for each row.
        skipped_names: Names in the folder that are nobody's hand-in.
    """

    source: str
    layout: str
    hand_ins: tuple[HandIn, ...]
    skipped_names: tuple[str, ...] = ()


def find_hand_ins(place: Path, roster: Path | None = None) -> ClassIntake:
    """Find the hand-ins of a class.

    Args:
        place: A folder with a folder (or a zip) for each student, or what Moodle or Gradescope exported.
        roster: A CSV file of the people who should have handed in.

    Raises:
        UsageError: There are no hand-ins, or place or roster can't be read.
    """
    source = _inside_wrappers(open_source(place))
    entries = source.entries()
    if any(entry.name == GRADESCOPE_METADATA and not entry.is_folder for entry in entries):
        layout, found = "gradescope", read_gradescope(source)
    elif is_moodle(entries):
        layout, found = "moodle", read_moodle(source)
    else:
        layout, found = "folders", read_folders(source)
    rows = list(found)
    # Taken before names that aren't valid text are changed: here they still equal those of the entries.
    used_names = {hand_in.source.rpartition("/")[2] for hand_in in rows}
    hand_ins = _with_name_clashes(_with_unique_ids(rows))
    if roster is not None:
        hand_ins = match_people(hand_ins, read_roster(roster))
    if not hand_ins:
        raise UsageError(f"{place} holds no hand-ins.", "Give the folder with one folder (or zip) for each student.")
    skipped_names = tuple(clean_line(entry.name) for entry in entries if entry.name not in used_names)
    hand_ins = sorted(hand_ins, key=lambda row: (row.row_id.casefold(), row.row_id))
    return ClassIntake(source.location, layout, tuple(hand_ins), skipped_names if layout == "folders" else ())


def _inside_wrappers(source: SubmissionSource) -> SubmissionSource:
    """The folder within folders of an export that only wrap it; a folder on disk is taken as it is."""
    for _ in range(_MAX_WRAPPERS):
        entries = source.entries()
        is_one_folder = len(entries) == 1 and entries[0].is_folder
        if not isinstance(source, ZipSource) or not is_one_folder or is_moodle(entries):
            break
        inner = source.open_folder(entries[0].name)
        inner_entries = inner.entries()
        is_hand_in = any(entry.suffix == ".py" for entry in inner_entries) and not is_moodle(inner_entries)
        if is_hand_in:
            break
        source = inner
    return source


def _with_unique_ids(hand_ins: Iterable[HandIn]) -> list[HandIn]:
    """Give every row an id of its own that can be shown; ``a`` and ``a.zip`` are two hand-ins."""
    used_ids: set[str] = set()
    rows: list[HandIn] = []
    for hand_in in hand_ins:
        row_id = base = clean_line(hand_in.row_id, _MAX_ROW_ID_CHARS).strip() or "unnamed"
        count = 1
        while row_id.casefold() in used_ids:
            count += 1
            row_id = f"{base} ({count})"
        used_ids.add(row_id.casefold())
        person = hand_in.person if hand_in.person != Person() else Person(folder=row_id)
        # A name that isn't valid text can't be printed.
        path = hand_in.source.encode("utf-8", "replace").decode("utf-8")
        entry_name = hand_in.entry_name or hand_in.row_id
        rows.append(replace(hand_in, row_id=row_id, person=person, source=path, entry_name=entry_name))
    return rows


def _with_name_clashes(hand_ins: list[HandIn]) -> list[HandIn]:
    """Note on each hand-in which others have its name in another case or with another ending."""
    names: dict[str, list[HandIn]] = {}
    for hand_in in hand_ins:
        names.setdefault(clean_line(hand_in.name).strip().casefold(), []).append(hand_in)
    clashes = {
        hand_in.row_id: tuple(clean_line(other.entry_name) for other in namesakes if other is not hand_in)
        for namesakes in names.values()
        for hand_in in namesakes
    }
    return [replace(hand_in, name_clashes=clashes[hand_in.row_id]) for hand_in in hand_ins]
