"""All jobs and keys.

A question (`admit`, `begin`, `end`) answers with the change that is due, or None, and changes nothing. `apply` makes a
change. Changes are lists of what JSON knows.
"""

from typing import Any

from .batches import Spec, check_circles, check_ids, read_batch
from .errors import ConflictError, StaleError, TitanError
from .jobs import Attempt, Job

STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")
Change = list[Any]


class Book:
    """All jobs, in the order they were added, and all keys."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._keys: dict[str, list[Spec]] = {}

    def admit(self, batch: Any, key: str | None) -> Change | None:
        """The change that adds a batch; None if it is a repeat."""
        specs = read_batch(batch)
        if key is not None and key in self._keys:
            if self._keys[key] == specs:
                return None
            raise ConflictError(f"the key {key!r} belongs to another batch")
        check_ids(specs, self._jobs)
        check_circles(specs)
        return ["add", key, [[spec.id, list(spec.after), spec.attempts, spec.backoff] for spec in specs]]

    def begin(self, now: int, lease: int) -> Change | None:
        """The change that begins the first ready job; None if there is none."""
        for name, job in self._jobs.items():
            if job.state(now)[0] == "ready" and not self._waits(job):
                return ["take", now, lease, name, job.begun() + 1]
        return None

    def end(self, now: int, word: str, name: str, number: int) -> Change | None:
        """The change that ends an attempt with "done" or "fail"; None if it is a repeat."""
        job = self._jobs.get(name)
        if job is None or job.attempt is None or job.attempt.number != number:
            raise StaleError(f"attempt {number} of {name!r} is not the latest")
        attempt = job.attempt.at(now)
        if attempt.word == word:
            return None
        if attempt.word is not None:
            raise StaleError(f"attempt {number} of {name!r} has ended otherwise")
        return ["end", now, word, name, number]

    def apply(self, change: Change) -> None:
        """Make a change that is due."""
        match change:
            case ["add", key, rows]:
                specs = [Spec(name, tuple(after), attempts, backoff) for name, after, attempts, backoff in rows]
                for spec in specs:
                    self._jobs[spec.id] = Job(spec)
                if key is not None:
                    self._keys[key] = specs
            case ["take", now, lease, name, number]:
                self._jobs[name].attempt = Attempt(number, now + lease)
            case ["end", now, word, name, _]:
                job = self._jobs[name]
                job.attempt = job.attempt.ended(word, now)

    def is_due(self, change: Any) -> bool:
        """Whether a change from outside is one that a question would answer with."""
        try:
            match change:
                case ["add", str() | None as key, [*rows]]:
                    batch = [dict(zip(Spec._fields, row, strict=True)) for row in rows]
                    return self.admit(batch, key) == change
                case ["take", int(now), int(lease), str(), int()]:
                    return self.begin(now, lease) == change
                case ["end", int(now), "done" | "fail" as word, str(name), int(number)]:
                    return self.end(now, word, name, number) == change
        except (TitanError, TypeError, ValueError):
            pass
        return False

    def status(self, now: int) -> dict[str, Any]:
        """All jobs with their states at a time."""
        counts = dict.fromkeys(STATES, 0)
        jobs = []
        blocked = self._blocked(now)
        for name, job in self._jobs.items():
            state, due = job.state(now)
            if name in blocked:
                state = "blocked"
            elif self._waits(job):
                state = "waiting"
            counts[state] += 1
            jobs.append({"id": name, "state": state, "attempts": job.begun(), "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def _waits(self, job: Job) -> bool:
        return job.attempt is None and not all(self._jobs[each].is_done() for each in job.spec.after)

    def _blocked(self, now: int) -> set[str]:
        followers: dict[str, list[str]] = {}
        for name, job in self._jobs.items():
            for each in job.spec.after:
                followers.setdefault(each, []).append(name)
        todo = [name for name, job in self._jobs.items() if job.state(now)[0] == "failed"]
        blocked: set[str] = set()
        while todo:
            for name in followers.get(todo.pop(), ()):
                if name not in blocked:
                    blocked.add(name)
                    todo.append(name)
        return blocked
