"""The order book: checks, writes a record, and only then changes what it knows."""

import contextlib
import json
import os

from titan.batch import check_against, specs_of
from titan.errors import ConflictError, StaleError
from titan.job import DONE, FAIL, Job
from titan.journal import Journal

STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")


class Titan:
    """Jobs in the order they were added, made from a journal."""

    def __init__(self, path):
        """Open a journal.

        Raises:
            JournalError: It is damaged.
        """
        self._jobs = {}
        self._keys = {}
        self._journal = Journal(path)
        for record in self._journal.read():
            self._apply(record)

    def add(self, batch, key=None):
        """Add all jobs of a batch, and say how many; 0 for one that was added under this key before."""
        specs = specs_of(batch)
        if key is not None and key in self._keys:
            if self._keys[key] != specs:
                raise ConflictError(f"another batch was added under the key {key}")
            return 0
        check_against(specs, self._jobs)
        jobs = [{**spec._asdict(), "after": list(spec.after)} for spec in specs]
        self._change({"op": "add", "key": key, "jobs": jobs})
        return len(specs)

    def take(self, now, lease=60):
        """Begin the next attempt of the first ready job: (job, attempt), or None."""
        for job in self._jobs.values():
            if job.state(now, self._waits(job), blocked=False)[0] == "ready":
                self._change({"op": "take", "job": job.spec.id, "now": now, "lease": lease})
                return job.spec.id, job.begun
        return None

    def done(self, job, attempt, now):
        """An attempt has succeeded. False if that was said before."""
        return self._end(DONE, job, attempt, now)

    def fail(self, job, attempt, now):
        """An attempt has failed. False if that was said before."""
        return self._end(FAIL, job, attempt, now)

    def status(self, now):
        """Every job with its state at a time, and how many there are of each."""
        blocked = self._blocked(now)
        counts = dict.fromkeys(STATES, 0)
        told = []
        for name, job in self._jobs.items():
            state, due = job.state(now, self._waits(job), name in blocked)
            counts[state] += 1
            told.append({"id": name, "state": state, "attempts": job.begun, "due": due})
        return {"now": now, "counts": counts, "jobs": told}

    def report(self, path, now):
        """Write the status to a file that is whole at every moment."""
        draft = f"{path}.draft"
        try:
            with open(draft, "w", encoding="utf-8") as file:
                json.dump(self.status(now), file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        except OSError:
            with contextlib.suppress(FileNotFoundError):
                os.remove(draft)
            raise

    def close(self):
        """End the work."""
        self._journal.close()

    def _end(self, how, name, attempt, now):
        job = self._jobs.get(name)
        if job is None or attempt != job.begun:
            raise StaleError(f"attempt {attempt} of {name} is not under way")
        job.settle(now)
        if job.ended == how and attempt:
            return False
        if job.ended is not None:
            raise StaleError(f"attempt {attempt} of {name} has ended otherwise")
        self._change({"op": how, "job": name, "now": now})
        return True

    def _change(self, record):
        self._journal.append(record)
        self._apply(record)

    def _apply(self, record):
        """The only place where anything changes, on opening as in work."""
        if record["op"] == "add":
            specs = specs_of(record["jobs"])
            self._jobs.update((spec.id, Job(spec)) for spec in specs)
            if record["key"] is not None:
                self._keys[record["key"]] = specs
        elif record["op"] == "take":
            self._jobs[record["job"]].begin(record["now"], record["lease"])
        else:
            self._jobs[record["job"]].end(record["op"], record["now"])

    def _waits(self, job):
        return not all(self._jobs[other].is_done for other in job.spec.after)

    def _blocked(self, now):
        """All that wait for a job that has failed, directly or not."""
        followers = {}
        for name, job in self._jobs.items():
            job.settle(now)
            for other in job.spec.after:
                followers.setdefault(other, []).append(name)
        fringe = [name for name, job in self._jobs.items() if job.has_failed]
        blocked = set()
        while fringe:
            ahead = [name for name in followers.get(fringe.pop(), ()) if name not in blocked]
            blocked.update(ahead)
            fringe.extend(ahead)
        return blocked
