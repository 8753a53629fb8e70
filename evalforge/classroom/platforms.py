"""Assembles the entries of a class's folder into submissions, each entry interpreted by its own name.

So one class may mix folders, zips and single files with exports of Moodle, Canvas, Blackboard, Brightspace and
Gradescope. Every entry is either part of a submission or has a reason why it isn't.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evalforge.classroom.account import UnusedEntry
from evalforge.classroom.gradescope_metadata import (
    GRADESCOPE_METADATA,
    MAX_METADATA_BYTES,
    GradescopeSubmission,
    read_metadata,
)
from evalforge.classroom.hand_in import HAND_IN_SUFFIXES, HandIn, Person
from evalforge.classroom.platform_names import NamedEntry, recognise
from evalforge.classroom.submission_source import SourceEntry, SubmissionSource
from evalforge.model.text import clean_line, clean_name

# As in main-2.py: Canvas numbers files that a student submits again under the same name.
_RESUBMITTED = re.compile(r"(?P<base>.+)-(?P<version>\d+)(?P<suffix>\.[^.]+)", re.DOTALL)
_GRADESCOPE_NAME = re.compile(r"submission_\d+")
_MAX_RECEIPT_BYTES = 20_000
_RECEIPT_NAME = re.compile(r"^Name:\s*(?P<name>.+?)\s*\((?P<login>[^()]*)\)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Entries:
    """Everything in a folder: submissions, and entries that aren't part of one."""

    hand_ins: list[HandIn] = field(default_factory=list[HandIn])
    unused: list[UnusedEntry] = field(default_factory=list[UnusedEntry])

    def leave_out(self, name: str, reason: str) -> None:
        """Record an entry that isn't judged, and why."""
        self.unused.append(UnusedEntry(name=clean_line(name), reason=reason))


def read_entries(source: SubmissionSource, entry_file: str = "") -> Entries:
    """Read every entry of a folder.

    Args:
        source: The folder.
        entry_file: The name that the boss's program must have; a single file under a student's name gets it.
    """
    class_entries = Entries()
    for name, reason in source.unread():
        class_entries.leave_out(name, reason)
    entries = source.entries()
    has_metadata = any(entry.name == GRADESCOPE_METADATA and not entry.is_folder for entry in entries)
    metadata = read_metadata(source.read(GRADESCOPE_METADATA, MAX_METADATA_BYTES)) if has_metadata else None
    people: dict[tuple[str, ...], list[NamedEntry]] = {}
    for entry in entries:
        named_entry = recognise(entry)
        if named_entry:
            people.setdefault(named_entry.person_key, []).append(named_entry)
        elif has_metadata and entry.name == GRADESCOPE_METADATA:
            class_entries.leave_out(entry.name, "Gradescope's list of submitters, which was read")
        elif entry.is_folder or entry.suffix in HAND_IN_SUFFIXES:
            class_entries.hand_ins.append(_plain_hand_in(source, entry, metadata, entry_file))
        else:
            class_entries.leave_out(entry.name, "neither a folder nor a zip nor a Python file")
    for parts in people.values():
        hand_in = _named_hand_in(source, parts, entry_file, class_entries)
        if hand_in:
            class_entries.hand_ins.append(hand_in)
    return class_entries


def _plain_hand_in(
    source: SubmissionSource, entry: SourceEntry, metadata: dict[str, GradescopeSubmission] | None, entry_file: str
) -> HandIn:
    """A folder, zip or Python file with a name of its own, or one that Gradescope's metadata lists."""
    name = entry.name if entry.is_folder else entry.name[: -len(entry.suffix)]
    form = "folder" if entry.is_folder else "zip" if entry.suffix == ".zip" else "file"
    listed = (metadata or {}).get(entry.name) or (metadata or {}).get(name)
    is_listed = listed is not None or (metadata is not None and _GRADESCOPE_NAME.fullmatch(name) is not None)
    people = listed.people if listed else ()
    columns = [[getattr(person, key) for person in people] for key in ("name", "student_id", "email")]
    return HandIn(
        row_id=name,
        person=Person(*(", ".join(filter(None, column)) for column in columns)),
        source=f"{source.location}/{entry.name}",
        pieces=(source.piece(entry, entry_file if form == "file" else ""),),
        members=people if len(people) > 1 else (),
        entry_name=entry.name,
        platform="gradescope" if is_listed else "",
        form=form,
        entries=(entry.name,),
        handed_in=listed.handed_in if listed else "",
    )


