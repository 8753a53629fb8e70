"""One attempt put together again from its rows."""

import json
import sqlite3
import zlib
from datetime import datetime

from evalforge.chronicle.receipt import Receipt
from evalforge.history.faults import decoding
from evalforge.model.attempt import Attempt, AttemptState
from evalforge.model.events import EVENT, Event
from evalforge.model.result import JudgeInfo
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import sayable

_BODY = ("left_out", "evidence", "judgements", "result", "cost")


def pack(text: str) -> bytes:
    """Text as it is stored."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def line_of(event: Event) -> str:
    """An event as one line of JSON."""
    try:
        return event.model_dump_json()
    except ValueError:
        return sayable(json.dumps(event.model_dump(mode="json"), ensure_ascii=False))


def _unpack(body: bytes | None) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass") if body else ""


def read(db: sqlite3.Connection, attempt_id: str) -> Attempt:
    """An attempt, whole.

    Args:
        db: The store.
        attempt_id: Of an attempt that is there.

    Raises:
        HistoryError: What is stored of it can't be read.
    """
    row = db.execute("SELECT * FROM attempts JOIN records USING (seq) WHERE id = ?", (attempt_id,)).fetchone()
    with decoding(f"Attempt {attempt_id}"):
        return _attempt(row, _files(db, row["seq"]))


def read_receipt(db: sqlite3.Connection, attempt_id: str) -> Receipt | None:
    """The receipt stored with an attempt; None if there is none.

    Raises:
        HistoryError: What is stored is no receipt.
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
    return tuple(SubmissionFile(path=row["path"], content=_unpack(row["body"])) for row in rows)


def _attempt(row: sqlite3.Row, files: tuple[SubmissionFile, ...]) -> Attempt:
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
        submission=Submission(files=files, notes=_notes(row["notes"])),
        ungraded_reason=row["ungraded_reason"],
        events=tuple(EVENT.validate_json(line) for line in _unpack(row["events"]).split("\n") if line),
        **{name: body[name] for name in _BODY if name in body},
    )


def _notes(stored: str | bytes) -> str:
    return stored if isinstance(stored, str) else stored.decode("utf-8", "surrogatepass")
