"""One line: bytes in, what it says out. No patterns; each part is asked what it is made of."""

from __future__ import annotations

import string
from typing import NamedTuple

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
DIGITS = frozenset(string.digits)
CAPITALS = frozenset(string.ascii_uppercase)
COMPONENT_SIGNS = frozenset(string.ascii_letters + string.digits + ".-_")
TIME_MASK = "0000-00-00T00:00:00.000Z"
MASKED = str.maketrans(string.digits, "0" * 10)
MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Call(NamedTuple):
    """A request: how long it took, what it was, how it went."""

    ms: int
    request: str
    status: int


class Note(NamedTuple):
    """What a well-formed line says, without its words."""

    time: str
    level: str
    component: str
    call: Call | None


def made_of(text: str, signs: frozenset[str]) -> bool:
    """Whether a text has characters, and none but these."""
    return bool(text) and signs.issuperset(text)


def days_in(year: int, month: int) -> int:
    """How many days a month has."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else MONTHS[month - 1]


def is_moment(text: str) -> bool:
    """Whether a time has the one allowed form, and exists."""
    if text.translate(MASKED) != TIME_MASK:
        return False
    year, month, day = int(text[0:4]), int(text[5:7]), int(text[8:10])
    hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
    if not (year >= 1 and 1 <= month <= 12 and hour <= 23 and minute <= 59 and second <= 59):
        return False
    return 1 <= day <= days_in(year, month)


def call_in(message: str) -> Call | None:
    """The request that a message is, if it is nothing else."""
    words = message.split(" ")
    if len(words) != 4:
        return None
    method, path, status, duration = words
    if not (made_of(method, CAPITALS) and path.startswith("/") and duration.endswith("ms")):
        return None
    ms = duration[:-2]
    if not (made_of(status, DIGITS) and len(status) == 3 and made_of(ms, DIGITS)):
        return None
    return Call(int(ms), f"{method} {path}", int(status))


def understand(raw: bytes) -> Note | None:
    """What a line says; None if it is malformed."""
    try:
        parts = raw.decode("utf-8").split(" ", 3)
    except UnicodeDecodeError:
        return None
    if len(parts) != 4:
        return None
    time, level, component, message = parts
    if message[:1] in ("", " ") or level not in LEVELS:
        return None
    if not (made_of(component, COMPONENT_SIGNS) and is_moment(time)):
        return None
    return Note(time, level, component, call_in(message))
