"""Understand one line of a log."""

import string
from dataclasses import dataclass
from datetime import datetime

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
TIME_SHAPE = "dddd-dd-ddTdd:dd:dd.dddZ"
COMPONENT_SIGNS = frozenset(string.ascii_letters + string.digits + ".-_")


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    status: int
    ms: int


@dataclass(frozen=True)
class Entry:
    time: str
    level: str
    component: str
    message: str

    @property
    def is_error(self) -> bool:
        return self.level in ("ERROR", "CRITICAL")


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def is_moment(text: str) -> bool:
    """Is this a time of the fixed form, and is there such a moment?"""
    shape = "".join("d" if sign in string.digits else sign for sign in text)
    if shape != TIME_SHAPE:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def understand(raw: bytes) -> Entry | None:
    """The entry of a line without its end, or None for a malformed one."""
    try:
        parts = raw.decode("utf-8").split(" ", 3)
    except UnicodeDecodeError:
        return None
    match parts:
        case [time, level, component, message] if (
            is_moment(time)
            and level in LEVELS
            and component
            and COMPONENT_SIGNS.issuperset(component)
            and message
            and not message.startswith(" ")
        ):
            return Entry(time, level, component, message)
    return None


def request_of(entry: Entry) -> Request | None:
    """The request an entry tells of, or None."""
    match entry.message.split(" "):
        case [method, path, status, duration] if (
            method
            and set(string.ascii_uppercase).issuperset(method)
            and path.startswith("/")
            and len(status) == 3
            and is_number(status)
            and duration.endswith("ms")
            and is_number(duration[:-2])
        ):
            return Request(method, path, int(status), int(duration[:-2]))
    return None
