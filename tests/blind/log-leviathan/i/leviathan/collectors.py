"""One collector for each question that is put to the log."""

import heapq
from collections import Counter
from collections.abc import Mapping
from typing import Any

from leviathan.model import Entry, Level


class LineCollector:
    def __init__(self) -> None:
        self._lines = 0
        self._malformed = 0

    def collect(self, entry: Entry | None) -> None:
        self._lines += 1
        self._malformed += entry is None

    def report(self) -> Mapping[str, Any]:
        return {"lines": self._lines, "malformed": self._malformed}


class PeriodCollector:
    def __init__(self) -> None:
        self._first: str | None = None
        self._last: str | None = None

    def collect(self, entry: Entry | None) -> None:
        if entry is None:
            return
        if self._first is None or entry.time < self._first:
            self._first = entry.time
        if self._last is None or entry.time > self._last:
            self._last = entry.time

    def report(self) -> Mapping[str, Any]:
        return {"first": self._first, "last": self._last}


class LevelCollector:
    def __init__(self) -> None:
        self._levels: Counter[Level] = Counter()

    def collect(self, entry: Entry | None) -> None:
        if entry is not None:
            self._levels[entry.level] += 1

    def report(self) -> Mapping[str, Any]:
        sound = self._levels.total()
        trouble = sum(count for level, count in self._levels.items() if level.is_trouble)
        return {
            "levels": {level.name: self._levels[level] for level in Level},
            "error_rate": trouble / sound if sound else None,
        }


class ComponentCollector:
    def __init__(self) -> None:
        self._components: dict[str, dict[str, int]] = {}

    def collect(self, entry: Entry | None) -> None:
        if entry is None:
            return
        counts = self._components.setdefault(entry.component, {"lines": 0, "errors": 0})
        counts["lines"] += 1
        counts["errors"] += entry.level.is_trouble

    def report(self) -> Mapping[str, Any]:
        return {"components": self._components}


class _Rank:
    """Orders entries with requests: the faster is the lesser, and of equally fast ones the later is."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def __lt__(self, other: "_Rank") -> bool:
        mine, theirs = self.entry, other.entry
        if mine.request.ms != theirs.request.ms:
            return mine.request.ms < theirs.request.ms
        return mine.time > theirs.time


class RequestCollector:
    def __init__(self, top: int) -> None:
        self._top = top
        self._requests = 0
        self._heap: list[_Rank] = []

    def collect(self, entry: Entry | None) -> None:
        if entry is None or entry.request is None:
            return
        self._requests += 1
        heapq.heappush(self._heap, _Rank(entry))
        if len(self._heap) > self._top:
            heapq.heappop(self._heap)

    def report(self) -> Mapping[str, Any]:
        slowest = [rank.entry for rank in sorted(self._heap, reverse=True)]
        return {"requests": self._requests, "slowest": [self._tell(entry) for entry in slowest]}

    @staticmethod
    def _tell(entry: Entry) -> dict[str, Any]:
        request = entry.request
        return {
            "ms": request.ms,
            "time": entry.time,
            "component": entry.component,
            "request": request.request,
            "status": request.status,
        }
