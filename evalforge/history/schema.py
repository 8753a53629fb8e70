"""The database's schema as migrations, by the ``user_version`` that each leads to."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from evalforge.history.db_errors import Connection, folder_error, history_error
from evalforge.model.errors import HistoryError
from evalforge.packs.private_files import FILE_MODE, close_to_others, make_private_folder

_MIGRATIONS = {
    # As 0.1.0 and 0.2.0 created it. Long columns are in a table of their own, so that lists don't read them.
    3: """
    CREATE TABLE attempts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        boss_id TEXT NOT NULL,
        boss_title TEXT NOT NULL,
        number INTEGER NOT NULL,
        rubric_hash TEXT NOT NULL,
        state TEXT NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        directory TEXT NOT NULL,
        judge TEXT NOT NULL,
        judge_info TEXT NOT NULL,
        isolation TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        score_total REAL,
        score_max REAL,
        integrity REAL,
        verdict TEXT,
        ungraded_reason TEXT NOT NULL DEFAULT '',
        owner TEXT NOT NULL DEFAULT '',
        levels TEXT,
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
        seq INTEGER PRIMARY KEY REFERENCES attempts (seq) ON DELETE CASCADE,
        notes TEXT NOT NULL DEFAULT '',
        body BLOB,
        events BLOB,
        receipt TEXT
    );
    CREATE TABLE contents (sha256 TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE attempt_files (
        seq INTEGER NOT NULL REFERENCES attempts (seq) ON DELETE CASCADE,
        path TEXT NOT NULL,
        sha256 TEXT NOT NULL REFERENCES contents (sha256),
        PRIMARY KEY (seq, path)
    ) WITHOUT ROWID;
    CREATE INDEX attempt_files_by_content ON attempt_files (sha256);
    CREATE TABLE hints_read (
        boss_id TEXT NOT NULL,
        criterion_id TEXT NOT NULL,
        step INTEGER NOT NULL,
        read_at TEXT NOT NULL,
        PRIMARY KEY (boss_id, criterion_id, step)
    ) WITHOUT ROWID;
    CREATE TABLE class_runs (
        run INTEGER PRIMARY KEY AUTOINCREMENT,
        class TEXT NOT NULL,
        boss_id TEXT NOT NULL,
        source TEXT NOT NULL,
        judge_info TEXT NOT NULL,
        instrument TEXT NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT
    );
    CREATE INDEX class_runs_by_class ON class_runs (class, boss_id, run DESC);
    CREATE TABLE class_rows (
        run INTEGER NOT NULL REFERENCES class_runs (run) ON DELETE CASCADE,
        row_id TEXT NOT NULL,
        seq INTEGER REFERENCES attempts (seq) ON DELETE SET NULL,
        outcome TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (run, row_id)
    ) WITHOUT ROWID;
    CREATE INDEX class_rows_by_attempt ON class_rows (seq);
    CREATE TABLE overrides (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        seq INTEGER NOT NULL REFERENCES attempts (seq) ON DELETE CASCADE,
        criterion_id TEXT NOT NULL,
        score REAL,
        reason TEXT NOT NULL,
        carried_from TEXT NOT NULL DEFAULT '',
        made_at TEXT NOT NULL,
        result TEXT NOT NULL
    );
    CREATE INDEX overrides_by_attempt ON overrides (seq, number);
    """,
    # Instructors' comments; agents' attempts, which aren't the player's; triggers that count attempts as they change,
    # so that no writer can forget to.
    6: """
    CREATE TABLE class_comments (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        class TEXT NOT NULL,
        boss_id TEXT NOT NULL,
        row_id TEXT NOT NULL,
        text TEXT NOT NULL,
        made_at TEXT NOT NULL,
        withdrawn_at TEXT
    );
    CREATE INDEX class_comments_by_row ON class_comments (class, boss_id, row_id);
    CREATE TABLE saved_comments (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    ALTER TABLE attempts ADD COLUMN agent TEXT NOT NULL DEFAULT '';
    DROP INDEX attempts_own;
    CREATE INDEX attempts_own ON attempts (boss_id, of_class, agent, integrity DESC, seq DESC);
    CREATE TABLE own_tries (boss_id TEXT PRIMARY KEY, judged INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO own_tries SELECT boss_id, count(integrity) FROM attempts WHERE of_class = 0 GROUP BY boss_id;
    CREATE TRIGGER own_try_added AFTER INSERT ON attempts
        WHEN NEW.of_class = 0 AND NEW.agent = '' AND NEW.integrity IS NOT NULL
    BEGIN
        INSERT INTO own_tries VALUES (NEW.boss_id, 1) ON CONFLICT (boss_id) DO UPDATE SET judged = judged + 1;
    END;
    CREATE TRIGGER own_try_judged AFTER UPDATE OF integrity ON attempts
        WHEN NEW.of_class = 0 AND NEW.agent = '' AND (OLD.integrity IS NULL) != (NEW.integrity IS NULL)
    BEGIN
        INSERT INTO own_tries VALUES (NEW.boss_id, NEW.integrity IS NOT NULL) ON CONFLICT (boss_id)
            DO UPDATE SET judged = judged + (NEW.integrity IS NOT NULL) - (OLD.integrity IS NOT NULL);
    END;
    CREATE TRIGGER own_try_deleted AFTER DELETE ON attempts
        WHEN OLD.of_class = 0 AND OLD.agent = '' AND OLD.integrity IS NOT NULL
    BEGIN
        UPDATE own_tries SET judged = judged - 1 WHERE boss_id = OLD.boss_id;
    END;
    CREATE TABLE progress_tally (up_to INTEGER NOT NULL, rules TEXT NOT NULL, tally BLOB NOT NULL);
    CREATE TRIGGER tally_outdated_by_change AFTER UPDATE ON attempts
    BEGIN
        DELETE FROM progress_tally WHERE up_to >= OLD.seq;
    END;
    CREATE TRIGGER tally_outdated_by_deletion AFTER DELETE ON attempts
    BEGIN
        DELETE FROM progress_tally WHERE up_to >= OLD.seq;
    END;
    """,
    # Folders that were made for a boss, with the last attempt before each.
    7: """
    CREATE TABLE starters (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        boss_id TEXT NOT NULL,
        directory TEXT NOT NULL,
        after_seq INTEGER NOT NULL
    );
    CREATE INDEX starters_by_boss ON starters (boss_id, number);
    """,
    # What players expected of an attempt before it was judged.
    8: """
    CREATE TABLE calls (
        seq INTEGER PRIMARY KEY REFERENCES attempts (seq) ON DELETE CASCADE,
        criterion_id TEXT NOT NULL,
        is_right INTEGER NOT NULL
    );
    """,
    # Lists leave out the submissions of classes. A number is looked for when an attempt is judged.
    9: """
    DROP INDEX attempts_newest;
    CREATE INDEX attempts_newest ON attempts (seq DESC) WHERE of_class = 0;
    DROP INDEX attempts_by_integrity;
    CREATE INDEX attempts_by_integrity ON attempts (integrity DESC, seq DESC) WHERE of_class = 0;
    DROP INDEX attempts_by_verdict;
    CREATE INDEX attempts_by_verdict ON attempts (verdict, seq DESC) WHERE of_class = 0;
    DROP INDEX attempts_by_boss_integrity;
    CREATE INDEX attempts_by_boss_integrity ON attempts (boss_id, integrity DESC, seq DESC) WHERE of_class = 0;
    DROP INDEX attempts_by_verdict_integrity;
    CREATE INDEX attempts_by_verdict_integrity ON attempts (verdict, integrity DESC, seq DESC) WHERE of_class = 0;
    DROP INDEX attempts_by_boss_verdict;
    CREATE INDEX attempts_by_boss_verdict ON attempts (boss_id, verdict, seq DESC) WHERE of_class = 0;
    CREATE INDEX attempts_listed_by_boss ON attempts (boss_id, seq DESC) WHERE of_class = 0;
    CREATE INDEX attempts_by_number ON attempts (boss_id, of_class, agent, number DESC);
    """,
}
"""How a file gets to each ``user_version``; an empty one has 0, and no release wrote the numbers left out."""
VERSION = max(_MIGRATIONS)


def connect(path: Path) -> Connection:
    """Open the database, creating or migrating it.

    Raises:
        HistoryError: It can't be opened, is not a database, or was written by a newer EvalForge.
    """
    try:
        make_private_folder(path.parent)
        _make_private(path)
        connection = sqlite3.connect(path, timeout=10.0, isolation_level=None, factory=Connection)
    except OSError as error:
        raise folder_error(path, error) from None
    except sqlite3.Error as error:
        raise history_error(path, error) from None
    with ExitStack() as unless_ready:
        unless_ready.callback(connection.close)
        connection.path = path
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection, path)
        unless_ready.pop_all()
    return connection


def _make_private(path: Path) -> None:
    """Make the database readable by its owner only; SQLite gives its companion files the same permissions."""
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        close_to_others(file)
    with suppress(OSError):  # SQLite reports what is wrong
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == VERSION:
        return
    if _version(connection) > VERSION:
        raise HistoryError(f"The history at {path} was written by a newer EvalForge.", "Update EvalForge.")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read within the transaction: another process may have migrated the file meanwhile.
        present_version = _version(connection)
        for version, script in _MIGRATIONS.items():
            if version > present_version:
                for statement in _statements(script):
                    connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself when the disk is full
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """Split a script into statements; a trigger contains semicolons of its own."""
    statement = ""
    for piece in script.split(";"):
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
