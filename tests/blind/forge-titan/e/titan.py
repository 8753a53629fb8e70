"""The order book of the forge: jobs over a journal."""

import json
import os
import sys


class TitanError(Exception):
    """The base of all refusals."""


class BatchError(TitanError):
    """A bad batch."""


class CycleError(BatchError):
    """Jobs in a circle."""


class ConflictError(TitanError):
    """A key that is taken."""


class StaleError(TitanError):
    """An attempt that is over."""


class JournalError(TitanError):
    """A damaged journal."""


class Titan:
    """Jobs in the order they were added."""

    def __init__(self, path):
        """Open the journal at a path."""
        self._path = path
        self._jobs = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    self._apply(json.loads(line))

    def _apply(self, record):
        """Make a change."""
        kind = record.pop("kind")
        if kind == "job":
            self._jobs[record["id"]] = {"after": [], "attempts": 3, "backoff": 60, "begun": 0, "state": "ready", **record}
        elif kind == "take":
            self._jobs[record["job"]]["begun"] += 1
            self._jobs[record["job"]]["state"] = "running"
        elif kind == "done":
            self._jobs[record["job"]]["state"] = "done"
        # TODO fail

    def _write(self, **record):
        """Add a line to the journal."""
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        self._apply(record)

    def add(self, batch, key=None):
        """Add the jobs of a batch, and say how many."""
        # TODO keys, circles
        for job in batch:
            if job["id"] in self._jobs:
                raise BatchError(f"{job['id']} is taken")
            self._write(kind="job", **job)
        return len(batch)

    def _ready(self, job):
        """Whether a job can begin."""
        return job["state"] == "ready" and all(self._jobs[name]["state"] == "done" for name in job["after"])

    def take(self, now, lease=60):
        """Begin the first job that is ready."""
        # TODO lease
        for name, job in self._jobs.items():
            if self._ready(job):
                self._write(kind="take", job=name)
                return name, job["begun"]
        return None

    def done(self, job, attempt, now):
        """Say that an attempt succeeded."""
        if self._jobs[job]["state"] == "done":
            return False
        if self._jobs[job]["begun"] != attempt:
            raise StaleError(job)
        self._write(kind="done", job=job)
        return True

    def fail(self, job, attempt, now):
        """Say that an attempt failed."""
        self._jobs[job]["state"] = "ready"
        return True

    def close(self):
        """End the work."""


def main(arguments):
    """Run one command and give the exit status."""
    command, journal, *rest = arguments
    book = Titan(journal)
    if command == "add":
        with open(rest[0], encoding="utf-8") as file:
            print(json.dumps({"added": book.add(json.load(file))}))
        return 0
    if command == "take":
        print(book.take(0))
        return 0
    print(f"not yet: {command}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
