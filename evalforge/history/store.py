"""The store of attempts: each is written as *running* before its judging and completed afterwards."""

import sqlite3
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from evalforge.history import process_owner, writer
from evalforge.history.boss_progress import ProgressReader
from evalforge.history.class_book import ClassBook, ClassSlot, OpenTransaction
from evalforge.history.database import open_database, transaction
from evalforge.history.db_errors import damage_error
from evalforge.history.listing import AttemptFilter, Listing, Order, find_attempt_row
from evalforge.history.overrides import OverrideBook
from evalforge.history.reader import read_attempt, read_receipt
from evalforge.history.schema import VERSION
from evalforge.history.tally_store import TallyStore
from evalforge.model.attempt import Attempt, AttemptRow, AttemptState
from evalforge.model.base import Frozen
from evalforge.model.errors import HistoryError
from evalforge.model.fight_record import FightRecord
from evalforge.model.result import JudgeInfo
from evalforge.model.strike_call import StrikeCall
from evalforge.model.submission import Submission
from evalforge.model.text import replace_unencodable
from evalforge.model.voice import Voice
from evalforge.progress.records import Hint
from evalforge.reports.receipt import Receipt

# Comments that instructors write to students of a class, and the ones they save for reuse.


class InstructorComment(Frozen):
    """A comment on one submission; it changes no level."""

    number: int
    row_id: str
    text: str
    made_at: datetime


class CommentBook:
    """The stored comments. They belong to a row of a class, so they survive each new judging of it."""

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


