"""Values that travel between the parts."""

import enum
from dataclasses import dataclass


class Level(enum.Enum):
    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40
    CRITICAL = 50

    @property
    def is_trouble(self) -> bool:
        return self.value >= Level.ERROR.value


@dataclass(frozen=True, slots=True)
class Request:
    request: str
    status: int
    ms: int


@dataclass(frozen=True, slots=True)
class Entry:
    time: str
    level: Level
    component: str
    message: str
    request: Request | None = None
