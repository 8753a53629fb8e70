"""A file written by a release opens in this version, and nothing in it is lost."""

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from evalforge.history.schema import VERSION
from evalforge.history.store import AttemptFilter, History
from evalforge.model.attempt import AttemptState
from evalforge.model.errors import HistoryError
from evalforge.reports.receipt import audit, make_receipt
from tests import factories

# As 0.1.0 and 0.2.0 wrote it; never to be changed.
RELEASED = """
CREATE TABLE attempts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, boss_id TEXT NOT NULL, boss_title TEXT NOT NULL,
    number INTEGER NOT NULL, rubric_hash TEXT NOT NULL, state TEXT NOT NULL, started_at TEXT NOT NULL, finished_at TEXT,
    directory TEXT NOT NULL, judge TEXT NOT NULL, judge_info TEXT NOT NULL, isolation TEXT NOT NULL,
    content_hash TEXT NOT NULL, score_total REAL, score_max REAL, integrity REAL, verdict TEXT,
    ungraded_reason TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '', levels TEXT,
    of_class INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX attempts_by_boss ON attempts (boss_id, seq DESC);
CREATE INDEX attempts_by_integrity ON attempts (integrity DESC, seq DESC);
CREATE INDEX attempts_by_verdict ON attempts (verdict, seq DESC);
CREATE INDEX attempts_by_state ON attempts (state) WHERE state = 'running';
CREATE INDEX attempts_by_boss_integrity ON attempts (boss_id, integrity DESC, seq DESC);
CREATE INDEX attempts_by_verdict_integrity ON attempts (verdict, integrity DESC, seq DESC);
CREATE INDEX attempts_by_boss_verdict ON attempts (boss_id, verdict, seq DESC);
CREATE INDEX attempts_by_directory ON attempts (directory, boss_id, seq);
CREATE INDEX attempts_newest ON attempts (seq DESC);
CREATE INDEX attempts_own ON attempts (boss_id, of_class, integrity DESC, seq DESC);
CREATE TABLE records (
    seq INTEGER PRIMARY KEY REFERENCES attempts (seq) ON DELETE CASCADE, notes TEXT NOT NULL DEFAULT '', body BLOB,
    events BLOB, receipt TEXT
);
CREATE TABLE contents (sha256 TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE attempt_files (
    seq INTEGER NOT NULL REFERENCES attempts (seq) ON DELETE CASCADE, path TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES contents (sha256), PRIMARY KEY (seq, path)
) WITHOUT ROWID;
CREATE INDEX attempt_files_by_content ON attempt_files (sha256);
CREATE TABLE hints_read (
    boss_id TEXT NOT NULL, criterion_id TEXT NOT NULL, step INTEGER NOT NULL, read_at TEXT NOT NULL,
    PRIMARY KEY (boss_id, criterion_id, step)
) WITHOUT ROWID;
CREATE TABLE class_runs (
    run INTEGER PRIMARY KEY AUTOINCREMENT, class TEXT NOT NULL, boss_id TEXT NOT NULL, source TEXT NOT NULL,
    judge_info TEXT NOT NULL, instrument TEXT NOT NULL, started_at TEXT NOT NULL, finished_at TEXT
);
CREATE INDEX class_runs_by_class ON class_runs (class, boss_id, run DESC);
CREATE TABLE class_rows (
    run INTEGER NOT NULL REFERENCES class_runs (run) ON DELETE CASCADE, row_id TEXT NOT NULL,
    seq INTEGER REFERENCES attempts (seq) ON DELETE SET NULL, outcome TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '', PRIMARY KEY (run, row_id)
) WITHOUT ROWID;
CREATE INDEX class_rows_by_attempt ON class_rows (seq);
CREATE TABLE overrides (
    number INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL REFERENCES attempts (seq) ON DELETE CASCADE,
    criterion_id TEXT NOT NULL, score REAL, reason TEXT NOT NULL, carried_from TEXT NOT NULL DEFAULT '',
    made_at TEXT NOT NULL, result TEXT NOT NULL
);
CREATE INDEX overrides_by_attempt ON overrides (seq, number);
PRAGMA user_version = 3;
"""
SUBMISSION = factories.submission(main="x = 1").model_copy(update={"notes": "on my way"})


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "attempts.sqlite3"
    db = sqlite3.connect(path)
    db.executescript(RELEASED)
    judged = factories.events(2, 1)[-1]
    result = judged.model_dump(mode="json")["result"]
    bodies = {
        "judged": {"result": result, "judgements": judged.model_dump(mode="json")["judgements"], "left_out": []},
        "ungraded": {"result": None, "judgements": [], "left_out": []},
        "interrupted": {"left_out": []},
    }
    events = "\n".join(event.model_dump_json() for event in factories.events(2, 1))
    for seq, (state, body) in enumerate(bodies.items(), start=1):
        scored = (3, 4, 0.75, "pass") if state == "judged" else (None, None, None, None)
        levels, receipt = None, None
        if state == "judged":
            levels = '[["c0",2,2],["c1",1,2]]'
            receipt = make_receipt(SUBMISSION.content_hash, "hash", factories.FORGE.model_dump(), result)
        db.execute(
            f"INSERT INTO attempts VALUES ({', '.join('?' * 22)})",
            (
                *(seq, f"{state[:6]}ab", "straw", "Straw", seq, "hash", state, "2026-01-01T00:00:00+00:00", None, "/d"),
                *("forge", factories.FORGE.model_dump_json(), "full", SUBMISSION.content_hash),
                *(*scored, "", "1:2", levels, 0),
            ),
        )
        stored = (zlib.compress(json.dumps(body).encode()), zlib.compress(events.encode()))
        record = (seq, SUBMISSION.notes.encode(), *stored, receipt.model_dump_json() if receipt else None)
        db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", record)
        file = SUBMISSION.files[0]
        db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (file.sha256, zlib.compress(file.content.encode())))
        db.execute("INSERT INTO attempt_files VALUES (?, ?, ?)", (seq, file.path, file.sha256))
    db.commit()
    db.close()
    return path


