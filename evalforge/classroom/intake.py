"""Finds the submissions of a class in a folder or a course platform's export, and accounts for every entry."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from evalforge.classroom.account import ClassAccount, UnusedEntry, count_forms
from evalforge.classroom.class_roster import match_people, read_roster
from evalforge.classroom.hand_in import HAND_IN_SUFFIXES, HandIn, Person
from evalforge.classroom.platform_names import recognise
from evalforge.classroom.platforms import layouts, read_entries
from evalforge.classroom.submission_source import SourceEntry, SubmissionSource, ZipSource, open_source
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line, clean_name

_MAX_WRAPPERS = 3
_MAX_ROW_ID_CHARS = 120
_PARTS_OF_ONE_PROGRAM = frozenset({"src", "lib", "test", "tests", "doc", "docs", "data", "examples"})


@dataclass(frozen=True)
class ClassIntake:
    """The submissions of a class, by row id.

    Attributes:
        source: The path of the class.
        layout: How it was read: ``folders``, the name of a platform, or ``mixed``.
        hand_ins: One submission for each row.
        account: Everything in the folder, compared with the roster.
        opened: The source that submissions are unpacked from until it is closed.
    """

    source: str
    layout: str
    hand_ins: tuple[HandIn, ...]
    account: ClassAccount
    opened: SubmissionSource

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the archive of a class; afterwards its submissions can't be unpacked."""
        self.opened.close()


def find_hand_ins(place: Path, roster: Path | None = None, entry_file: str = "") -> ClassIntake:
    """Find the submissions of a class.

    Args:
        place: A folder with a folder, a zip or a file for each student, or a course platform's export.
        roster: A CSV file of the people who should have submitted.
        entry_file: The name that the boss's program must have; a single file under a student's name gets it.

    Raises:
        UsageError: There are no submissions, or place or roster can't be read.
    """
    with ExitStack() as unless_found:
        outer = open_source(place)
        unless_found.callback(outer.close)
        intake = _read_class(outer, place, roster, entry_file)
        unless_found.pop_all()
    return intake


def _read_class(outer: SubmissionSource, place: Path, roster: Path | None, entry_file: str) -> ClassIntake:
    source, neighbours = _inside_wrappers(outer)
    _refuse_single_hand_in(place, source.entries(), entry_file)
    entries = read_entries(source, entry_file)
    hand_ins = _with_name_clashes(_with_unique_ids(entries.hand_ins))
    account = _account(hand_ins, [*neighbours, *entries.unused], source.location[len(outer.location) :].strip("/"))
    if roster is not None:
        people = read_roster(roster)
        hand_ins = match_people(hand_ins, people)
        account = _with_roster(account, hand_ins, len(people))
    if not hand_ins:
        raise UsageError(f"{place} holds no submissions.", "Give the folder with one folder (or zip) for each student.")
    hand_ins = sorted(hand_ins, key=lambda row: (row.row_id.casefold(), row.row_id))
    names = set(layouts(row for row in hand_ins if row.source))
    layout = names.pop() if len(names) == 1 else "mixed"
    return ClassIntake(source.location, layout, tuple(hand_ins), account, outer)


def _account(hand_ins: Sequence[HandIn], unused: Sequence[UnusedEntry], inside: str) -> ClassAccount:
    platforms: dict[str, int] = {}
    for hand_in in hand_ins:
        platform = hand_in.platform or "plain"
        platforms[platform] = platforms.get(platform, 0) + 1
    return ClassAccount(
        entries=sum(len(hand_in.entries) for hand_in in hand_ins) + len(unused),
        inside=clean_line(inside),
        forms=count_forms((hand_in.form, len(hand_in.entries)) for hand_in in hand_ins),
        platforms=tuple(sorted(platforms.items())),
        unused=tuple(unused),
    )


def _with_roster(account: ClassAccount, rows: Sequence[HandIn], roster_size: int) -> ClassAccount:
    return account.model_copy(
        update={
            "off_roster": tuple(row.person.name or row.row_id for row in rows if row.source and not row.on_roster),
            "absent": tuple(row.person.name or row.row_id for row in rows if not row.source),
            "roster_size": roster_size,
        }
    )


def _refuse_single_hand_in(place: Path, entries: Sequence[SourceEntry], entry_file: str) -> None:
    """Refuse the folder of a single student, whose files would otherwise be taken for students."""
    hand_ins = [entry for entry in entries if entry.is_folder or entry.suffix in HAND_IN_SUFFIXES]
    is_one_program = all(entry.suffix == ".py" or entry.name in _PARTS_OF_ONE_PROGRAM for entry in hand_ins)
    if is_one_program and any(entry.name == entry_file for entry in hand_ins):
        raise UsageError(
            f"{place} holds {entry_file} itself: it is one submission, not a class.",
            "Give the folder around it, or judge it alone with: evalforge judge",
        )


def _inside_wrappers(source: SubmissionSource) -> tuple[SubmissionSource, list[UnusedEntry]]:
    """Return the folder inside an export's wrapper folders, and the entries next to those folders."""
    neighbours: list[UnusedEntry] = []
    for _ in range(_MAX_WRAPPERS):
        entries = source.entries()
        hand_ins = [entry for entry in entries if entry.is_folder or entry.suffix in HAND_IN_SUFFIXES]
        if len(hand_ins) != 1 or not hand_ins[0].is_folder or any(recognise(entry) for entry in entries):
            break
        inner = source.open_folder(hand_ins[0].name)
        if not _wraps_class(inner.entries(), is_export=isinstance(source, ZipSource)):
            break
        files = [(entry.name, "beside the folder of the class") for entry in entries if not entry.is_folder]
        neighbours += [UnusedEntry(name=clean_line(name), reason=why) for name, why in (*files, *source.unread())]
        source = inner
    return source, neighbours


def _wraps_class(entries: Sequence[SourceEntry], *, is_export: bool) -> bool:
    """Whether a class's only folder contains the submissions, rather than being one.

    An archive usually wraps its content. On disk it takes several folders, none of which looks like a part of
    one program: ``gh classroom clone`` puts all repositories into one folder.
    """
    if any(recognise(entry) for entry in entries):
        return True
    if any(entry.suffix == ".py" for entry in entries):
        return False
    folders = {entry.name for entry in entries if entry.is_folder}
    return is_export or (len(folders) > 1 and folders.isdisjoint(_PARTS_OF_ONE_PROGRAM))


def _with_unique_ids(hand_ins: Iterable[HandIn]) -> list[HandIn]:
    """Give every row a unique, printable id; ``a`` and ``a.zip`` are two submissions."""
    used_ids: set[str] = set()
    rows: list[HandIn] = []
    for hand_in in hand_ins:
        row_id = base = clean_name(hand_in.row_id, _MAX_ROW_ID_CHARS) or "unnamed"
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
    """Note on each submission which others have the same name in another case or with another extension."""
    names: dict[str, list[HandIn]] = {}
    for hand_in in hand_ins:
        names.setdefault(clean_name(hand_in.name).casefold(), []).append(hand_in)
    clashes = {
        hand_in.row_id: tuple(clean_line(other.entry_name) for other in namesakes if other is not hand_in)
        for namesakes in names.values()
        for hand_in in namesakes
    }
    return [replace(hand_in, name_clashes=clashes[hand_in.row_id]) for hand_in in hand_ins]
