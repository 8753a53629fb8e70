"""Levels set by a person, kept beside what was judged; nothing here is ever changed, only added to."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from evalforge.history.faults import decoding
from evalforge.model.attempt import Attempt
from evalforge.model.base import Frozen
from evalforge.model.numbers import Score, exact, plain
from evalforge.model.result import BossEvalResult
from evalforge.model.text import sayable


class Override(Frozen):
    """A person's word on one criterion.

    Attributes:
        criterion_id: Of which criterion.
        score: The level's score; None takes an earlier word back, and the judge's counts again.
        reason: Why.
        made_at: When.
        carried_from: The attempt it was said of, where it was carried over to a later one: somebody should look
            again. Empty where it was said of this very attempt.
    """

    criterion_id: str
    score: Score | None
    reason: str
    made_at: datetime
    carried_from: str = ""


class Revised(Frozen):
    """An attempt's result with the levels a person set in it, and who said what in which order."""

    result: BossEvalResult
    said: tuple[Override, ...]

    @property
    def in_force(self) -> tuple[Override, ...]:
        """The last word on each criterion, without those that were taken back."""
        return in_force(self.said)

    @property
    def to_review(self) -> tuple[Override, ...]:
        """Those in force that were said of an earlier attempt."""
        return tuple(override for override in self.in_force if override.carried_from)


class WholeAttempt(Attempt):
    """An attempt as it is printed: whole, and beside it what a person set in it."""

    overrides: Revised | None = None


def in_force(said: tuple[Override, ...]) -> tuple[Override, ...]:
    """The last word on each criterion, without those that were taken back."""
    last = {override.criterion_id: override for override in said}
    return tuple(override for override in last.values() if override.score is not None)


class OverrideBook:
    """Overrides in the store.

    Args:
        db: The store.
        writing: Opens a transaction.
    """

    def __init__(
        self, db: sqlite3.Connection, writing: Callable[[], AbstractContextManager[sqlite3.Connection]]
    ) -> None:
        self._db = db
        self._writing = writing

    def add(self, attempt_id: str, said: tuple[Override, ...], result: BossEvalResult) -> None:
        """Keep what a person said, with the result that follows from all that was said so far."""
        with self._writing() as db:
            db.executemany(
                """
                INSERT INTO overrides (seq, criterion_id, score, reason, carried_from, made_at, result)
                VALUES ((SELECT seq FROM attempts WHERE id = ?), ?, ?, ?, ?, ?, ?)
                """,
                [
                    (
                        *(attempt_id, override.criterion_id, override.score, sayable(override.reason)),
                        *(override.carried_from, override.made_at.isoformat(), result.model_dump_json()),
                    )
                    for override in said
                ],
            )

    def of(self, attempt_id: str) -> Revised | None:
        """What was said of an attempt; None if nothing was."""
        rows = self._db.execute(
            "SELECT overrides.* FROM overrides JOIN attempts USING (seq) WHERE id = ? ORDER BY overrides.number",
            (attempt_id,),
        ).fetchall()
        if not rows:
            return None
        with decoding(f"What was set in attempt {attempt_id}"):
            result = BossEvalResult.model_validate_json(rows[-1]["result"])
            return Revised(result=result, said=tuple(_override(row) for row in rows))


def now() -> datetime:
    """When an override is made."""
    return datetime.now(UTC)


def _override(row: sqlite3.Row) -> Override:
    return Override(
        criterion_id=row["criterion_id"],
        score=None if row["score"] is None else plain(exact(row["score"])),
        reason=row["reason"],
        made_at=datetime.fromisoformat(row["made_at"]),
        carried_from=row["carried_from"],
    )
