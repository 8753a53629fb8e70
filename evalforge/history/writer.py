"""Writes an attempt: first that it began, then its results."""

import json
import secrets
import sqlite3
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from evalforge.history import process_owner
from evalforge.history.class_book import ClassSlot
from evalforge.history.reader import compress, event_json
from evalforge.model.fight_record import FightRecord
from evalforge.model.result import JudgeInfo
from evalforge.model.submission import Submission
from evalforge.model.text import replace_unencodable
from evalforge.reports.receipt import make_receipt

_ID_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


@dataclass(frozen=True)
class StartedAttempt:
    """What is known about an attempt before it is judged.

    Attributes:
        rubric_hash: Hash of everything that measures: rubric, rules and trials.
        directory: The submitted directory.
        agent: The program that submitted it; empty for a person.
    """

    boss_id: str
    boss_title: str
    rubric_hash: str
    directory: str
    judge: JudgeInfo
    agent: str = ""


def current_timestamp() -> str:
    """The time in its stored form: ISO, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def begin_attempt(
    db: sqlite3.Connection, started: StartedAttempt, submission: Submission, class_slot: ClassSlot | None
) -> str:
    """Record that a judging has begun.

    Args:
        db: The store, in a transaction.
        started: The attempt.
        submission: Its files and notes.
        class_slot: The class submission it is for; None for a player's own attempt.

    Returns:
        The attempt's id.
    """
    in_class = class_slot is not None
    source = replace_unencodable(class_slot.source if class_slot else started.directory)
    attempt_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
    row = db.execute(
        """
        INSERT INTO attempts (id, boss_id, boss_title, number, rubric_hash, state, started_at, directory, judge,
                              judge_info, isolation, content_hash, owner, of_class, agent)
        VALUES (?, ?, ?, 0, ?, 'running', ?, ?, ?, ?, '', ?, ?, ?, ?)
        RETURNING seq
        """,
        (
            *(attempt_id, started.boss_id, started.boss_title, started.rubric_hash, current_timestamp()),
            *(source, started.judge.name, started.judge.model_dump_json()),
            *(submission.content_hash, process_owner.current_owner(), int(in_class)),
            replace_unencodable(started.agent),
        ),
    ).fetchone()
    _store_submission(db, row["seq"], submission)
    if class_slot is not None:
        query = "INSERT OR REPLACE INTO class_rows (run, row_id, seq) VALUES (?, ?, ?)"
        db.execute(query, (class_slot.run, class_slot.row_id, row["seq"]))
    return attempt_id


def _store_submission(db: sqlite3.Connection, seq: int, submission: Submission) -> None:
    """Store files and notes; identical contents are stored once."""
    left_out = json.dumps([item.model_dump() for item in submission.left_out])
    notes = submission.notes.encode("utf-8", "surrogatepass")
    body = compress(f'{{"left_out": {left_out}}}')
    db.execute("INSERT INTO records (seq, notes, body) VALUES (?, ?, ?)", (seq, notes, body))
    for file in submission.files:
        content = zlib.compress(file.content.encode("utf-8", "surrogatepass"))
        db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (file.sha256, content))
        db.execute("INSERT INTO attempt_files VALUES (?, ?, ?)", (seq, file.path, file.sha256))


def body_of(record: FightRecord) -> dict[str, Any]:
    """What is stored of a judging besides its events, as JSON data."""
    result = record.result
    left_out = record.submission.left_out if record.submission else ()
    return {
        "evidence": record.evidence.model_dump(mode="json"),
        "judgements": [judgement.model_dump(mode="json") for judgement in record.judgements],
        "result": result.model_dump(mode="json") if result else None,
        "left_out": [item.model_dump(mode="json") for item in left_out],
        "cost": record.cost.model_dump(mode="json"),
    }


def finish_attempt(db: sqlite3.Connection, attempt_id: str, record: FightRecord, body: dict[str, Any]) -> None:
    """Complete an attempt; one that isn't running is left unchanged. Only one that was judged gets a number.

    Args:
        db: The store, in a transaction.
        attempt_id: Its id.
        record: What the fight yielded.
        body: The result of ``body_of``, computed before the transaction.
    """
    result = body["result"]
    lines = "\n".join(event_json(event) for event in record.events)
    scores = (result[name] if result else None for name in ("score_total", "score_max", "integrity", "verdict"))
    row = db.execute(
        """
        UPDATE attempts SET state = ?, finished_at = ?, isolation = ?, score_total = ?, score_max = ?,
            integrity = ?, verdict = ?, levels = ?, ungraded_reason = ?, number = iif(?, (
                SELECT 1 + max(other.number) FROM attempts AS other WHERE other.boss_id = attempts.boss_id
                    AND other.of_class = attempts.of_class AND other.agent = attempts.agent
            ), 0)
        WHERE id = ? AND state = 'running' RETURNING seq, content_hash, rubric_hash, judge_info
        """,
        (
            *(record.state.value, current_timestamp(), record.isolation, *scores),
            *(_levels_json(result["criteria"]) if result else None, record.ungraded_reason, result is not None),
            attempt_id,
        ),
    ).fetchone()
    if row is None:
        return
    receipt = None
    if result:
        judge = json.loads(row["judge_info"])
        receipt = make_receipt(row["content_hash"], row["rubric_hash"], judge, result).model_dump_json()
    db.execute(
        "UPDATE records SET body = ?, events = ?, receipt = ? WHERE seq = ?",
        (compress(json.dumps(body)), compress(lines), receipt, row["seq"]),
    )


def _levels_json(criteria: list[dict[str, Any]]) -> str:
    """Encode the levels of a result for its row: ``[[criterion, score, highest], ...]``."""
    return json.dumps(
        [[criterion["id"], criterion["score"], criterion["max_score"]] for criterion in criteria], separators=(",", ":")
    )
