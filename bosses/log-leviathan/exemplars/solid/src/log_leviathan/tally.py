"""What is known about all lines so far."""

import heapq

from log_leviathan.entry import SEVERITIES, Entry, Malformed, parse


class Tally:
    """Counters, extremes, and the slowest requests."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.malformed = 0
        self.requests = 0
        self.first = None
        self.last = None
        self.levels = {severity: 0 for severity in SEVERITIES}
        self.components = {}
        self.slowest = []

    def take(self, line: str) -> None:
        """Count one line that is not blank."""
        try:
            entry = parse(line)
        except Malformed:
            self.malformed += 1
        else:
            self.count(entry)

    def count(self, entry: Entry) -> None:
        """Count one well-formed line."""
        self.levels[entry.level] += 1
        component = self.components.setdefault(entry.component, {"lines": 0, "errors": 0})
        component["lines"] += 1
        component["errors"] += int(entry.is_error)
        self.first = min(self.first or entry.time, entry.time)
        self.last = max(self.last or entry.time, entry.time)
        if entry.request:
            self.requests += 1
            self.rank(entry)

    def rank(self, entry: Entry) -> None:
        """Keep a request if it is among the slowest."""
        request, status, ms = entry.request.groups()
        item = (int(ms), -self.requests, entry.time, entry.component, request, int(status))
        heapq.heappush(self.slowest, item)
        if len(self.slowest) > self.top:
            heapq.heappop(self.slowest)

    def summary(self) -> dict:
        """The tally as it is told."""
        sound = sum(self.levels.values())
        errors = sum(component["errors"] for component in self.components.values())
        return {
            "lines": sound + self.malformed,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": self.levels,
            "components": self.components,
            "error_rate": errors / sound if sound else None,
            "requests": self.requests,
            "slowest": [
                {"ms": ms, "time": time, "component": component, "request": request, "status": status}
                for ms, _, time, component, request, status in sorted(self.slowest, reverse=True)
            ],
        }