def _named_hand_in(
    source: SubmissionSource, parts: Sequence[NamedEntry], entry_file: str, entries: Entries
) -> HandIn | None:
    """The submission of one person, from all entries that a platform named after them; the latest version counts."""
    latest, earlier = _latest_attempt(parts)
    receipts = [part for part in latest if not part.file_name and part.entry.suffix == ".txt"]
    typed = [part for part in latest if part.kind == "onlinetext"]
    contents = [part for part in latest if part not in receipts and part not in typed and part.kind in ("", "file")]
    files, replaced = _latest_versions(contents, entry_file)
    earlier += replaced
    for part in earlier:
        entries.leave_out(part.entry.name, "an earlier version")
    for part in latest:
        if part.kind not in ("", "file", "onlinetext"):
            entries.leave_out(part.entry.name, f"not a submission but {part.kind}")
    name_parts = [*(part for part, _ in files), *typed, *receipts]
    if not name_parts:
        return None
    first = name_parts[0]
    return HandIn(
        row_id=_row_id(first),
        person=_person(source, first, receipts),
        source=f"{source.location}/{first.entry.name}",
        pieces=tuple(source.piece(part.entry, name) for part, name in files),
        problem="" if files else _no_files(first),
        entry_name="" if first.platform == "moodle" else first.entry.name,
        platform=first.platform,
        form=_form(name_parts),
        entries=tuple(clean_line(part.entry.name) for part in name_parts),
        handed_in=max(part.handed_in for part in name_parts),
        is_late=any(part.is_late for part in name_parts),
        earlier=tuple(clean_line(part.entry.name) for part in earlier),
    )


def _latest_attempt(parts: Iterable[NamedEntry]) -> tuple[list[NamedEntry], list[NamedEntry]]:
    """Split entries into the latest attempt and earlier ones; without times all belong to one attempt."""
    every = list(parts)
    latest_time = max(part.handed_in for part in every)
    return (
        [part for part in every if part.handed_in == latest_time],
        [part for part in every if part.handed_in != latest_time],
    )


def _latest_versions(
    parts: Sequence[NamedEntry], entry_file: str
) -> tuple[list[tuple[NamedEntry, str]], list[NamedEntry]]:
    """Return the latest version of each file under its submitted name, and the earlier versions.

    Canvas writes ``main-1.py`` for a file that was submitted again. A student may have chosen such a name, so numbers
    are only removed if a file exists twice, or if removing the number gives the boss's program.
    """
    numbered = {part.file_name: _RESUBMITTED.fullmatch(part.file_name) for part in parts if part.platform == "canvas"}
    bases = {name: f"{match['base']}{match['suffix']}" for name, match in numbered.items() if match}
    names = {part.file_name for part in parts}
    renames = any(base in names or base == entry_file for base in bases.values())
    newest: dict[str, tuple[int, NamedEntry]] = {}
    replaced: list[NamedEntry] = []
    for part in parts:
        match = numbered.get(part.file_name) if renames else None
        name, version = (bases[part.file_name], int(match["version"])) if match else (part.file_name, 0)
        key = name or part.entry.name
        if key in newest:
            older = part if version < newest[key][0] else newest[key][1]
            replaced.append(older)
        if key not in newest or version >= newest[key][0]:
            newest[key] = (version, part)
    return [(part, "" if part.entry.is_folder else key) for key, (_, part) in newest.items()], replaced


def _row_id(part: NamedEntry) -> str:
    return part.login or f"{part.name}_{part.number}"


def _person(source: SubmissionSource, part: NamedEntry, receipts: Sequence[NamedEntry]) -> Person:
    """Return whose it is; Blackboard writes the full name into a text file next to the files."""
    name = clean_name(part.name.replace("_", " "))
    for receipt in receipts:
        text = source.read(receipt.entry.name, _MAX_RECEIPT_BYTES).decode("utf-8", "replace")
        match = _RECEIPT_NAME.search(text)
        name = clean_name(match["name"]) if match else name
    return Person(name=name, student_id=clean_name(part.login), number=part.number)


def _no_files(part: NamedEntry) -> str:
    platform = part.platform.capitalize()
    return f"Submitted as text typed into {platform}, not as files." if part.kind else "Submitted without a file."


def _form(parts: Sequence[NamedEntry]) -> str:
    if len(parts) > 1:
        return "several files"
    entry = parts[0].entry
    return "folder" if entry.is_folder else "zip" if entry.suffix == ".zip" else "file"


def layouts(hand_ins: Iterable[HandIn]) -> Iterator[str]:
    """Yield the platform of each submission, ``folders`` for one without a platform's name."""
    return (hand_in.platform or "folders" for hand_in in hand_ins)