def test_every_attempt_is_carried_over_whole(old: Path) -> None:
    with History(old) as history:
        attempts = {row.state: history.get(row.id) for row in history.page()}
        assert history.count(AttemptFilter(state="judged")) == 1
    assert set(attempts) == {AttemptState.JUDGED, AttemptState.UNGRADED, AttemptState.INTERRUPTED}
    for attempt in attempts.values():
        assert attempt.submission == SUBMISSION
        assert attempt.events == factories.events(2, 1)
    result = attempts[AttemptState.JUDGED].result
    assert result is not None
    assert result.score_total == 3


def test_levels_and_receipts_are_kept(old: Path) -> None:
    with History(old) as history:
        assert history.progress.level_matrix("straw").row("c0") == ((2, 2),)
        row = history.page(AttemptFilter(state="judged"))[0]
        assert audit(history.get(row.id), row, history.receipt(row.id)) == ()
        assert history.receipt(history.page(AttemptFilter(state="ungraded"))[0].id) is None


def test_attempts_older_than_agents_are_the_players_own(old: Path) -> None:
    with History(old) as history:
        assert history.progress.by_boss()["straw"].attempt_count == 1
        assert list(history.tallies.tally([]).bosses) == ["straw"]
        assert history.classes.runs() == []
        assert history.overrides.of("judgedab") is None


def test_the_steps_are_taken_once(old: Path) -> None:
    for _ in range(2):
        History(old).close()
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == VERSION == 9


def test_a_body_that_can_not_be_read_does_not_stop_the_others(old: Path) -> None:
    db = sqlite3.connect(old)
    db.execute("UPDATE records SET body = x'00ff' WHERE seq = 1")
    db.commit()
    db.close()
    with History(old) as history:
        assert history.count() == 3
        with pytest.raises(HistoryError, match="damaged"):
            history.get("judgedab")


def test_a_migration_that_fails_leaves_the_file_as_it_was(old: Path) -> None:
    db = sqlite3.connect(old)
    db.execute("CREATE TABLE own_tries (somebody_elses TEXT)")
    db.commit()
    db.close()
    with pytest.raises(HistoryError, match="already exists"):
        History(old)
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == 3
        assert db.execute("SELECT count(body) FROM records").fetchone()[0] == 3
