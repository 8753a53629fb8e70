"""Opens the database of attempts. Light: reading only the player's progress loads no models."""

import sqlite3
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from evalforge.history import process_owner
from evalforge.history.db_errors import Connection
from evalforge.history.schema import connect
from evalforge.model.errors import HistoryError


def open_database(path: Path) -> Connection:
    """Open the database, creating or migrating it, and mark attempts whose process is gone as interrupted.

    Raises:
        HistoryError: It can't be opened.
    """
    db = connect(path)
    with ExitStack() as unless_ready:
        unless_ready.callback(db.close)
        _mark_interrupted(db)
        unless_ready.pop_all()
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """Commit everything that is executed within, or nothing."""
    try:
        db.execute("BEGIN IMMEDIATE")
        yield db
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _mark_interrupted(db: sqlite3.Connection) -> None:
    """Mark attempts whose process is gone as interrupted, unless the file can't be written."""
    running = db.execute("SELECT seq, owner FROM attempts WHERE state = 'running'").fetchall()
    lost_keys = [row["seq"] for row in running if not process_owner.is_alive(row["owner"])]
    if lost_keys:
        # A full disk must not prevent reading.
        with suppress(HistoryError), transaction(db):
            db.executemany(
                "UPDATE attempts SET state = 'interrupted' WHERE state = 'running' AND seq = ?",
                [(seq,) for seq in lost_keys],
            )
