"""Classes in the store: their runs, and which attempt counts for which submission in each run."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

from evalforge.history.db_errors import decoding
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.model.result import JudgeInfo
from evalforge.model.text import replace_unencodable

OpenTransaction = Callable[[], AbstractContextManager[sqlite3.Connection]]


@dataclass(frozen=True)
class ClassSlot:
    """The submission of a class that the next attempt on a directory belongs to.

    Attributes:
        run: The number of the class's run.
        row_id: The submission's id within the class.
        source: The path users know the submission by; it may have been unpacked elsewhere.
    """

    run: int
    row_id: str
    source: str


class JudgingFingerprint(Frozen):
    """A hash of each input besides the submission that decides a result; a differing one explains a changed result.

    Attributes:
        rubric: Hash of the boss's rubric.
        evidence: Hash of its evidence rules.
        trials: Hash of its trials and their data, and of its impostors.
        python: The interpreter chosen for the submissions' code; empty for ours.
    """

    rubric: str
    evidence: str
    trials: str
    python: str = ""


class PastJudging(Frozen):
    """A judged attempt of one submission, with everything that decided its result.

    Attributes:
        source: The folder or file that users know it by.
    """

    attempt_id: str
    source: str
    content_hash: str
    judge: JudgeInfo
    fingerprint: JudgingFingerprint
    score_total: Score
    score_max: Score
    integrity: float
    verdict: str


class StoredClassRun(Frozen):
    """One run over a class.

    Attributes:
        label: The name of the class.
        source: The folder or archive with its submissions.
        finished_at: None for a run that was stopped.
        rows: Number of recorded submissions.
    """

    run: int
    label: str
    boss_id: str
    source: str
    judge: JudgeInfo
    started_at: datetime
    finished_at: datetime | None
    rows: int


_IDENTICAL_EARLIER_RUN = """
SELECT earlier.run AS run FROM class_runs AS this JOIN class_runs AS earlier
    USING (class, boss_id, source, judge_info, instrument)
WHERE this.run = ? AND earlier.finished_at IS NOT NULL
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
"""Finds the finished run just before a run, if its inputs and every recorded row are identical."""


_PAST_JUDGINGS = """
SELECT run, id, directory, content_hash, attempts.judge_info AS judge_info, instrument, score_total, score_max,
       integrity, verdict
FROM class_runs JOIN class_rows USING (run) JOIN attempts USING (seq)
WHERE class = ? AND class_runs.boss_id = ? AND state = 'judged'
"""


