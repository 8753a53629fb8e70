"""Lists of attempts: filtered, sorted, searched, and read page by page at any place of 100,000."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from evalforge.history.faults import decoding
from evalforge.model.attempt import AttemptRow, AttemptState
from evalforge.model.text import sayable

SEARCH_LIMIT = 5_000
"""How many hits of a search are listed; nobody reads on, they type another letter."""

_BROAD = 4
_COLUMNS = ", ".join(AttemptRow.model_fields)


class Order(StrEnum):
    """In which order attempts are listed; the newest of equals first."""

    NEWEST = "newest"
    INTEGRITY = "integrity"
    BOSS = "boss"


# Each order, forwards and backwards; every one is served by an index, under any one filter too.
_ORDERS = {
    Order.NEWEST: ("seq DESC", "seq"),
    Order.INTEGRITY: ("integrity DESC, seq DESC", "integrity, seq"),
    Order.BOSS: ("boss_id, seq DESC", "boss_id DESC, seq"),
}


@dataclass(frozen=True)
class Filter:
    """Which attempts are wanted; empty fields don't filter.

    ``text`` is looked for in the boss's name and the directory, whatever its case, and at the beginning of the id.
    """

    boss_id: str = ""
    verdict: str = ""
    state: str = ""
    text: str = ""

    def where(self) -> tuple[str, list[str]]:
        """The filter without its text, as SQL with its parameters."""
        columns = (("boss_id", self.boss_id), ("verdict", self.verdict), ("state", self.state))
        chosen = [(column, value) for column, value in columns if value]
        return " AND ".join(f"{column} = ?" for column, _ in chosen) or "1", [value for _, value in chosen]


class Listing:
    """What a filter and an order yield, read in pages. A search is done once; the rest is read by index.

    Attempts that come or go after it was made shift what is read later; make a new one to show them.

    Args:
        db: The store.
        wanted: Which attempts.
        order: In which order.
    """

    def __init__(self, db: sqlite3.Connection, wanted: Filter | None = None, order: Order = Order.NEWEST) -> None:
        wanted = wanted or Filter()
        self._db = db
        self._order = order
        self._where, self._values = wanted.where()
        # Only the rowid, in its own order: a table of fat rows is slow to skip over, a thin index isn't.
        thin = order is Order.NEWEST and not self._values
        self._source = "attempts INDEXED BY attempts_newest" if thin else "attempts"
        self._found = self._search(wanted.text) if wanted.text else None
        self.cut = self._found is not None and len(self._found) > SEARCH_LIMIT
        """Whether a search had more hits than are listed."""
        self.count = min(len(self._found), SEARCH_LIMIT) if self._found is not None else self._count()
        """How many attempts are listed."""

    def page(self, start: int = 0, limit: int = 200) -> list[AttemptRow]:
        """The attempts from a place in the list on.

        Args:
            start: The place, from 0.
            limit: How many at most.
        """
        limit = min(limit, self.count - start)
        if limit <= 0:
            return []
        if self._found is not None:
            return self._rows(self._found[start : start + limit])
        return self._rows(self._skip_to(start, limit))

    def _count(self) -> int:
        counted = f"SELECT count(*) FROM attempts WHERE {self._where}"  # noqa: S608 - fixed words
        return int(self._db.execute(counted, self._values).fetchone()[0])

    def _skip_to(self, start: int, limit: int) -> list[int]:
        """The keys of one page, reached from the nearer end."""
        forwards, backwards = _ORDERS[self._order]
        behind = self.count - start - limit
        near = start <= behind
        query = (
            f"SELECT seq FROM {self._source} WHERE {self._where} "  # noqa: S608 - fixed words
            f"ORDER BY {forwards if near else backwards} LIMIT ? OFFSET ?"
        )
        keys = [row[0] for row in self._db.execute(query, [*self._values, limit, start if near else behind])]
        return keys if near else keys[::-1]

    def _rows(self, keys: list[int]) -> list[AttemptRow]:
        found = self._db.execute(
            f"SELECT seq, {_COLUMNS} FROM attempts WHERE seq IN (SELECT value FROM json_each(?))",  # noqa: S608
            (json.dumps(keys),),
        )
        rows = {row["seq"]: row for row in found}
        return [as_row(rows[key]) for key in keys if key in rows]

    def _search(self, text: str) -> list[int]:
        """The keys of all hits. Names and folders are few: they are searched, not the attempts that share them."""
        sought = sayable(text).casefold()
        with decoding("The history"):
            bosses = [boss for boss, title in _bosses(self._db) if sought in title.casefold()]
            all_folders = distinct(self._db, "directory")
            folders = [folder for folder in all_folders if sought in folder.casefold()]
        # Where much is hit, the newest hits are found sooner by going through the attempts than by sorting all hits.
        broad = len(folders) * _BROAD > len(all_folders)
        query = (
            f"SELECT seq FROM attempts {'NOT INDEXED' if broad else ''} WHERE {self._where} "  # noqa: S608 - fixed words
            "AND (boss_id IN (SELECT value FROM json_each(?)) OR directory IN (SELECT value FROM json_each(?)) "
            f"OR (id >= ? AND id < ?)) ORDER BY {_ORDERS[self._order][0]} LIMIT ?"
        )
        values = [*self._values, json.dumps(bosses), json.dumps(folders), sought, f"{sought}\U0010ffff"]
        return [row[0] for row in self._db.execute(query, [*values, SEARCH_LIMIT + 1])]


def as_row(row: sqlite3.Row) -> AttemptRow:
    """One line of a list."""
    with decoding(f"Attempt {row['id']}"):
        return AttemptRow(
            started_at=datetime.fromisoformat(row["started_at"]),
            state=AttemptState(row["state"]),
            **{name: row[name] for name in AttemptRow.model_fields if name not in ("started_at", "state")},
        )


def one_row(db: sqlite3.Connection, attempt_id: str) -> AttemptRow | None:
    """The line of one attempt, by its whole id."""
    row = db.execute(f"SELECT {_COLUMNS} FROM attempts WHERE id = ?", (attempt_id,)).fetchone()  # noqa: S608
    return as_row(row) if row else None


def distinct(db: sqlite3.Connection, column: str) -> list[str]:
    """The different values of an indexed column, in order, by leaping from one to the next."""
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
    """Each boss that was ever fought, with its latest title."""
    latest = "SELECT boss_title FROM attempts WHERE boss_id = ? ORDER BY seq DESC LIMIT 1"
    return [(boss, db.execute(latest, (boss,)).fetchone()[0]) for boss in distinct(db, "boss_id")]
