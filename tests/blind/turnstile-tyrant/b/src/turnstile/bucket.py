"""The units of one key."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Grant:
    """Units that are in use until an instant."""

    end: float
    cost: int


@dataclass(slots=True)
class Bucket:
    """The grants of one key, oldest first. All methods want its lock held."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    used: int = 0
    _grants: deque[Grant] = field(default_factory=deque)

    def expire(self, now: float) -> None:
        """Free what has ended."""
        while self._grants and self._grants[0].end <= now:
            self.used -= self._grants.popleft().cost

    def add(self, grant: Grant) -> None:
        """Take units."""
        self._grants.append(grant)
        self.used += grant.cost

    def freed_at(self, units: int) -> float:
        """When so many of the units in use will have ended."""
        for grant in self._grants:
            units -= grant.cost
            if units <= 0:
                return grant.end
        raise LookupError("not so many units are in use")
