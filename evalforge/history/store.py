"""The store of attempts: written as *running* before a judging, completed after it."""

import json
import secrets
import sqlite3
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from evalforge.history import owner
from evalforge.history.schema import connect
from evalforge.model.attempt import Attempt, AttemptRow, AttemptState, Cost
from evalforge.model.errors import HistoryError
from evalforge.model.events import EVENT, Event
from evalforge.model.evidence import Evidence
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import LeftOut, Submission, SubmissionFile

_ID_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


@dataclass(frozen=True)
class Filter:
    """Which attempts are wanted; empty fields don't filter. ``text`` is looked for in boss, directory and id."""

    boss_id: str = ""
    verdict: str = ""
    state: str = ""
    text: str = ""

    def where(self) -> tuple[str, list[str]]:
        """The filter as SQL with its parameters."""
        clauses: list[str] = []
        values: list[str] = []
        for column, value in (("boss_id", self.boss_id), ("verdict", self.verdict), ("state", self.state)):
            if value:
                clauses.append(f"{column} = ?")
                values.append(value)
        if self.text:
            pattern = "%" + self.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            clauses.append("(boss_title LIKE ? ESCAPE '\\' OR directory LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\')")
            values += [pattern] * 3
        return (" AND ".join(clauses) or "1", values)


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


