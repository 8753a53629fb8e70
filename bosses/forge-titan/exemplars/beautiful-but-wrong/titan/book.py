"""The book: a fold over events, and the commands that add to them."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

from titan.errors import ConflictError, StaleError
from titan.events import Event, seal, unbroken
from titan.orders import Order, check_circles, check_names, read_batch

STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")
LONGEST_REST = 3600


@dataclass(slots=True)
class Job:
    """An order, and its latest attempt."""

    order: Order
    begun: int = 0
    last: str = ""
    due: int = 0

    def end(self, how: str, now: int) -> None:
        """End the latest attempt."""
        self.last = how
        self.due = now + min(LONGEST_REST, self.order.backoff << min(self.begun - 1, 12))

    def settle(self, now: int) -> None:
        """A lease that is over has failed when it was."""
        if self.last == "running" and self.due <= now:
            self.end("lost", self.due)

    @property
    def hopeless(self) -> bool:
        """Whether no attempt is left."""
        return self.last in ("fail", "lost") and self.begun >= self.order.attempts


class Titan:
    """Jobs, as told by a journal of events."""

    def __init__(self, path: str) -> None:
        """Fold all events of the journal."""
        self._path = path
        self._jobs: dict[str, Job] = {}
        self._keys: dict[str, tuple[Order, ...]] = {}
        if os.path.exists(path):
            with open(path, "rb") as file:
                for event in unbroken(file):
                    self._fold(event)

    def add(self, batch: Any, key: str | None = None) -> int:
        """Add a batch; 0 if this was done under the same key before."""
        orders = read_batch(batch)
        if key in self._keys:
            if self._keys[key] != orders:
                raise ConflictError(f"{key} belongs to another batch")
            return 0
        check_names(orders, set(self._jobs))
        check_circles(orders)
        self._tell({"event": "added", "orders": [order.plain() for order in orders], "key": key})
        return len(orders)

    def take(self, now: int, lease: int = 60) -> tuple[str, int] | None:
        """Begin the ready job on which the most others wait."""
        load = Counter(other for job in self._jobs.values() for other in job.order.after)
        told = self.status(now)["jobs"]
        ready = [job["id"] for job in told if job["state"] == "ready"]
        if not ready:
            return None
        name = max(ready, key=lambda name: load[name])
        self._tell({"event": "taken", "job": name, "until": now + lease})
        return name, self._jobs[name].begun

    def done(self, job: str, attempt: int, now: int) -> bool:
        """An attempt has succeeded."""
        return self._end("done", job, attempt, now)

    def fail(self, job: str, attempt: int, now: int) -> bool:
        """An attempt has failed."""
        return self._end("fail", job, attempt, now)

    def status(self, now: int) -> dict[str, Any]:
        """Every job and its state."""
        for job in self._jobs.values():
            job.settle(now)
        blocked = self._blocked()
        listed = []
        for name, job in self._jobs.items():
            state = "blocked" if name in blocked else self._state(job, now)
            due = job.due if state in ("running", "resting") else None
            listed.append({"id": name, "state": state, "attempts": job.begun, "due": due})
        counts = Counter(job["state"] for job in listed)
        return {"now": now, "counts": {state: counts[state] for state in STATES}, "jobs": listed}

    def report(self, path: str, now: int) -> None:
        """Swap a whole report into its place."""
        draft = f"{path}.draft"
        try:
            with open(draft, "w", encoding="utf-8") as file:
                json.dump(self.status(now), file)
            os.replace(draft, path)
        except OSError:
            if os.path.exists(draft):
                os.remove(draft)
            raise

    def close(self) -> None:
        """Nothing is held open."""

    def _end(self, how: str, name: str, attempt: int, now: int) -> bool:
        job = self._jobs.get(name)
        if job is None or not attempt or job.begun != attempt:
            raise StaleError(f"attempt {attempt} of {name} is not under way")
        job.settle(now)
        if job.last == how:
            return False
        if job.last != "running":
            raise StaleError(f"attempt {attempt} of {name} is over")
        self._tell({"event": how, "job": name, "at": now})
        return True

    def _state(self, job: Job, now: int) -> str:
        if job.last in ("done", "running"):
            return job.last
        if job.hopeless:
            return "failed"
        if any(self._jobs[other].last != "done" for other in job.order.after):
            return "waiting"
        return "resting" if job.due > now else "ready"

    def _blocked(self) -> set[str]:
        """All that wait for something hopeless, found outward from there."""
        blocked: set[str] = set()
        lost = {name for name, job in self._jobs.items() if job.hopeless}
        while ahead := {
            name for name, job in self._jobs.items() if name not in blocked and lost.intersection(job.order.after)
        }:
            blocked |= ahead
            lost = ahead
        return blocked

    def _tell(self, event: Event) -> None:
        """Write an event behind the last whole line, and fold it."""
        with open(self._path, "a+b") as file:
            file.seek(0)
            end = file.read().rfind(b"\n") + 1
            file.truncate(end)
            file.write(seal(event))
        self._fold(event)

    def _fold(self, event: Event) -> None:
        match event:
            case {"event": "added", "orders": orders, "key": key}:
                added = read_batch(orders)
                self._jobs.update((order.id, Job(order)) for order in added)
                if key is not None:
                    self._keys[key] = added
            case {"event": "taken", "job": name, "until": until}:
                job = self._jobs[name]
                job.begun, job.last, job.due = job.begun + 1, "running", until
            case {"event": how, "job": name, "at": at}:
                self._jobs[name].end(how, at)
