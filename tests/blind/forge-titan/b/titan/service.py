"""The library: rules over storage."""

import json
from typing import Any

from titan.ledger import Ledger, Record
from titan.model import Word
from titan.storage import FileStorage, Storage, replace_text


class Titan:
    """The order book."""

    def __init__(self, path: str, storage: Storage | None = None) -> None:
        """Open the journal at a path, or other storage."""
        self._ledger = Ledger()
        self._storage = storage or FileStorage(path)
        self._storage.replay(self._accept)

    def _accept(self, record: Any) -> bool:
        accepted = self._ledger.accepts(record)
        if accepted:
            self._ledger.apply(record)
        return accepted

    def _commit(self, record: Record | None) -> bool:
        if record is None:
            return False
        self._storage.append(record)
        self._ledger.apply(record)
        return True

    def add(self, batch: Any, key: str | None = None) -> int:
        """Add a batch; how many jobs were added."""
        return len(batch) if self._commit(self._ledger.admit(batch, key)) else 0

    def take(self, now: int, lease: int = 60) -> tuple[str, int] | None:
        """Begin the first ready job."""
        record = self._ledger.begin(now, lease)
        return (record["job"], record["attempt"]) if self._commit(record) else None

    def done(self, job: str, attempt: int, now: int) -> bool:
        """Say that an attempt succeeded."""
        return self._commit(self._ledger.end(Word.DONE, job, attempt, now))

    def fail(self, job: str, attempt: int, now: int) -> bool:
        """Say that an attempt failed."""
        return self._commit(self._ledger.end(Word.FAIL, job, attempt, now))

    def status(self, now: int) -> dict[str, Any]:
        """What state all jobs are in."""
        return self._ledger.status(now)

    def report(self, path: str, now: int) -> None:
        """Write the status to a file."""
        replace_text(path, json.dumps(self.status(now), indent=1))

    def close(self) -> None:
        """End the work; nothing is left open between calls."""
