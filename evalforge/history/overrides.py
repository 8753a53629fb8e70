"""Overrides: levels that a person set. They are stored next to the judge's levels; they are added, never changed."""

import sqlite3
from datetime import UTC, datetime

from pydantic import ConfigDict, Field

from evalforge.history.class_book import OpenTransaction
from evalforge.history.db_errors import decoding
from evalforge.model.attempt import Attempt
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score, to_fraction, to_number
from evalforge.model.result import BossEvalResult
from evalforge.model.text import replace_unencodable


class Override(Frozen):
    """One level set by a person, as it is stored.

    Attributes:
        score: The level's score; None withdraws an earlier override, so that the judge's level counts again.
        reason: The person's reason, shown next to the level.
        carried_from: The attempt the level was set in, if it was carried over to a later one that somebody should
            review. Empty if it was set in this attempt.
    """

    criterion_id: str
    score: Score | None
    reason: str
    made_at: datetime
    carried_from: str = ""


class RevisedResult(Frozen):
    """An attempt's result with the levels a person set in it.

    Attributes:
        result: The result, with the levels in force.
        overrides: Every override, the earliest first. Its name in JSON is ``said``.
    """

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    result: BossEvalResult
    overrides: tuple[Override, ...] = Field(validation_alias="said", serialization_alias="said")

    @property
    def in_force(self) -> tuple[Override, ...]:
        """The last override of each criterion, without those that were withdrawn."""
        return in_force(self.overrides)

    @property
    def to_review(self) -> tuple[Override, ...]:
        """Overrides in force that were carried over from an earlier attempt."""
        return tuple(override for override in self.in_force if override.carried_from)


class AttemptWithOverrides(Attempt):
    """An attempt as in the output of ``evalforge attempt ID --json``."""

    overrides: RevisedResult | None = None


def in_force(overrides: tuple[Override, ...]) -> tuple[Override, ...]:
    """The last override of each criterion, without those that were withdrawn."""
    last = {override.criterion_id: override for override in overrides}
    return tuple(override for override in last.values() if override.score is not None)


class OverrideBook:
    """Stores and reads overrides."""

    def __init__(self, db: sqlite3.Connection, transaction: OpenTransaction) -> None:
        self._db = db
        self._transaction = transaction

    def add(self, attempt_id: str, overrides: tuple[Override, ...], result: BossEvalResult) -> None:
        """Store overrides together with the result of all overrides of the attempt so far."""
        with self._transaction() as db:
            db.executemany(
                """
                INSERT INTO overrides (seq, criterion_id, score, reason, carried_from, made_at, result)
                VALUES ((SELECT seq FROM attempts WHERE id = ?), ?, ?, ?, ?, ?, ?)
                """,
                [
                    (
                        *(attempt_id, override.criterion_id, override.score, replace_unencodable(override.reason)),
                        *(override.carried_from, override.made_at.isoformat(), result.model_dump_json()),
                    )
                    for override in overrides
                ],
            )

    def of(self, attempt_id: str) -> RevisedResult | None:
        """The overridden result of an attempt; None if nobody set a level in it.

        Raises:
            HistoryError: A stored override is damaged.
        """
        rows = self._db.execute(
            "SELECT overrides.* FROM overrides JOIN attempts USING (seq) WHERE id = ? ORDER BY overrides.number",
            (attempt_id,),
        ).fetchall()
        if not rows:
            return None
        with decoding(f"What was set in attempt {attempt_id}"):
            result = BossEvalResult.model_validate_json(rows[-1]["result"])
            return RevisedResult(result=result, overrides=tuple(_override(row) for row in rows))


def now() -> datetime:
    """The timestamp of an override made now."""
    return datetime.now(UTC)


def _override(row: sqlite3.Row) -> Override:
    return Override(
        criterion_id=row["criterion_id"],
        score=None if row["score"] is None else to_number(to_fraction(row["score"])),
        reason=row["reason"],
        made_at=datetime.fromisoformat(row["made_at"]),
        carried_from=row["carried_from"],
    )
