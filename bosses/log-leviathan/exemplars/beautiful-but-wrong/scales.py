"""What a line looks like, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum


class Level(IntEnum):
    """How loud a line is."""

    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40
    CRITICAL = 50

    @property
    def is_trouble(self) -> bool:
        """Whether lines of this level belong to the error rate."""
        return self >= Level.WARNING


@dataclass(frozen=True, slots=True)
class Request:
    """A request, ready to be told."""

    ms: int
    time: str
    component: str
    request: str
    status: int


@dataclass(frozen=True, slots=True)
class Scale:
    """One well-formed line."""

    time: str
    level: Level
    component: str
    request: Request | None = None


_SCALE = re.compile(
    r"""(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)
        [ ](?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)
        [ ](?P<component>[A-Za-z0-9._-]+)
        [ ](?P<message>[^ ].*)""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_REQUEST = re.compile(r"(?P<request>[A-Z]+ /[^ ]*) (?P<status>\d{3}) (?P<ms>\d+)ms", re.ASCII)


def read_scale(raw: bytes) -> Scale | None:
    """Understand a line; None if it is malformed."""
    try:
        match = _SCALE.fullmatch(raw.decode("utf-8"))
        if match is None:
            return None
        datetime.fromisoformat(match["time"].removesuffix("Z"))
    except ValueError:
        return None
    request = read_request(match["message"], match["time"], match["component"])
    return Scale(match["time"], Level[match["level"]], match["component"], request)


def read_request(message: str, time: str, component: str) -> Request | None:
    """Understand a message as a request; None if it is none."""
    match = _REQUEST.fullmatch(message)
    if match is None:
        return None
    return Request(int(match["ms"]), time, component, match["request"], int(match["status"]))
