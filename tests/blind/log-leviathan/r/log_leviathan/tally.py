"""Adding up, without keeping any lines."""

from __future__ import annotations

import heapq

from .grammar import LEVEL_NAMES, LogLine, Request


class _Rank:
    """Orders requests from the least to the most worth listing.

    More milliseconds win; among equal ones the earlier request wins, and if even
    the moments are the same, the one that was read first.
    """

    __slots__ = ("request", "_key", "_place")

    def __init__(self, request: Request, place: int):
        self.request = request
        self._key = request.time
        self._place = place

    def __lt__(self, other: "_Rank") -> bool:
        if self.request.ms != other.request.ms:
            return self.request.ms < other.request.ms
        return (self._key, self._place) > (other._key, other._place)


class Tally:
    """Takes LogLines (or None for a malformed line) one at a time."""

    def __init__(self, top: int = 5):
        self.top = top
        self.malformed = 0
        self.well_formed = 0
        self.trouble = 0
        self.requests = 0
        self.earliest: str | None = None
        self.latest: str | None = None
        self.levels = dict.fromkeys(LEVEL_NAMES, 0)
        self.components: dict[str, dict[str, int]] = {}
        self._best: list[_Rank] = []

    def add(self, line: LogLine | None) -> None:
        if line is None:
            self.malformed += 1
            return
        self.well_formed += 1
        self.levels[line.level] += 1
        self._note_time(line.time)
        component = self.components.setdefault(line.component, {"lines": 0, "errors": 0})
        component["lines"] += 1
        if line.is_trouble:
            self.trouble += 1
            component["errors"] += 1
        request = line.as_request()
        if request is not None:
            self._note_request(request)

    def _note_time(self, time: str) -> None:
        if self.earliest is None or time < self.earliest:
            self.earliest = time
        if self.latest is None or time > self.latest:
            self.latest = time

    def _note_request(self, request: Request) -> None:
        self.requests += 1
        heapq.heappush(self._best, _Rank(request, self.requests))
        if len(self._best) > self.top:
            heapq.heappop(self._best)

    def slowest(self) -> list[Request]:
        return [rank.request for rank in sorted(self._best, reverse=True)]