class History:
    """Attempts in one SQLite file, and everything computed from them. For use from one thread.

    Args:
        path: The database; it and its folder are created if they are missing.

    Attributes:
        progress: The player's progress, boss by boss.
        tallies: The player's attempts, counted for rank and achievements.
        classes: Runs of classes and their rows.
        overrides: Levels set by a person.
        comments: What instructors wrote to students.

    Raises:
        HistoryError: The database can't be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = open_database(path)
        self._class_slots: dict[str, ClassSlot] = {}
        self.progress = ProgressReader(self._db)
        self.tallies = TallyStore(self._db, self._transaction)
        self.classes = ClassBook(self._db, self._transaction)
        self.overrides = OverrideBook(self._db, self._transaction)
        self.comments = CommentBook(self._db, self._transaction)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection to the database."""
        self._db.close()

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        return transaction(self._db)

    def begin(
        self,
        boss_id: str,
        boss_title: str,
        rubric_hash: str,
        directory: str,
        judge: JudgeInfo,
        submission: Submission,
        agent: str = "",
    ) -> str:
        """Record that a judging has begun; ``agent`` names the program that submits, and is empty for a person.

        Returns:
            The attempt's id.
        """
        started = writer.StartedAttempt(boss_id, boss_title, rubric_hash, directory, judge, agent)
        class_slot = self._class_slots.pop(directory, None)
        with self._transaction() as db:
            return writer.begin_attempt(db, started, submission, class_slot)

    def finish(self, attempt_id: str, record: FightRecord) -> None:
        """Complete an attempt with what its fight yielded; an attempt that isn't running is left unchanged."""
        body = writer.body_of(record)
        with self._transaction() as db:
            writer.finish_attempt(db, attempt_id, record, body)

    def assign_class_slot(self, directory: Path, class_slot: ClassSlot) -> None:
        """Assign the next attempt on a directory to a submission of a class."""
        self._class_slots[str(directory.absolute())] = class_slot

    def delete(self, attempt_id: str) -> None:
        """Delete an attempt, and the contents of its files that no other attempt shares.

        What it earned is lost too: progress, ranks and achievements are computed from the stored attempts.

        Raises:
            HistoryError: There is no such attempt, or it is still being judged.
        """
        with self._transaction() as db:
            row = db.execute("SELECT seq, state, owner FROM attempts WHERE id = ?", (attempt_id,)).fetchone()
            if row is None:
                raise HistoryError(f"There is no attempt {attempt_id!r}.", "List them with: evalforge attempts")
            if row["state"] == AttemptState.RUNNING and process_owner.is_alive(row["owner"]):
                raise HistoryError(f"Attempt {attempt_id} is still being judged.", "Stop the fight first.")
            files = db.execute("SELECT sha256 FROM attempt_files WHERE seq = ?", (row["seq"],)).fetchall()
            db.execute("DELETE FROM attempts WHERE seq = ?", (row["seq"],))
            db.executemany(
                "DELETE FROM contents WHERE sha256 = ?"
                " AND NOT EXISTS (SELECT * FROM attempt_files WHERE attempt_files.sha256 = contents.sha256)",
                [(file["sha256"],) for file in files],
            )

    def listing(self, attempt_filter: AttemptFilter | None = None, order: Order = Order.NEWEST) -> Listing:
        """List attempts page by page; see ``Listing``."""
        return Listing(self._db, attempt_filter, order)

    def page(
        self, attempt_filter: AttemptFilter | None = None, start: int = 0, limit: int = 200, order: Order = Order.NEWEST
    ) -> list[AttemptRow]:
        """One page of attempts. To read several pages of one search, keep a ``listing``.

        Args:
            attempt_filter: Which attempts.
            start: The position of the first one in the list, from 0.
            limit: The length of the page at most.
            order: Their order.
        """
        return self.listing(attempt_filter, order).page(start, limit)

    def count(self, attempt_filter: AttemptFilter | None = None) -> int:
        """Count the attempts that pass a filter."""
        return self.listing(attempt_filter).count

    def row(self, attempt_id: str) -> AttemptRow | None:
        """An attempt's line in a list, by its full id; None if there is no such attempt."""
        return find_attempt_row(self._db, attempt_id)

    def get(self, attempt_id: str) -> Attempt:
        """One attempt with everything stored about it, by its id or a unique prefix of it.

        Raises:
            HistoryError: No id, or more than one, starts with this prefix.
        """
        prefix = attempt_id.lower()
        matches = self._db.execute("SELECT id FROM attempts WHERE id >= ? AND id < ? LIMIT 2", (prefix, f"{prefix}~"))
        rows = matches.fetchall() if attempt_id.isalnum() else []
        if len(rows) != 1:
            problem = "More than one attempt begins with" if rows else "There is no attempt"
            raise HistoryError(f"{problem} {attempt_id!r}.", "List them with: evalforge attempts")
        return read_attempt(self._db, rows[0]["id"])

    def previous(self, attempt_id: str) -> Attempt | None:
        """The previous judged attempt on the same boss; for a class or an agent, on the same folder."""
        return self._judged_neighbour(attempt_id, "<", "DESC")

    def latest(self, boss_id: str) -> Attempt | None:
        """The player's last judged attempt on a boss, if there is one."""
        row = self._db.execute(
            """
            SELECT id FROM attempts WHERE boss_id = ? AND state = 'judged' AND of_class = 0 AND agent = ''
            ORDER BY seq DESC LIMIT 1
            """,
            (boss_id,),
        ).fetchone()
        return read_attempt(self._db, row["id"]) if row else None

    def next(self, attempt_id: str) -> Attempt | None:
        """The next judged attempt on the same boss; for a class or an agent, on the same folder."""
        return self._judged_neighbour(attempt_id, ">", "ASC")

    def _judged_neighbour(self, attempt_id: str, comparison: str, order: str) -> Attempt | None:
        row = self._db.execute(
            f"""
            SELECT other.id FROM attempts AS this JOIN attempts AS other
                ON other.boss_id = this.boss_id AND other.seq {comparison} this.seq AND other.state = 'judged'
                    AND other.of_class = this.of_class AND other.agent = this.agent
                    AND ((this.of_class = 0 AND this.agent = '') OR other.directory = this.directory)
            WHERE this.id = ? ORDER BY other.seq {order} LIMIT 1
            """,  # noqa: S608 - fixed words
            (attempt_id,),
        ).fetchone()
        return read_attempt(self._db, row["id"]) if row else None

    def receipt(self, attempt_id: str) -> Receipt | None:
        """The receipt written when an attempt was judged; None if it wasn't.

        Raises:
            HistoryError: The receipt is damaged.
        """
        return read_receipt(self._db, attempt_id)

    def check(self) -> None:
        """Read every page of the file to check that it is sound; a large file takes a moment.

        Raises:
            HistoryError: It is damaged.
        """
        report = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if report != "ok":
            raise damage_error(f"The history at {self.path}", report)

    def check_writable(self) -> None:
        """Check that attempts can be written.

        Raises:
            HistoryError: They can't.
        """
        with self._transaction() as db:
            db.execute(f"PRAGMA user_version = {VERSION}")  # an empty transaction would write nothing

    def recent_directories(self, boss_id: str, limit: int = 8) -> list[str]:
        """Directories that were made for a boss or that the player submitted for it, the latest first."""
        rows = self._db.execute(
            "SELECT directory FROM ("
            "SELECT directory, seq AS at, 0 AS number FROM attempts WHERE boss_id = ? AND of_class = 0 AND agent = '' "
            "UNION ALL SELECT directory, after_seq + 0.5, number FROM starters WHERE boss_id = ?"
            ") GROUP BY directory ORDER BY max(at) DESC, max(number) DESC LIMIT ?",
            (boss_id, boss_id, limit),
        )
        return [row["directory"] for row in rows]

    def record_starter(self, boss_id: str, directory: Path) -> None:
        """Record that a folder was made for a boss, so that it is offered before it was ever judged."""
        with self._transaction() as db:
            db.execute(
                "INSERT INTO starters (boss_id, directory, after_seq) SELECT ?, ?, coalesce(max(seq), 0) FROM attempts",
                (boss_id, replace_unencodable(str(directory.absolute()))),
            )

    def record_call(self, attempt_id: str, call: StrikeCall) -> None:
        """Record what the player expected of an attempt, and whether it came true."""
        with self._transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO calls SELECT seq, ?, ? FROM attempts WHERE id = ?",
                (call.criterion_id, call.is_right, attempt_id),
            )

    def call(self, attempt_id: str) -> StrikeCall | None:
        """What the player expected of an attempt; None if nothing."""
        row = self._db.execute(
            "SELECT criterion_id, is_right FROM calls JOIN attempts USING (seq) WHERE id = ?", (attempt_id,)
        ).fetchone()
        return StrikeCall(row["criterion_id"], bool(row["is_right"])) if row else None

    def count_calls(self) -> tuple[int, int]:
        """How many of the player's calls came true, and how many there were."""
        row = self._db.execute("SELECT coalesce(sum(is_right), 0) AS hits, count(*) AS count FROM calls").fetchone()
        return row["hits"], row["count"]

    def record_hint(self, boss_id: str, criterion_id: str, step: int) -> None:
        """Record that a hint was read; only the first reading is kept.

        Args:
            boss_id: The boss.
            criterion_id: The criterion the hint is for.
            step: The number of the hint among the criterion's, from 1.
        """
        with self._transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO hints_read VALUES (?, ?, ?, ?)",
                (boss_id, criterion_id, step, writer.current_timestamp()),
            )

    def hints_read(self) -> list[Hint]:
        """Every hint that was read, the earliest first."""
        rows = self._db.execute("SELECT boss_id, criterion_id, step, read_at FROM hints_read ORDER BY read_at")
        return [Hint(*row) for row in rows]


def read_voice(path: Path, boss_id: str) -> Voice:
    """The boss's voice in the player's next attempt; as in the first one if the database is missing or unreadable."""
    if path.is_file():
        with suppress(HistoryError), History(path) as history:
            return history.progress.voice(boss_id) or Voice(boss_id)
    return Voice(boss_id)
