"""A book that is kept in a journal."""

import json
import os
from typing import Any

from .book import Book, Change
from .journal import Journal


class Titan:
    """The order book: what others use."""

    def __init__(self, path: str) -> None:
        """Open the journal at a path."""
        self._book = Book()
        self._journal = Journal(path)
        self._journal.read(self._replay)

    def _replay(self, change: Any) -> bool:
        if not self._book.is_due(change):
            return False
        self._book.apply(change)
        return True

    def _make(self, change: Change | None) -> bool:
        if change is None:
            return False
        self._journal.write(change)
        self._book.apply(change)
        return True

    def add(self, batch: Any, key: str | None = None) -> int:
        """Add a batch; how many jobs came in."""
        return len(batch) if self._make(self._book.admit(batch, key)) else 0

    def take(self, now: int, lease: int = 60) -> tuple[str, int] | None:
        """Begin the first job that is ready."""
        change = self._book.begin(now, lease)
        return (change[3], change[4]) if self._make(change) else None

    def done(self, job: str, attempt: int, now: int) -> bool:
        """Say that an attempt succeeded; False if it was said before."""
        return self._make(self._book.end(now, "done", job, attempt))

    def fail(self, job: str, attempt: int, now: int) -> bool:
        """Say that an attempt failed; False if it was said before."""
        return self._make(self._book.end(now, "fail", job, attempt))

    def status(self, now: int) -> dict[str, Any]:
        """All jobs and their states."""
        return self._book.status(now)

    def report(self, path: str, now: int) -> None:
        """Swap in a file with the status."""
        replace_file(path, json.dumps(self.status(now)) + "\n")

    def close(self) -> None:
        """End the work."""
        self._journal.close()


def replace_file(path: str, text: str) -> None:
    """Put a new file in the place of a path, whole or not at all."""
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name[:100]}.{os.getpid()}.tmp")
    with open(beside, "x", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
