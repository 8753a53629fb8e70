"""The book and its journal together."""

import json
import os

from .book import BatchError, Book, read_spec
from .journal import Journal


class Titan:
    """Jobs in batches, taken on leases, over one journal."""

    def __init__(self, path):
        self._book = Book()
        self._journal = Journal(path)
        self._journal.replay(self._apply)

    def _apply(self, record):
        """Make true again what a line says."""
        kind, *rest = record
        if kind == "add":
            raw, key = rest
            if not self._book.admit([read_spec(job) for job in raw], key):
                raise ValueError("nothing to add")
        elif kind == "take":
            name, now, lease = rest
            job = self._book.next(now)
            if job is None or job.spec.id != name:
                raise ValueError("not the next job")
            self._book.begin(job, now + lease)
        elif kind in ("done", "fail"):
            name, attempt, now = rest
            self._book.finish(self._book.says(name, attempt, kind, now), kind, now)
        else:
            raise ValueError(kind)

    def add(self, batch, key=None):
        """Add a batch; how many jobs that were."""
        if not isinstance(batch, list) or not batch:
            raise BatchError("a batch is a list of at least one job")
        specs = [read_spec(raw) for raw in batch]
        added = self._book.admit(specs, key)
        if added:
            self._journal.append(["add", [{**s._asdict(), "after": sorted(s.after)} for s in specs], key])
        return added

    def take(self, now, lease=60):
        """(job, attempt) of the first ready job, or None."""
        job = self._book.next(now)
        if job is None:
            return None
        self._journal.append(["take", job.spec.id, now, lease])
        return job.spec.id, self._book.begin(job, now + lease)

    def done(self, job, attempt, now):
        """The attempt has succeeded; False if that was said before."""
        return self._say(job, attempt, "done", now)

    def fail(self, job, attempt, now):
        """The attempt has failed; False if that was said before."""
        return self._say(job, attempt, "fail", now)

    def _say(self, name, attempt, word, now):
        job = self._book.says(name, attempt, word, now)
        if job is None:
            return False
        self._journal.append([word, name, attempt, now])
        self._book.finish(job, word, now)
        return True

    def status(self, now):
        """Everything, as a dict."""
        return self._book.status(now)

    def report(self, path, now):
        """Write the status to a new file and put it in the place of path."""
        draft = f"{path}.{os.getpid()}.new"
        with open(draft, "x", encoding="utf-8") as file:
            json.dump(self.status(now), file)
        try:
            os.replace(draft, path)
        except OSError:
            os.unlink(draft)
            raise

    def close(self):
        """Nothing is held open."""
