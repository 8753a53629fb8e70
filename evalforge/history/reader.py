"""Reads an attempt back from its rows, and encodes and decodes the compressed columns."""

import json
import sqlite3
import zlib
from datetime import datetime

from evalforge.history.db_errors import decoding
from evalforge.model.attempt import Attempt, AttemptState
from evalforge.model.events import EVENT, Event
from evalforge.model.result import JudgeInfo
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import replace_unencodable
from evalforge.reports.receipt import Receipt

_BODY_FIELDS = ("left_out", "evidence", "judgements", "result", "cost")


def compress(text: str) -> bytes:
    """Encode text for storage: UTF-8, with lone surrogates kept, zlib-compressed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def event_json(event: Event) -> str:
    """Encode an event as one line of JSON."""
    try:
        return event.model_dump_json()
    except ValueError:
        return replace_unencodable(json.dumps(event.model_dump(mode="json"), ensure_ascii=False))


def _decompress(body: bytes | None) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass") if body else ""


def read_attempt(db: sqlite3.Connection, attempt_id: str) -> Attempt:
    """Read an attempt with its files, evidence and events.

    Args:
        db: The store.
        attempt_id: The full id of a stored attempt.

    Raises:
        HistoryError: A stored part is damaged.
    """
    row = db.execute("SELECT * FROM attempts JOIN records USING (seq) WHERE id = ?", (attempt_id,)).fetchone()
    with decoding(f"Attempt {attempt_id}"):
        return _attempt(row, _files(db, row["seq"]))


def read_receipt(db: sqlite3.Connection, attempt_id: str) -> Receipt | None:
    """Read the receipt stored with an attempt; None if there is none.

    Raises:
        HistoryError: The receipt is damaged.
    """
    query = "SELECT receipt FROM records JOIN attempts USING (seq) WHERE id = ?"
    row = db.execute(query, (attempt_id,)).fetchone()
    if row is None or row["receipt"] is None:
        return None
    with decoding(f"The receipt of attempt {attempt_id}"):
        return Receipt.model_validate_json(row["receipt"])


def _files(db: sqlite3.Connection, seq: int) -> tuple[SubmissionFile, ...]:
    rows = db.execute(
        "SELECT path, body FROM attempt_files JOIN contents USING (sha256) WHERE seq = ? ORDER BY path", (seq,)
    )
    return tuple(SubmissionFile(path=row["path"], content=_decompress(row["body"])) for row in rows)


def _attempt(row: sqlite3.Row, files: tuple[SubmissionFile, ...]) -> Attempt:
    body = json.loads(_decompress(row["body"]))
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
        agent=row["agent"],
        submission=Submission(files=files, notes=row["notes"].decode("utf-8", "surrogatepass")),
        ungraded_reason=row["ungraded_reason"],
        events=tuple(EVENT.validate_json(line) for line in _decompress(row["events"]).split("\n") if line),
        **{name: body[name] for name in _BODY_FIELDS if name in body},
    )
