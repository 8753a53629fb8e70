"""The player's tally: judged attempts counted for rank and achievements, stored so that each is counted once."""

import sqlite3
import zlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress

from evalforge.history.db_errors import BAD_VALUES, damage_error
from evalforge.model.errors import HistoryError
from evalforge.progress.progress import count_attempts, tally_rules
from evalforge.progress.records import AttemptSummary, Hint
from evalforge.progress.tally import Tally

NEW_ATTEMPTS_WORTH_STORING = 256
"""Counting this many takes a millisecond or two; writing a tally costs about as much."""


_COUNT_TRIES = """
SELECT boss_id, count(integrity) FROM attempts WHERE of_class = 0 AND agent = '' GROUP BY boss_id
"""


class TallyStore:
    """Counts the stored attempts. Classes' submissions and agents' attempts don't count.

    A stored tally covers all judged attempts up to a row. The database drops it when one of those changes.
    """

    def __init__(
        self, db: sqlite3.Connection, transaction: Callable[[], AbstractContextManager[sqlite3.Connection]]
    ) -> None:
        self._db = db
        self._transaction = transaction

    def tally(self, hints: Sequence[Hint]) -> Tally:
        """Count all judged attempts.

        Args:
            hints: Hints that were read.

        Raises:
            HistoryError: An attempt can't be read.
        """
        return self._count(hints, self._last_row())

    def tally_before(self, attempt_id: str, hints: Sequence[Hint]) -> tuple[Tally, AttemptSummary] | None:
        """Return the tally before an attempt, and the attempt; None if it isn't one of the player's judged attempts.

        Raises:
            HistoryError: An attempt can't be read.
        """
        row = self._db.execute("SELECT seq FROM attempts WHERE id = ?", (attempt_id,)).fetchone()
        attempts = self._attempts(row["seq"] - 1, row["seq"]) if row else []
        return (self._count(hints, row["seq"] - 1), attempts[0]) if attempts else None

    def check(self) -> None:
        """Check that the stored counts are right.

        Raises:
            HistoryError: They aren't.
        """
        counts = dict(self._db.execute("SELECT boss_id, judged FROM own_tries WHERE judged != 0").fetchall())
        if counts != dict(self._db.execute(f"{_COUNT_TRIES} HAVING count(integrity) > 0").fetchall()):
            raise HistoryError("The history's counts of attempts are wrong.", "Run: evalforge doctor --repair")

    def recount(self) -> None:
        """Drop the stored tally and count the attempts on each boss again."""
        with self._transaction() as db:
            db.execute("DELETE FROM progress_tally")
            db.execute("DELETE FROM own_tries")
            db.execute(f"INSERT INTO own_tries {_COUNT_TRIES}")

    def _last_row(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM attempts").fetchone()[0])

    def _count(self, hints: Sequence[Hint], up_to: int) -> Tally:
        version = self._data_version()
        counted, tally = self._stored(up_to)
        attempts = self._attempts(counted, up_to)
        count_attempts(tally, attempts, hints)
        if len(attempts) > NEW_ATTEMPTS_WORTH_STORING:
            self._store(up_to, tally, version)
        return tally

    def _data_version(self) -> int:
        """A number that changes when another process writes."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def _stored(self, up_to: int) -> tuple[int, Tally]:
        """Return the stored tally and the row it counts up to; an empty one if there is no usable one."""
        query = "SELECT up_to, tally FROM progress_tally WHERE up_to <= ? AND rules = ?"
        row = self._db.execute(query, (up_to, tally_rules())).fetchone()
        if row is not None:
            with suppress(*BAD_VALUES):
                return row["up_to"], Tally.model_validate_json(zlib.decompress(row["tally"]))
        return 0, Tally()

    def _store(self, up_to: int, tally: Tally, version: int) -> None:
        """Store a tally, unless an attempt may have changed since it was counted, or the file can't be written."""
        body = zlib.compress(tally.model_dump_json().encode("utf-8", "surrogatepass"), level=1)
        with suppress(HistoryError), self._transaction() as db:
            if self._data_version() == version:
                db.execute("DELETE FROM progress_tally")
                db.execute("INSERT INTO progress_tally VALUES (?, ?, ?)", (up_to, tally_rules(), body))

    def _attempts(self, after: int, up_to: int) -> list[AttemptSummary]:
        """The judged attempts in a range of rows, oldest first."""
        cursor = self._db.cursor()
        cursor.row_factory = None
        cursor.execute(
            """
            SELECT id, boss_id, boss_title, number, started_at, judge, content_hash, score_total, score_max, verdict,
                   levels
            FROM attempts WHERE state = 'judged' AND of_class = 0 AND agent = '' AND seq > ? AND seq <= ? ORDER BY seq
            """,
            (after, up_to),
        )
        records = list(map(AttemptSummary._make, cursor))
        for record in records:
            try:
                record.check_values()
            except BAD_VALUES as error:
                raise damage_error(f"Attempt {record.id}", error) from None
        return records