class ClassBook:
    """Runs of classes and their rows."""

    def __init__(self, db: sqlite3.Connection, transaction: OpenTransaction) -> None:
        self._db = db
        self._transaction = transaction

    def open_run(self, label: str, boss_id: str, source: str, judge: JudgeInfo, fingerprint: JudgingFingerprint) -> int:
        """Record that the judging of a class has begun.

        Returns:
            The number of the run.
        """
        values = (
            replace_unencodable(label),
            boss_id,
            replace_unencodable(source),
            judge.model_dump_json(),
            fingerprint.model_dump_json(),
        )
        with self._transaction() as db:
            row = db.execute(
                """
                INSERT INTO class_runs (class, boss_id, source, judge_info, instrument, started_at)
                VALUES (?, ?, ?, ?, ?, ?) RETURNING run
                """,
                (*values, _now()),
            ).fetchone()
        return int(row["run"])

    def close_run(self, run: int) -> int:
        """Record that every row of a run is settled. A run identical to the one before it is deleted.

        Returns:
            The number of the run that is kept: this one, or the earlier one it repeats.
        """
        with self._transaction() as db:
            earlier_run = db.execute(_IDENTICAL_EARLIER_RUN, (run,)).fetchone()
            if earlier_run:
                db.execute("DELETE FROM class_runs WHERE run = ?", (run,))
            else:
                db.execute("UPDATE class_runs SET finished_at = ? WHERE run = ?", (_now(), run))
        return int(earlier_run["run"]) if earlier_run else run

    def record_row(self, run: int, row_id: str, attempt_id: str = "", outcome: str = "", reason: str = "") -> None:
        """Record which attempt counts for a submission, or why none does."""
        with self._transaction() as db:
            db.execute(
                """
                INSERT OR REPLACE INTO class_rows (run, row_id, seq, outcome, reason)
                VALUES (?, ?, (SELECT seq FROM attempts WHERE id = ?), ?, ?)
                """,
                (run, replace_unencodable(row_id), attempt_id, outcome, replace_unencodable(reason)),
            )

    def past_judgings(self, label: str, boss_id: str, row_id: str, source: str = "") -> list[PastJudging]:
        """The judged attempts of one submission in all runs of its class, the latest first, each once.

        Args:
            label: The name of the class.
            boss_id: The boss.
            row_id: The submission's id in the class.
            source: Its folder or file; attempts on it count too, since its id may be given to another submission.
        """
        rows = self._db.execute(
            f"{_PAST_JUDGINGS} AND row_id = ? UNION {_PAST_JUDGINGS} AND attempts.directory = ? ORDER BY run DESC",
            (
                *(replace_unencodable(label), boss_id, replace_unencodable(row_id)),
                *(replace_unencodable(label), boss_id, replace_unencodable(source)),
            ),
        )
        judgings: dict[str, PastJudging] = {}
        for row in rows:
            judgings.setdefault(row["id"], _past_judging(row))
        return list(judgings.values())

    def runs(self, boss_id: str = "", limit: int = 50) -> list[StoredClassRun]:
        """The latest runs, of one boss or of all, the newest first."""
        rows = self._db.execute(
            """
            SELECT *, (SELECT count(*) FROM class_rows WHERE class_rows.run = class_runs.run) AS rows
            FROM class_runs WHERE ? IN ('', boss_id) ORDER BY run DESC LIMIT ?
            """,
            (boss_id, limit),
        )
        return [_class_run(row) for row in rows]

    def run(self, number: int) -> StoredClassRun | None:
        """The run with a number; None if there is none."""
        row = self._db.execute(
            """
            SELECT *, (SELECT count(*) FROM class_rows WHERE class_rows.run = class_runs.run) AS rows
            FROM class_runs WHERE run = ?
            """,
            (number,),
        ).fetchone()
        return _class_run(row) if row else None

    def attempts_of_run(self, run: int) -> dict[str, str]:
        """The attempt id of each row of a run; empty for a row without one."""
        rows = self._db.execute(
            """
            SELECT row_id, coalesce(id, '') AS id FROM class_rows LEFT JOIN attempts USING (seq)
            WHERE run = ? ORDER BY row_id
            """,
            (run,),
        )
        return {row["row_id"]: row["id"] for row in rows}

    def find_row(self, attempt_id: str) -> tuple[str, str] | None:
        """The label of the class and the row id an attempt belongs to; None for a player's own attempt."""
        row = self._db.execute(
            """
            SELECT class, row_id FROM attempts JOIN class_rows USING (seq) JOIN class_runs USING (run)
            WHERE id = ? ORDER BY run DESC LIMIT 1
            """,
            (attempt_id,),
        ).fetchone()
        return (row["class"], row["row_id"]) if row else None


def _past_judging(row: sqlite3.Row) -> PastJudging:
    with decoding(f"Attempt {row['id']}"):
        return PastJudging(
            attempt_id=row["id"],
            source=row["directory"],
            content_hash=row["content_hash"],
            judge=JudgeInfo.model_validate_json(row["judge_info"]),
            fingerprint=JudgingFingerprint.model_validate_json(row["instrument"]),
            score_total=row["score_total"],
            score_max=row["score_max"],
            integrity=row["integrity"],
            verdict=row["verdict"],
        )


def _class_run(row: sqlite3.Row) -> StoredClassRun:
    with decoding(f"Run {row['run']} of a class"):
        return StoredClassRun(
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
