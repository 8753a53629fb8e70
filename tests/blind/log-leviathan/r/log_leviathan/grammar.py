"""What a line and a request look like."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

LEVEL_NAMES = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

_LINE_RE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z ([A-Z]+) ([a-zA-Z0-9._-]+) ([^ ].*)",
    re.ASCII | re.DOTALL,
)
_REQUEST_RE = re.compile(r"([A-Z]+) (/[^ ]*) (\d{3}) (\d+)ms", re.ASCII)


@dataclass(frozen=True, slots=True)
class Request:
    ms: int
    time: str
    component: str
    request: str
    status: int


@dataclass(frozen=True, slots=True)
class LogLine:
    time: str
    level: str
    component: str
    message: str

    @property
    def is_trouble(self) -> bool:
        return self.level in ("ERROR", "CRITICAL")

    def as_request(self) -> Request | None:
        found = _REQUEST_RE.fullmatch(self.message)
        if not found:
            return None
        method, path, status, ms = found.groups()
        return Request(int(ms), self.time, self.component, f"{method} {path}", int(status))


def parse(raw: bytes) -> LogLine | None:
    """Understand one line (its end already removed); None means malformed."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    found = _LINE_RE.fullmatch(text)
    if not found:
        return None
    *moment, level, component, message = found.groups()
    if level not in LEVEL_NAMES or not _exists(*map(int, moment)):
        return None
    return LogLine(text[:24], level, component, message)


def _exists(year, month, day, hour, minute, second, milli) -> bool:
    try:
        dt.datetime(year, month, day, hour, minute, second, milli * 1000)
    except ValueError:
        return False
    return True
