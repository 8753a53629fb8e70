"""Lists of attempts: filtered, sorted, searched, and paged at any position among 100,000."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from evalforge.history.db_errors import decoding
from evalforge.model.attempt import AttemptRow, AttemptState
from evalforge.model.text import replace_unencodable

SEARCH_LIMIT = 5_000
"""The most hits of a search that are listed; users refine the search rather than read on."""

_BROAD_SEARCH_DIVISOR = 4
"""A search that matches more than 1 in this many folders scans the attempts, newest first."""
_COLUMNS = ", ".join(AttemptRow.model_fields)


class Order(StrEnum):
    """The order of a list of attempts; of equals, the newest comes first."""

    NEWEST = "newest"
    INTEGRITY = "integrity"
    BOSS = "boss"


# The SQL of each order, forwards and backwards. Each has an index, also in combination with any one filter.
_ORDERS = {
    Order.NEWEST: ("seq DESC", "seq"),
    Order.INTEGRITY: ("integrity DESC, seq DESC", "integrity, seq"),
    Order.BOSS: ("boss_id, seq DESC", "boss_id DESC, seq"),
}


@dataclass(frozen=True)
class AttemptFilter:
    """Which attempts are listed; an empty field doesn't filter.

    Attributes:
        text: Searched for in the boss's title and the directory, ignoring case, and at the start of the id.
        with_classes: Whether to list the submissions of classes, too.
    """

    boss_id: str = ""
    verdict: str = ""
    state: str = ""
    text: str = ""
    with_classes: bool = False

    def where(self) -> tuple[str, list[str]]:
        """The filter, except for its text, as SQL with parameters."""
        columns = (("boss_id", self.boss_id), ("verdict", self.verdict), ("state", self.state))
        filters = [(column, value) for column, value in columns if value]
        conditions = [f"{column} = ?" for column, _ in filters] + ([] if self.with_classes else ["of_class = 0"])
        return " AND ".join(conditions) or "1", [value for _, value in filters]


class Listing:
    """A list of attempts, read page by page. A text search runs once, when the list is made.

    Attempts added or deleted afterwards shift later pages: make a new list to show them.
    """

    def __init__(
        self, db: sqlite3.Connection, attempt_filter: AttemptFilter | None = None, order: Order = Order.NEWEST
    ) -> None:
        attempt_filter = attempt_filter or AttemptFilter()
        self._db = db
        self._order = order
        self._where, self._values = attempt_filter.where()
        # An index that holds only the rowid is fast to skip through; the table with its long rows isn't.
        is_in_rowid_order = order is Order.NEWEST and not self._values and not attempt_filter.with_classes
        self._source = "attempts INDEXED BY attempts_newest" if is_in_rowid_order else "attempts"
        self._hits = self._search(attempt_filter.text) if attempt_filter.text else None
        self.is_truncated = self._hits is not None and len(self._hits) > SEARCH_LIMIT
        """Whether a search had more hits than are listed."""
        self.count = min(len(self._hits), SEARCH_LIMIT) if self._hits is not None else self._count()
        """How many attempts are listed."""

    def page(self, start: int = 0, limit: int = 200) -> list[AttemptRow]:
        """One page of the list.

        Args:
            start: The position of its first attempt in the list, from 0.
            limit: The length of the page at most.
        """
        limit = min(limit, self.count - start)
        if limit <= 0:
            return []
        keys = self._hits[start : start + limit] if self._hits is not None else self._keys_of_page(start, limit)
        return self._rows(keys)

    def _count(self) -> int:
        query = f"SELECT count(*) FROM attempts WHERE {self._where}"  # noqa: S608 - fixed words
        return int(self._db.execute(query, self._values).fetchone()[0])

    def _keys_of_page(self, start: int, limit: int) -> list[int]:
        """The keys of one page, counted from the nearer end of the list."""
        forwards, backwards = _ORDERS[self._order]
        attempts_after = self.count - start - limit
        is_from_front = start <= attempts_after
        query = (
            f"SELECT seq FROM {self._source} WHERE {self._where} "  # noqa: S608 - fixed words
            f"ORDER BY {forwards if is_from_front else backwards} LIMIT ? OFFSET ?"
        )
        keys = [
            row[0]
            for row in self._db.execute(query, [*self._values, limit, start if is_from_front else attempts_after])
        ]
        return keys if is_from_front else keys[::-1]

    def _rows(self, keys: list[int]) -> list[AttemptRow]:
        cursor = self._db.execute(
            f"SELECT seq, {_COLUMNS} FROM attempts WHERE seq IN (SELECT value FROM json_each(?))",  # noqa: S608
            (json.dumps(keys),),
        )
        rows = {row["seq"]: row for row in cursor}
        return [to_attempt_row(rows[key]) for key in keys if key in rows]

    def _search(self, text: str) -> list[int]:
        """The keys of all hits. Searches the few distinct titles and folders rather than every attempt."""
        needle = replace_unencodable(text).casefold()
        with decoding("The history"):
            bosses = [boss for boss, title in _bosses(self._db) if needle in title.casefold()]
            all_folders = distinct_values(self._db, "directory")
            folders = [folder for folder in all_folders if needle in folder.casefold()]
        # When there are many hits, scanning the attempts finds the newest sooner than sorting all hits.
        is_broad = len(folders) * _BROAD_SEARCH_DIVISOR > len(all_folders)
        query = (
            f"SELECT seq FROM attempts {'NOT INDEXED' if is_broad else ''} WHERE {self._where} "  # noqa: S608 - fixed words
            "AND (boss_id IN (SELECT value FROM json_each(?)) OR directory IN (SELECT value FROM json_each(?)) "
            f"OR (id >= ? AND id < ?)) ORDER BY {_ORDERS[self._order][0]} LIMIT ?"
        )
        values = [*self._values, json.dumps(bosses), json.dumps(folders), needle, f"{needle}\U0010ffff"]
        return [row[0] for row in self._db.execute(query, [*values, SEARCH_LIMIT + 1])]


def to_attempt_row(row: sqlite3.Row) -> AttemptRow:
    """An attempt's line in a list, from its row.

    Raises:
        HistoryError: The row is damaged.
    """
    with decoding(f"Attempt {row['id']}"):
        return AttemptRow(
            started_at=datetime.fromisoformat(row["started_at"]),
            state=AttemptState(row["state"]),
            **{name: row[name] for name in AttemptRow.model_fields if name not in ("started_at", "state")},
        )


def find_attempt_row(db: sqlite3.Connection, attempt_id: str) -> AttemptRow | None:
    """An attempt's line in a list, by its full id; None if there is no such attempt."""
    row = db.execute(f"SELECT {_COLUMNS} FROM attempts WHERE id = ?", (attempt_id,)).fetchone()  # noqa: S608
    return to_attempt_row(row) if row else None


def distinct_values(db: sqlite3.Connection, column: str) -> list[str]:
    """The distinct values of an indexed column, in order.

    Jumps from each value to the next greater one, so the time depends on the values, not on the rows.
    """
    query = f"""
        WITH RECURSIVE leap (value) AS (
            SELECT min({column}) FROM attempts
            UNION ALL
            SELECT (SELECT min({column}) FROM attempts WHERE {column} > value) FROM leap WHERE value IS NOT NULL
        )
        SELECT value FROM leap WHERE value IS NOT NULL
    """  # noqa: S608 - fixed words
    return [row[0] for row in db.execute(query)]


def _bosses(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Each boss that was ever fought, with its most recent title."""
    latest = "SELECT boss_title FROM attempts WHERE boss_id = ? ORDER BY seq DESC LIMIT 1"
    return [(boss, db.execute(latest, (boss,)).fetchone()[0]) for boss in distinct_values(db, "boss_id")]
