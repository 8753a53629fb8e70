"""How it stands with the bosses: the best try, the way there, criterion by criterion. No class's hand-in counts."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime

from evalforge.chronicle.deeds import Deed
from evalforge.history.faults import BAD_VALUES, damaged, decoding
from evalforge.history.listing import distinct


@dataclass(frozen=True)
class Standing:
    """How it stands between the player and one boss."""

    boss_id: str
    tries: int
    best_integrity: float
    best_verdict: str
    best_total: float
    max_total: float
    last_at: datetime


def standings(db: sqlite3.Connection) -> dict[str, Standing]:
    """How it stands with each boss that was fought, by boss id."""
    with decoding("The history"):
        found = (_standing(db, boss_id) for boss_id in distinct(db, "boss_id"))
        return {standing.boss_id: standing for standing in found if standing}


def _standing(db: sqlite3.Connection, boss_id: str) -> Standing | None:
    best = db.execute(
        """
        SELECT integrity, verdict, score_total, score_max FROM attempts
        WHERE boss_id = ? AND integrity IS NOT NULL AND of_class = 0 ORDER BY integrity DESC, seq DESC LIMIT 1
        """,
        (boss_id,),
    ).fetchone()
    if best is None:
        return None
    judged = "boss_id = ? AND state = 'judged' AND of_class = 0"
    tries = db.execute(
        "SELECT count(integrity) FROM attempts WHERE boss_id = ? AND of_class = 0", (boss_id,)
    ).fetchone()[0]
    last = db.execute(f"SELECT started_at FROM attempts WHERE {judged} ORDER BY seq DESC LIMIT 1", (boss_id,))  # noqa: S608
    return Standing(
        boss_id=boss_id,
        tries=tries,
        best_integrity=best["integrity"],
        best_verdict=best["verdict"],
        best_total=best["score_total"],
        max_total=best["score_max"],
        last_at=datetime.fromisoformat(last.fetchone()[0]),
    )


@dataclass(frozen=True)
class Try:
    """One judged try on a boss, as a plot or a heat strip shows it.

    Attributes:
        levels: By criterion: the score, and the highest the criterion had then.
    """

    id: str
    number: int
    started_at: datetime
    integrity: float
    verdict: str
    levels: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Matrix:
    """Criteria by tries, oldest try first. A criterion that a try did not know has no level there."""

    criteria: tuple[str, ...]
    tries: tuple[Try, ...]

    def row(self, criterion_id: str) -> tuple[tuple[float, float] | None, ...]:
        """One criterion over all tries: score and highest, or None."""
        return tuple(each.levels.get(criterion_id) for each in self.tries)


def tries(db: sqlite3.Connection, boss_id: str, last: int) -> tuple[Try, ...]:
    """The last judged tries on a boss, oldest first."""
    rows = db.execute(
        """
        SELECT id, number, started_at, integrity, verdict, levels FROM attempts
        WHERE boss_id = ? AND state = 'judged' AND of_class = 0 ORDER BY seq DESC LIMIT ?
        """,
        (boss_id, last),
    ).fetchall()
    return tuple(_try(row) for row in reversed(rows))


def _try(row: sqlite3.Row) -> Try:
    with decoding(f"Attempt {row['id']}"):
        return Try(
            id=row["id"],
            number=row["number"],
            started_at=datetime.fromisoformat(row["started_at"]),
            integrity=row["integrity"],
            verdict=row["verdict"],
            levels=_levels(row["levels"]),
        )


def matrix(db: sqlite3.Connection, boss_id: str, last: int) -> Matrix:
    """Every criterion of the last tries, in the order of the newest rubric, those it dropped after them."""
    found = tries(db, boss_id, last)
    criteria = dict.fromkeys(name for each in reversed(found) for name in each.levels)
    return Matrix(tuple(criteria), found)


def deeds(db: sqlite3.Connection) -> list[Deed]:
    """Every judged attempt in the order they were begun, as far as progress asks.

    Raises:
        HistoryError: One can't be read.
    """
    cursor = db.cursor()
    cursor.row_factory = None
    cursor.execute(
        """
        SELECT id, boss_id, boss_title, number, started_at, judge, content_hash, score_total, score_max, verdict, levels
        FROM attempts WHERE state = 'judged' AND of_class = 0 ORDER BY seq
        """
    )
    found = list(map(Deed._make, cursor))
    for deed in found:
        try:
            deed.check()
        except BAD_VALUES as error:
            raise damaged(f"Attempt {deed.id}", error) from None
    return found


def _levels(stored: str | None) -> dict[str, tuple[float, float]]:
    return {name: (score, highest) for name, score, highest in json.loads(stored or "[]")}
