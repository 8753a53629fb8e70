"""Recognises the names in course platforms' exports: whose an entry is, and when it was submitted."""

import re
from dataclasses import dataclass
from datetime import datetime

from evalforge.classroom.submission_source import SourceEntry
from evalforge.model.text import clean_line, clean_name


@dataclass(frozen=True)
class NamePattern:
    """How a platform names an entry of an export.

    Attributes:
        platform: Its name, as reports show it.
        pattern: Groups: ``name``, ``number`` (the platform's id of a person), ``login``, ``kind``, ``late``, ``time``
            and ``file`` (the name that the student gave).
        folders: Whether folders have such names as well as files.
        time_format: The format of ``time``; empty if there is none.
        example: A name that it matches.
    """

    platform: str
    pattern: re.Pattern[str]
    folders: bool
    time_format: str
    example: str


NAME_PATTERNS = (
    NamePattern(
        "moodle",
        re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL),
        folders=True,
        time_format="",
        example="Ada Lovelace_4711_assignsubmission_file_main.py",
    ),
    NamePattern(
        "blackboard",
        re.compile(
            r"(?P<assignment>.+)_(?P<login>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<text>\.txt))",
            re.DOTALL,
        ),
        folders=False,
        time_format="%Y-%m-%d-%H-%M-%S",
        example="Lab 1_alovelace_attempt_2024-09-24-21-26-00_main.py",
    ),
    NamePattern(
        "brightspace",
        re.compile(r"(?P<number>\d+)-\d+ - (?P<name>.+?) - (?P<time>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{3,4} [AP]M)"),
        folders=True,
        time_format="%b %d, %Y %I%M %p",
        example="397063-2557369 - Ada Lovelace - Sep 24, 2024 926 PM",
    ),
    NamePattern(
        "canvas",
        re.compile(r"(?P<name>[^_]+)(?:_(?P<late>LATE))?_(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.DOTALL),
        folders=False,
        time_format="",
        example="lovelaceada_LATE_12345_67890_main.py",
    ),
)
"""The most specific first: if several match, the first counts."""


@dataclass(frozen=True)
class NamedEntry:
    """An entry whose name a platform gave.

    Attributes:
        person_key: A key shared by all entries of one person.
        name: The person's name, as it is written.
        number: The platform's id of the person.
        login: The person's login.
        kind: Moodle's kind of submission: ``file`` or ``onlinetext``.
        file_name: The name that the student gave; empty for a folder, or for a file that the platform wrote.
        handed_in: The time of submission according to the platform, such as ``2024-09-24 21:26``; empty if unknown.
    """

    entry: SourceEntry
    platform: str
    person_key: tuple[str, ...]
    name: str
    number: str
    login: str
    kind: str
    file_name: str
    handed_in: str
    is_late: bool


def recognise(entry: SourceEntry) -> NamedEntry | None:
    """Parse the name of an entry; None if it fits no platform."""
    for pattern in NAME_PATTERNS:
        match = pattern.pattern.fullmatch(entry.name) if pattern.folders or not entry.is_folder else None
        if match:
            return _named_entry(entry, pattern, match.groupdict(default=""))
    return None


def _named_entry(entry: SourceEntry, pattern: NamePattern, groups: dict[str, str]) -> NamedEntry:
    def group(name: str) -> str:
        return groups.get(name, "")

    return NamedEntry(
        entry=entry,
        platform=pattern.platform,
        person_key=(pattern.platform, *(clean_name(group(part)) for part in ("name", "number", "login"))),
        name=group("name"),
        number=group("number"),
        login=group("login"),
        kind=group("kind"),
        file_name=group("file"),
        handed_in=_time_text(group("time"), pattern.time_format),
        is_late=bool(group("late")),
    )


def _time_text(text: str, time_format: str) -> str:
    """Convert a time to one format for all platforms; text that isn't a time is returned unchanged."""
    if not time_format:
        return ""
    try:
        # The platform's own clock: it states no time zone, so none is assumed.
        return datetime.strptime(text, time_format).strftime("%Y-%m-%d %H:%M:%S")  # noqa: DTZ007
    except ValueError:
        return clean_line(text)
