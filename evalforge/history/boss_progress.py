"""The player's progress, boss by boss: the best attempt, how levels changed, and the inputs of ranks.

Submissions of classes don't count. Integrity is the share of the maximum score, 0..1.
"""

import json
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from evalforge.history.database import open_database
from evalforge.history.db_errors import decoding
from evalforge.model.voice import Voice

_AFTER_ALL = 2**62
"""A number above that of every attempt."""
LevelsById = dict[str, tuple[float, float]]
"""By criterion: the score, and the highest score the criterion had then, as in ``{"errors": (2.0, 4.0)}``."""


class BossProgress(NamedTuple):
    """The player's record against one boss.

    Attributes:
        attempt_count: Number of attempts with a score.
        best_integrity: Integrity of the best attempt; the latest of equals.
        last_at: Start of the last judged attempt.
    """

    boss_id: str
    attempt_count: int
    best_integrity: float
    best_verdict: str
    best_total: float
    max_total: float
    last_at: datetime


class ScoredAttempt(NamedTuple):
    """One judged attempt on a boss, with the values that plots and heat strips show."""

    id: str
    number: int
    started_at: datetime
    integrity: float
    verdict: str
    levels: LevelsById


class LevelMatrix(NamedTuple):
    """Criteria by attempts, oldest attempt first. A criterion that an attempt's rubric lacked has no level there."""

    criteria: tuple[str, ...]
    attempts: tuple[ScoredAttempt, ...]

    def row(self, criterion_id: str) -> tuple[tuple[float, float] | None, ...]:
        """One criterion over all attempts: score and highest score, or None if the rubric lacked it."""
        return tuple(attempt.levels.get(criterion_id) for attempt in self.attempts)


def read_boss_progress(path: Path) -> dict[str, BossProgress]:
    """Read the player's record against each boss with a scored attempt, without loading the whole history.

    Raises:
        HistoryError: The database can't be read.
    """
    db = open_database(path)
    try:
        return ProgressReader(db).by_boss()
    finally:
        db.close()


class ProgressReader:
    """Computes progress from the stored attempts."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def by_boss(self) -> dict[str, BossProgress]:
        """The record against each boss that has a scored attempt, by boss id.

        Raises:
            HistoryError: A stored value can't be read.
        """
        with decoding("The history"):
            counts = self._db.execute("SELECT boss_id, judged FROM own_tries WHERE judged > 0").fetchall()
            records = (self._boss_progress(row["boss_id"], row["judged"]) for row in counts)
            return {record.boss_id: record for record in records if record}

    def _boss_progress(self, boss_id: str, attempt_count: int) -> BossProgress | None:
        best = self._db.execute(
            """
            SELECT integrity, verdict, score_total, score_max FROM attempts
            WHERE boss_id = ? AND integrity IS NOT NULL AND of_class = 0 AND agent = ''
            ORDER BY integrity DESC, seq DESC LIMIT 1
            """,
            (boss_id,),
        ).fetchone()
        if best is None:
            return None
        latest = self._db.execute(
            """
            SELECT started_at FROM attempts
            WHERE boss_id = ? AND state = 'judged' AND of_class = 0 AND agent = '' ORDER BY seq DESC LIMIT 1
            """,
            (boss_id,),
        ).fetchone()
        return BossProgress(
            boss_id=boss_id,
            attempt_count=attempt_count,
            best_integrity=best["integrity"],
            best_verdict=best["verdict"],
            best_total=best["score_total"],
            max_total=best["score_max"],
            last_at=datetime.fromisoformat(latest[0]),
        )

    def attempts(self, boss_id: str, last: int = 200) -> tuple[ScoredAttempt, ...]:
        """The latest judged attempts on a boss, oldest first.

        Raises:
            HistoryError: An attempt can't be read.
        """
        rows = self._db.execute(
            """
            SELECT id, number, started_at, integrity, verdict, levels FROM attempts
            WHERE boss_id = ? AND state = 'judged' AND of_class = 0 AND agent = '' ORDER BY seq DESC LIMIT ?
            """,
            (boss_id, last),
        ).fetchall()
        return tuple(_scored_attempt(row) for row in reversed(rows))

    def voice(self, boss_id: str, attempt_id: str = "") -> Voice | None:
        """The boss's voice in one of the player's attempts, or in the next one; None in the attempts of others."""
        attempt = self._db.execute("SELECT seq, of_class, agent FROM attempts WHERE id = ?", (attempt_id,)).fetchone()
        if attempt is not None and (attempt["of_class"] or attempt["agent"]):
            return None
        earlier = self._db.execute(
            """
            WITH earlier AS (
                SELECT seq, integrity FROM attempts
                WHERE boss_id = ? AND state = 'judged' AND of_class = 0 AND agent = '' AND seq < ?
            )
            SELECT count(*) AS count, max(integrity) AS best,
                (SELECT integrity FROM earlier ORDER BY seq DESC LIMIT 1) AS last FROM earlier
            """,
            (boss_id, attempt["seq"] if attempt else _AFTER_ALL),
        ).fetchone()
        return Voice(boss_id, earlier["count"], earlier["best"], earlier["last"])

    def level_matrix(self, boss_id: str, last: int = 40) -> LevelMatrix:
        """Every criterion of the latest attempts, in the order of the newest rubric; criteria it dropped come last."""
        attempts = self.attempts(boss_id, last)
        criteria = dict.fromkeys(criterion_id for attempt in reversed(attempts) for criterion_id in attempt.levels)
        return LevelMatrix(tuple(criteria), attempts)


def _scored_attempt(row: sqlite3.Row) -> ScoredAttempt:
    with decoding(f"Attempt {row['id']}"):
        return ScoredAttempt(
            id=row["id"],
            number=row["number"],
            started_at=datetime.fromisoformat(row["started_at"]),
            integrity=row["integrity"],
            verdict=row["verdict"],
            levels=_levels(row["levels"]),
        )


def _levels(stored: str) -> LevelsById:
    return {criterion_id: (score, highest) for criterion_id, score, highest in json.loads(stored)}
