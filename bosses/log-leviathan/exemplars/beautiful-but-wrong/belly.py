"""What little is kept of a log."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from scales import Level, Request, Scale


@dataclass(slots=True)
class Belly:
    """Counters, extremes and a heap: the same size after a thousand lines and after a billion."""

    top: int = 5
    malformed: int = 0
    requests: int = 0
    times: tuple[str, str] | None = None
    levels: Counter[Level] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    trouble: Counter[str] = field(default_factory=Counter)
    heap: list[tuple[int, int, Request]] = field(default_factory=list)

    def swallow(self, scales: Iterable[Scale | None]) -> Belly:
        """Take in all lines, None for a malformed one."""
        for scale in scales:
            if scale is None:
                self.malformed += 1
            else:
                self.digest(scale)
        return self

    def digest(self, scale: Scale) -> None:
        """Take in one well-formed line."""
        first, last = self.times or (scale.time, scale.time)
        self.times = min(first, scale.time), max(last, scale.time)
        self.levels[scale.level] += 1
        self.lines[scale.component] += 1
        self.trouble[scale.component] += scale.level.is_trouble
        if scale.request:
            self.requests += 1
            self.rank(scale.request)

    def rank(self, request: Request) -> None:
        """Keep a request while it is among the slowest."""
        keep = heapq.heappush if len(self.heap) < self.top else heapq.heappushpop
        if self.top:
            keep(self.heap, (request.ms, -self.requests, request))

    def as_dict(self) -> dict[str, object]:
        """What is told in the end."""
        sound = self.levels.total()
        first, last = self.times or (None, None)
        return {
            "lines": sound + self.malformed,
            "malformed": self.malformed,
            "first": first,
            "last": last,
            "levels": {level.name: self.levels[level] for level in Level},
            "components": {
                name: {"lines": count, "errors": self.trouble[name]} for name, count in self.lines.items()
            },
            "error_rate": round(self.trouble.total() / sound, 4) if sound else None,
            "requests": self.requests,
            "slowest": [asdict(request) for _, _, request in sorted(self.heap, reverse=True)],
        }
