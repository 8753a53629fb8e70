"""From the text of a line to what it says."""

import re
from datetime import datetime
from typing import NamedTuple, Optional

SEVERITIES = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
STAMP = re.compile(r"\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ")
COMPONENT = re.compile(r"[A-Za-z0-9._-]+")
REQUEST = re.compile(r"([A-Z]+ /[^ ]*) (\d{3}) (\d+)ms")


class Malformed(Exception):
    """A line that is not built like a log line."""


class Entry(NamedTuple):
    """A well-formed line."""

    time: str
    level: str
    component: str
    message: str

    @property
    def is_error(self) -> bool:
        """Whether the line tells of trouble."""
        return self.level in ("ERROR", "CRITICAL")

    @property
    def request(self) -> Optional["re.Match[str]"]:
        """The parts of the request, if the message is one."""
        return REQUEST.fullmatch(self.message)


def parse(line: str) -> Entry:
    """Take a line apart.

    Raises:
        Malformed: It can't be.
    """
    parts = line.split(" ", 3)
    if len(parts) < 4:
        raise Malformed("a part is missing")
    entry = Entry(*parts)
    if not entry.message or entry.message.startswith(" "):
        raise Malformed("no message")
    if entry.level not in SEVERITIES:
        raise Malformed("no such level")
    if not COMPONENT.fullmatch(entry.component):
        raise Malformed("no such component")
    check_time(entry.time)
    return entry


def check_time(stamp: str) -> None:
    """Refuse a time of another form, or one that does not exist.

    Raises:
        Malformed: It is one of these.
    """
    if not STAMP.fullmatch(stamp):
        raise Malformed("another form of time")
    try:
        datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError as error:
        raise Malformed("no such moment") from error
