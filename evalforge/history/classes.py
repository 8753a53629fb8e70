"""Classes: which runs there were, and which attempt stands for which hand-in in each."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

from evalforge.history.faults import decoding
from evalforge.model.base import Frozen
from evalforge.model.numbers import Score
from evalforge.model.result import JudgeInfo
from evalforge.model.text import sayable

Writing = Callable[[], AbstractContextManager[sqlite3.Connection]]


@dataclass(frozen=True)
class Seat:
    """Whose hand-in an attempt is about to be.

    Attributes:
        run: The run of the class.
        row_id: The hand-in within the class.
        source: Where it was found, as people are told; it may have been unpacked elsewhere.
    """

    run: int
    row_id: str
    source: str


class Instrument(Frozen):
    """What measures, part by part, as hashes; a change of one says why results moved.

    ``python`` is the interpreter named for the hand-ins' code; empty for ours.
    """

    rubric: str
    evidence: str
    trials: str
    python: str = ""


class Sitting(Frozen):
    """A judged attempt of one hand-in: by which judge and instrument, on which content."""

    attempt_id: str
    content_hash: str
    judge: JudgeInfo
    instrument: Instrument
    score_total: Score
    score_max: Score
    integrity: float
    verdict: str


class ClassRun(Frozen):
    """One run over a class; ``finished_at`` is None for one that was stopped."""

    run: int
    label: str
    boss_id: str
    source: str
    judge: JudgeInfo
    started_at: datetime
    finished_at: datetime | None
    rows: int


_TWIN = """
SELECT earlier.run AS run FROM class_runs AS this JOIN class_runs AS earlier
    USING (class, boss_id, source, judge_info, instrument)
WHERE this.run = ?1 AND earlier.finished_at IS NOT NULL
    AND earlier.run = (
        SELECT max(run) FROM class_runs WHERE class = this.class AND boss_id = this.boss_id AND run < this.run
    )
    AND NOT EXISTS (
        SELECT row_id, seq, outcome, reason FROM class_rows WHERE run = this.run
        EXCEPT SELECT row_id, seq, outcome, reason FROM class_rows WHERE run = earlier.run
    )
    AND NOT EXISTS (
        SELECT row_id, seq, outcome, reason FROM class_rows WHERE run = earlier.run
        EXCEPT SELECT row_id, seq, outcome, reason FROM class_rows WHERE run = this.run
    )
"""
"""The finished run just before one, if it was alike in everything and found the same of everybody."""


class ClassBook:
    """Runs of classes and their rows.

    Args:
        db: The store.
        writing: Opens a transaction.
    """

    def __init__(self, db: sqlite3.Connection, writing: Writing) -> None:
        self._db = db
        self._writing = writing

    def open_run(self, label: str, boss_id: str, source: str, judge: JudgeInfo, instrument: Instrument) -> int:
        """Write down that a class is being judged.

        Returns:
            The number of the run.
        """
        values = (sayable(label), boss_id, sayable(source), judge.model_dump_json(), instrument.model_dump_json())
        with self._writing() as db:
            row = db.execute(
                """
                INSERT INTO class_runs (class, boss_id, source, judge_info, instrument, started_at)
                VALUES (?, ?, ?, ?, ?, ?) RETURNING run
                """,
                (*values, _now()),
            ).fetchone()
        return int(row["run"])

    def close_run(self, run: int) -> int:
        """Write down that every row of a run is settled. One that found what the run before it found is not kept.

        Returns:
            The run that stands for what was found.
        """
        with self._writing() as db:
            twin = db.execute(_TWIN, (run,)).fetchone()
            if twin:
                db.execute("DELETE FROM class_runs WHERE run = ?", (run,))
            else:
                db.execute("UPDATE class_runs SET finished_at = ? WHERE run = ?", (_now(), run))
        return int(twin["run"]) if twin else run

    def settle(self, run: int, row_id: str, attempt_id: str = "", outcome: str = "", reason: str = "") -> None:
        """Say which attempt stands for a hand-in, or why none does."""
        with self._writing() as db:
            db.execute(
                """
                INSERT OR REPLACE INTO class_rows (run, row_id, seq, outcome, reason)
                VALUES (?, ?, (SELECT seq FROM attempts WHERE id = ?), ?, ?)
                """,
                (run, sayable(row_id), attempt_id, outcome, sayable(reason)),
            )

    def sittings(self, label: str, boss_id: str, row_id: str) -> list[Sitting]:
        """The judged attempts of one hand-in in all runs of its class, the latest first, each once."""
        rows = self._db.execute(
            """
            SELECT id, content_hash, attempts.judge_info AS judge_info, instrument, score_total, score_max, integrity,
                   verdict
            FROM class_runs JOIN class_rows USING (run) JOIN attempts USING (seq)
            WHERE class = ? AND class_runs.boss_id = ? AND row_id = ? AND state = 'judged' ORDER BY run DESC
            """,
            (sayable(label), boss_id, sayable(row_id)),
        )
        found: dict[str, Sitting] = {}
        for row in rows:
            found.setdefault(row["id"], _sitting(row))
        return list(found.values())

    def runs(self, boss_id: str = "", limit: int = 50) -> list[ClassRun]:
        """The latest runs, of one boss or of all, the newest first."""
        rows = self._db.execute(
            """
            SELECT *, (SELECT count(*) FROM class_rows WHERE class_rows.run = class_runs.run) AS rows
            FROM class_runs WHERE ?1 IN ('', boss_id) ORDER BY run DESC LIMIT ?2
            """,
            (boss_id, limit),
        )
        return [_run(row) for row in rows]

    def row_of(self, attempt_id: str) -> tuple[str, str] | None:
        """The class and the hand-in an attempt stands for; None if it is no class's."""
        row = self._db.execute(
            """
            SELECT class, row_id FROM attempts JOIN class_rows USING (seq) JOIN class_runs USING (run)
            WHERE id = ? ORDER BY run DESC LIMIT 1
            """,
            (attempt_id,),
        ).fetchone()
        return (row["class"], row["row_id"]) if row else None


def _sitting(row: sqlite3.Row) -> Sitting:
    with decoding(f"Attempt {row['id']}"):
        return Sitting(
            attempt_id=row["id"],
            content_hash=row["content_hash"],
            judge=JudgeInfo.model_validate_json(row["judge_info"]),
            instrument=Instrument.model_validate_json(row["instrument"]),
            score_total=row["score_total"],
            score_max=row["score_max"],
            integrity=row["integrity"],
            verdict=row["verdict"],
        )


def _run(row: sqlite3.Row) -> ClassRun:
    with decoding(f"Run {row['run']} of a class"):
        return ClassRun(
            run=row["run"],
            label=row["class"],
            boss_id=row["boss_id"],
            source=row["source"],
            judge=JudgeInfo.model_validate_json(row["judge_info"]),
            started_at=datetime.fromisoformat(row["started_at"]),
            finished_at=datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None,
            rows=row["rows"],
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