class History:
    """Attempts in one SQLite file. For use from one thread.

    Args:
        path: The database; it and its folder are made if need be.

    Raises:
        HistoryError: It can't be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect(path)
        self._mark_interrupted()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise HistoryError(f"The history at {self.path} can't be written ({error}).") from None
            raise

    def _mark_interrupted(self) -> None:
        """Attempts whose process is gone will never end: say so."""
        running = self._db.execute("SELECT seq, owner FROM attempts WHERE state = 'running'").fetchall()
        lost = [row["seq"] for row in running if not owner.is_alive(row["owner"])]
        if lost:
            with self._writing() as db:
                db.executemany(
                    "UPDATE attempts SET state = 'interrupted' WHERE state = 'running' AND seq = ?",
                    [(seq,) for seq in lost],
                )

    def begin(
        self,
        boss_id: str,
        boss_title: str,
        rubric_hash: str,
        directory: str,
        judge: JudgeInfo,
        submission: Submission,
    ) -> str:
        """Write down that a judging has begun.

        Returns:
            The attempt's id.
        """
        attempt_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
        left_out = json.dumps([item.model_dump() for item in submission.left_out])
        with self._writing() as db:
            row = db.execute(
                """
                INSERT INTO attempts (id, boss_id, boss_title, number, rubric_hash, state, started_at, directory, judge,
                                      judge_info, isolation, content_hash, notes, owner, body)
                VALUES (?, ?, ?, 1 + (SELECT count(*) FROM attempts WHERE boss_id = ?), ?, 'running', ?, ?, ?, ?, '',
                        ?, ?, ?, ?)
                RETURNING seq
                """,
                (
                    *(attempt_id, boss_id, boss_title, boss_id, rubric_hash, _now(), directory, judge.name),
                    *(judge.model_dump_json(), submission.content_hash, submission.notes, owner.me()),
                    _pack(f'{{"left_out": {left_out}}}'),
                ),
            ).fetchone()
            for file in submission.files:
                body = zlib.compress(file.content.encode("utf-8", "surrogatepass"))
                db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (file.sha256, body))
                db.execute("INSERT INTO attempt_files VALUES (?, ?, ?)", (row["seq"], file.path, file.sha256))
        return attempt_id

    def finish(
        self,
        attempt_id: str,
        state: AttemptState,
        isolation: str,
        evidence: Evidence,
        judgements: tuple[Judgement, ...],
        result: BossEvalResult | None,
        events: tuple[Event, ...],
        left_out: tuple[LeftOut, ...] = (),
        ungraded_reason: str = "",
        cost: Cost | None = None,
    ) -> None:
        """Complete an attempt with all that came out of it."""
        body = {
            "evidence": evidence.model_dump(mode="json"),
            "judgements": [judgement.model_dump(mode="json") for judgement in judgements],
            "result": result.model_dump(mode="json") if result else None,
            "left_out": [item.model_dump(mode="json") for item in left_out],
            "cost": (cost or Cost()).model_dump(mode="json"),
        }
        lines = "\n".join(event.model_dump_json() for event in events)
        with self._writing() as db:
            db.execute(
                """
                UPDATE attempts SET state = ?, finished_at = ?, isolation = ?, score_total = ?, score_max = ?,
                    integrity = ?, verdict = ?, ungraded_reason = ?, body = ?, events = ?
                WHERE id = ? AND state = 'running'
                """,
                (
                    *(state.value, _now(), isolation),
                    *((result.score_total, result.score_max, result.integrity) if result else (None, None, None)),
                    *(
                        result.verdict.value if result else None,
                        ungraded_reason,
                        _pack(json.dumps(body)),
                        _pack(lines),
                    ),
                    attempt_id,
                ),
            )

    def page(self, wanted: Filter | None = None, before: int | None = None, limit: int = 200) -> list[AttemptRow]:
        """Attempts, newest first.

        Args:
            wanted: Which ones.
            before: How many to pass over.
            limit: How many at most.
        """
        where, values = (wanted or Filter()).where()
        rows = self._db.execute(
            f"SELECT * FROM attempts WHERE {where} ORDER BY seq DESC LIMIT ? OFFSET ?",  # noqa: S608 - fixed columns
            [*values, limit, before or 0],
        )
        return [_row(row) for row in rows]

    def count(self, wanted: Filter | None = None) -> int:
        """How many attempts there are."""
        where, values = (wanted or Filter()).where()
        return int(self._db.execute(f"SELECT count(*) FROM attempts WHERE {where}", values).fetchone()[0])  # noqa: S608

    def get(self, attempt_id: str) -> Attempt:
        """One attempt, whole; the beginning of an id will do if only one has it.

        Raises:
            HistoryError: There is none, or more than one begins so.
        """
        sayable = attempt_id.isalnum()
        pattern = f"{attempt_id.lower()}%"
        rows = (
            self._db.execute("SELECT * FROM attempts WHERE id LIKE ? LIMIT 2", (pattern,)).fetchall() if sayable else []
        )
        if len(rows) != 1:
            problem = "More than one attempt begins with" if rows else "There is no attempt"
            raise HistoryError(f"{problem} {attempt_id!r}.", "List them with: evalforge attempts")
        return self._attempt(rows[0])

    def previous(self, attempt_id: str) -> Attempt | None:
        """The last judged attempt on the same boss before this one."""
        row = self._db.execute(
            """
            SELECT before.* FROM attempts AS this JOIN attempts AS before
                ON before.boss_id = this.boss_id AND before.seq < this.seq AND before.state = 'judged'
            WHERE this.id = ? ORDER BY before.seq DESC LIMIT 1
            """,
            (attempt_id,),
        ).fetchone()
        return self._attempt(row) if row else None

    def standings(self) -> dict[str, Standing]:
        """How it stands with each boss that was fought, by boss id."""
        rows = self._db.execute(
            """
            SELECT best.*, tries, (SELECT started_at FROM attempts WHERE seq = fought.last) AS last_at FROM (
                SELECT boss_id, count(*) AS tries, max(seq) AS last FROM attempts WHERE state = 'judged' GROUP BY boss_id
            ) AS fought
            JOIN (
                SELECT boss_id, max(integrity) AS integrity, score_total, score_max, verdict
                FROM attempts WHERE state = 'judged' GROUP BY boss_id
            ) AS best USING (boss_id)
            """
        )
        return {
            row["boss_id"]: Standing(
                boss_id=row["boss_id"],
                tries=row["tries"],
                best_integrity=row["integrity"],
                best_verdict=row["verdict"],
                best_total=row["score_total"],
                max_total=row["score_max"],
                last_at=datetime.fromisoformat(row["last_at"]),
            )
            for row in rows
        }

    def recent_directories(self, boss_id: str, limit: int = 8) -> list[str]:
        """Directories handed in for a boss, the latest first."""
        rows = self._db.execute(
            "SELECT directory FROM attempts WHERE boss_id = ? GROUP BY directory ORDER BY max(seq) DESC LIMIT ?",
            (boss_id, limit),
        )
        return [row["directory"] for row in rows]

    def _attempt(self, row: sqlite3.Row) -> Attempt:
        files = self._db.execute(
            "SELECT path, body FROM attempt_files JOIN contents USING (sha256) WHERE seq = ? ORDER BY path",
            (row["seq"],),
        )
        body = json.loads(_unpack(row["body"]) or "{}")
        return Attempt(
            id=row["id"],
            boss_id=row["boss_id"],
            boss_title=row["boss_title"],
            rubric_hash=row["rubric_hash"],
            state=AttemptState(row["state"]),
            started_at=datetime.fromisoformat(row["started_at"]),
            finished_at=datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None,
            directory=row["directory"],
            judge=JudgeInfo.model_validate_json(row["judge_info"]),
            isolation=row["isolation"],
            submission=Submission(
                files=tuple(
                    SubmissionFile(
                        path=file["path"],
                        content=zlib.decompress(file["body"]).decode("utf-8", "surrogatepass"),
                    )
                    for file in files
                ),
                notes=row["notes"],
            ),
            ungraded_reason=row["ungraded_reason"],
            events=tuple(EVENT.validate_json(line) for line in _unpack(row["events"]).splitlines() if line),
            **{name: body[name] for name in ("left_out", "evidence", "judgements", "result", "cost") if name in body},
        )


def _row(row: sqlite3.Row) -> AttemptRow:
    return AttemptRow(
        started_at=datetime.fromisoformat(row["started_at"]),
        state=AttemptState(row["state"]),
        **{name: row[name] for name in AttemptRow.model_fields if name not in ("started_at", "state")},
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _pack(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _unpack(body: bytes | None) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass") if body else ""
