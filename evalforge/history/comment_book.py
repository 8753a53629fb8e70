"""Comments that instructors write to students of a class, and the ones they save for reuse."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

from evalforge.history.class_book import OpenTransaction
from evalforge.model.base import Frozen
from evalforge.model.text import replace_unencodable


class InstructorComment(Frozen):
    """A comment on one submission; it changes no level."""

    number: int
    row_id: str
    text: str
    made_at: datetime


class CommentBook:
    """The stored comments. They belong to a row of a class, so they survive each new judging of it.

    Args:
        db: The store.
        transaction: Opens a transaction.
    """

    def __init__(self, db: sqlite3.Connection, transaction: OpenTransaction) -> None:
        self._db = db
        self._transaction = transaction

    def add(self, label: str, boss_id: str, row_ids: Iterable[str], text: str) -> None:
        """Comment on some rows of a class."""
        values = (replace_unencodable(label), boss_id)
        stored_text, made_at = replace_unencodable(text), datetime.now(UTC).isoformat()
        with self._transaction() as db:
            db.executemany(
                "INSERT INTO class_comments (class, boss_id, row_id, text, made_at) VALUES (?, ?, ?, ?, ?)",
                [(*values, replace_unencodable(row_id), stored_text, made_at) for row_id in row_ids],
            )

    def withdraw(self, label: str, boss_id: str, row_ids: Iterable[str], text: str = "") -> int:
        """Withdraw comments on some rows: those with this text, or all. Returns how many there were."""
        values = (datetime.now(UTC).isoformat(), replace_unencodable(label), boss_id)
        wording = replace_unencodable(text)
        with self._transaction() as db:
            counts = [
                db.execute(
                    """
                    UPDATE class_comments SET withdrawn_at = ?
                    WHERE class = ? AND boss_id = ? AND row_id = ? AND withdrawn_at IS NULL AND ? IN ('', text)
                    """,
                    (*values, replace_unencodable(row_id), wording),
                ).rowcount
                for row_id in row_ids
            ]
        return sum(counts)

    def of_class(self, label: str, boss_id: str) -> dict[str, tuple[InstructorComment, ...]]:
        """The comments of a class that weren't withdrawn, by row, the earliest first."""
        rows = self._db.execute(
            """
            SELECT number, row_id, text, made_at FROM class_comments
            WHERE class = ? AND boss_id = ? AND withdrawn_at IS NULL ORDER BY number
            """,
            (replace_unencodable(label), boss_id),
        )
        comments: dict[str, tuple[InstructorComment, ...]] = {}
        for row in rows:
            comment = InstructorComment.model_validate(dict(row))
            comments[comment.row_id] = (*comments.get(comment.row_id, ()), comment)
        return comments

    def save(self, name: str, text: str) -> None:
        """Save a comment under a name, replacing one with the same name."""
        with self._transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO saved_comments (name, text) VALUES (?, ?)",
                (replace_unencodable(name), replace_unencodable(text)),
            )

    def saved(self) -> dict[str, str]:
        """The saved comments, by name."""
        rows = self._db.execute("SELECT name, text FROM saved_comments ORDER BY name")
        return {row["name"]: row["text"] for row in rows}
