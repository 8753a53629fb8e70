"""How an attempt is written: first that it has begun, then all that came out of it."""

import json
import secrets
import sqlite3
import zlib
from datetime import UTC, datetime
from typing import Any

from evalforge.chronicle.receipt import seal
from evalforge.history import owner
from evalforge.history.carried import levels_json
from evalforge.history.classes import Seat
from evalforge.history.whole import line_of, pack
from evalforge.model.attempt import AttemptState
from evalforge.model.cost import Cost
from evalforge.model.events import Event
from evalforge.model.evidence import Evidence
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import LeftOut, Submission
from evalforge.model.text import sayable

_ID_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


def now() -> str:
    """The time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def begin(
    db: sqlite3.Connection,
    boss: tuple[str, str, str],
    directory: str,
    judge: JudgeInfo,
    submission: Submission,
    seat: Seat | None,
) -> str:
    """Write down that a judging has begun.

    Args:
        db: The store, in a transaction.
        boss: Its id, its title, the hash of its measuring instrument.
        directory: What was handed in.
        judge: Who judges.
        submission: What was read.
        seat: Whose hand-in it is, where it is one of a class.

    Returns:
        The attempt's id.
    """
    in_class = seat is not None
    attempt_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
    boss_id, title, rubric_hash = boss
    row = db.execute(
        """
        INSERT INTO attempts (id, boss_id, boss_title, number, rubric_hash, state, started_at, directory, judge,
                              judge_info, isolation, content_hash, owner, of_class)
        VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, '', ?, ?, ?)
        RETURNING seq
        """,
        (
            *(attempt_id, boss_id, title, _next_number(db, boss_id, in_class), rubric_hash, now()),
            *(sayable(seat.source if seat else directory), judge.name, judge.model_dump_json()),
            *(submission.content_hash, owner.me(), int(in_class)),
        ),
    ).fetchone()
    _keep(db, row["seq"], submission)
    if seat is not None:
        taken = "INSERT OR REPLACE INTO class_rows (run, row_id, seq) VALUES (?, ?, ?)"
        db.execute(taken, (seat.run, seat.row_id, row["seq"]))
    return attempt_id


def _keep(db: sqlite3.Connection, seq: int, submission: Submission) -> None:
    """Keep what was handed in; equal contents are kept once."""
    left_out = json.dumps([item.model_dump() for item in submission.left_out])
    notes = submission.notes.encode("utf-8", "surrogatepass")
    body = pack(f'{{"left_out": {left_out}}}')
    db.execute("INSERT INTO records (seq, notes, body) VALUES (?, ?, ?)", (seq, notes, body))
    for file in submission.files:
        content = zlib.compress(file.content.encode("utf-8", "surrogatepass"))
        db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (file.sha256, content))
        db.execute("INSERT INTO attempt_files VALUES (?, ?, ?)", (seq, file.path, file.sha256))


def body_of(
    evidence: Evidence,
    judgements: tuple[Judgement, ...],
    result: BossEvalResult | None,
    left_out: tuple[LeftOut, ...],
    cost: Cost,
) -> dict[str, Any]:
    """What is kept of a judging beside its events, as JSON data."""
    return {
        "evidence": evidence.model_dump(mode="json"),
        "judgements": [judgement.model_dump(mode="json") for judgement in judgements],
        "result": result.model_dump(mode="json") if result else None,
        "left_out": [item.model_dump(mode="json") for item in left_out],
        "cost": cost.model_dump(mode="json"),
    }


def finish(
    db: sqlite3.Connection,
    attempt_id: str,
    state: AttemptState,
    isolation: str,
    body: dict[str, Any],
    events: tuple[Event, ...],
    ungraded_reason: str,
) -> None:
    """Complete an attempt; one that isn't running stays as it is."""
    result = body["result"]
    lines = "\n".join(line_of(event) for event in events)
    scores = (result[name] if result else None for name in ("score_total", "score_max", "integrity", "verdict"))
    row = db.execute(
        """
        UPDATE attempts SET state = ?, finished_at = ?, isolation = ?, score_total = ?, score_max = ?,
            integrity = ?, verdict = ?, levels = ?, ungraded_reason = ?
        WHERE id = ? AND state = 'running' RETURNING seq, content_hash, rubric_hash, judge_info
        """,
        (
            *(state.value, now(), isolation, *scores),
            *(levels_json(result["criteria"]) if result else None, ungraded_reason, attempt_id),
        ),
    ).fetchone()
    if row is None:
        return
    receipt = None
    if result:
        judge = json.loads(row["judge_info"])
        receipt = seal(row["content_hash"], row["rubric_hash"], judge, result).model_dump_json()
    db.execute(
        "UPDATE records SET body = ?, events = ?, receipt = ? WHERE seq = ?",
        (pack(json.dumps(body)), pack(lines), receipt, row["seq"]),
    )


def _next_number(db: sqlite3.Connection, boss_id: str, in_class: bool) -> int:
    """One's own tries are counted, and hand-ins of classes by themselves."""
    query = "SELECT number FROM attempts WHERE boss_id = ? AND of_class = ? ORDER BY seq DESC LIMIT 1"
    last = db.execute(query, (boss_id, int(in_class))).fetchone()
    return 1 + (last["number"] if last else 0)
