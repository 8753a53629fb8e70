"""The store of attempts: written as *running* before a judging, completed after it."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from evalforge.chronicle.deeds import Deed, Hint
from evalforge.chronicle.receipt import Receipt
from evalforge.history import entering, owner, standing
from evalforge.history.classes import ClassBook, Seat
from evalforge.history.faults import damaged
from evalforge.history.listing import Filter, Listing, Order, one_row
from evalforge.history.overrides import OverrideBook
from evalforge.history.schema import connect
from evalforge.history.standing import Matrix, Standing, Try
from evalforge.history.whole import read, read_receipt
from evalforge.model.attempt import Attempt, AttemptRow, AttemptState
from evalforge.model.cost import Cost
from evalforge.model.errors import HistoryError
from evalforge.model.events import Event
from evalforge.model.evidence import Evidence
from evalforge.model.result import BossEvalResult, JudgeInfo, Judgement
from evalforge.model.submission import LeftOut, Submission


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
        self._seats: dict[str, Seat] = {}
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
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _mark_interrupted(self) -> None:
        """Attempts whose process is gone will never end: say so, unless nothing can be written here."""
        running = self._db.execute("SELECT seq, owner FROM attempts WHERE state = 'running'").fetchall()
        lost = [row["seq"] for row in running if not owner.is_alive(row["owner"])]
        if lost:
            # Whoever only reads has no need to write: a full disk keeps nobody from it.
            with suppress(HistoryError), self._writing() as db:
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
        seat = self._seats.pop(directory, None)
        with self._writing() as db:
            return entering.begin(db, (boss_id, boss_title, rubric_hash), directory, judge, submission, seat)

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
        body = entering.body_of(evidence, judgements, result, left_out, cost or Cost())
        with self._writing() as db:
            entering.finish(db, attempt_id, state, isolation, body, events, ungraded_reason)

    def seat(self, directory: Path, seat: Seat) -> None:
        """Say that the next attempt on a directory is a hand-in of a class, and whose."""
        self._seats[str(directory.absolute())] = seat

    @property
    def classes(self) -> ClassBook:
        """The runs of classes and their rows."""
        return ClassBook(self._db, self._writing)

    @property
    def overrides(self) -> OverrideBook:
        """Levels set by a person."""
        return OverrideBook(self._db, self._writing)

    def delete(self, attempt_id: str) -> None:
        """Delete an attempt, and the contents of its files where no other attempt holds the same.

        What it earned goes too: standings, ranks and achievements are worked out from what is there.

        Raises:
            HistoryError: There is no such attempt, or it is still being judged.
        """
        with self._writing() as db:
            row = db.execute("SELECT seq, state, owner FROM attempts WHERE id = ?", (attempt_id,)).fetchone()
            if row is None:
                raise HistoryError(f"There is no attempt {attempt_id!r}.", "List them with: evalforge attempts")
            if row["state"] == AttemptState.RUNNING and owner.is_alive(row["owner"]):
                raise HistoryError(f"Attempt {attempt_id} is still being judged.", "End the fight first.")
            files = db.execute("SELECT sha256 FROM attempt_files WHERE seq = ?", (row["seq"],)).fetchall()
            db.execute("DELETE FROM attempts WHERE seq = ?", (row["seq"],))
            db.executemany(
                "DELETE FROM contents WHERE sha256 = ?1 AND NOT EXISTS (SELECT * FROM attempt_files WHERE sha256 = ?1)",
                [(file["sha256"],) for file in files],
            )

    def listing(self, wanted: Filter | None = None, order: Order = Order.NEWEST) -> Listing:
        """Attempts to be read page by page; see ``Listing``."""
        return Listing(self._db, wanted, order)

    def page(
        self, wanted: Filter | None = None, before: int | None = None, limit: int = 200, order: Order = Order.NEWEST
    ) -> list[AttemptRow]:
        """One page of attempts. To read several of one search, keep a ``listing``.

        Args:
            wanted: Which ones.
            before: How many to pass over.
            limit: How many at most.
            order: In which order.
        """
        return self.listing(wanted, order).page(before or 0, limit)

    def count(self, wanted: Filter | None = None) -> int:
        """How many attempts there are."""
        return self.listing(wanted).count

    def row(self, attempt_id: str) -> AttemptRow | None:
        """The line of one attempt, by its whole id."""
        return one_row(self._db, attempt_id)

    def get(self, attempt_id: str) -> Attempt:
        """One attempt, whole; the beginning of an id will do if only one has it.

        Raises:
            HistoryError: There is none, or more than one begins so.
        """
        start = attempt_id.lower()
        found = self._db.execute("SELECT id FROM attempts WHERE id >= ? AND id < ? LIMIT 2", (start, f"{start}~"))
        rows = found.fetchall() if attempt_id.isalnum() else []
        if len(rows) != 1:
            problem = "More than one attempt begins with" if rows else "There is no attempt"
            raise HistoryError(f"{problem} {attempt_id!r}.", "List them with: evalforge attempts")
        return read(self._db, rows[0]["id"])

    def previous(self, attempt_id: str) -> Attempt | None:
        """The last judged attempt on the same boss before this one; in a class, of the same hand-in."""
        return self._beside(attempt_id, "<", "DESC")

    def next(self, attempt_id: str) -> Attempt | None:
        """The first judged attempt on the same boss after this one; in a class, of the same hand-in."""
        return self._beside(attempt_id, ">", "ASC")

    def _beside(self, attempt_id: str, side: str, order: str) -> Attempt | None:
        row = self._db.execute(
            f"""
            SELECT other.id FROM attempts AS this JOIN attempts AS other
                ON other.boss_id = this.boss_id AND other.seq {side} this.seq AND other.state = 'judged'
                    AND other.of_class = this.of_class AND (this.of_class = 0 OR other.directory = this.directory)
            WHERE this.id = ? ORDER BY other.seq {order} LIMIT 1
            """,  # noqa: S608 - fixed words
            (attempt_id,),
        ).fetchone()
        return read(self._db, row["id"]) if row else None

    def receipt(self, attempt_id: str) -> Receipt | None:
        """The receipt written when an attempt was judged; None if it wasn't.

        Raises:
            HistoryError: What is stored is no receipt.
        """
        return read_receipt(self._db, attempt_id)

    def check(self) -> None:
        """Read every page of the file, which takes a moment where it is large.

        Raises:
            HistoryError: It is damaged.
        """
        found = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise damaged(f"The history at {self.path}", found)

    def standings(self) -> dict[str, Standing]:
        """How it stands with each boss that was fought, by boss id."""
        return standing.standings(self._db)

    def tries(self, boss_id: str, last: int = 200) -> tuple[Try, ...]:
        """The last judged tries on a boss, oldest first, with integrity and levels."""
        return standing.tries(self._db, boss_id, last)

    def matrix(self, boss_id: str, last: int = 40) -> Matrix:
        """Criteria by tries: the levels of the last judged tries on a boss."""
        return standing.matrix(self._db, boss_id, last)

    def deeds(self) -> list[Deed]:
        """Every judged attempt, oldest first, as ranks and achievements are worked out from them."""
        return standing.deeds(self._db)

    def recent_directories(self, boss_id: str, limit: int = 8) -> list[str]:
        """Directories handed in for a boss, the latest first."""
        rows = self._db.execute(
            "SELECT directory FROM attempts WHERE boss_id = ? AND of_class = 0 "
            "GROUP BY directory ORDER BY max(seq) DESC LIMIT ?",
            (boss_id, limit),
        )
        return [row["directory"] for row in rows]

    def note_hint(self, boss_id: str, criterion_id: str, step: int) -> None:
        """Write down that a hint was read; the first reading counts.

        Args:
            boss_id: Whose hint.
            criterion_id: For which criterion.
            step: Which of its hints, from 1.
        """
        with self._writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO hints_read VALUES (?, ?, ?, ?)", (boss_id, criterion_id, step, entering.now())
            )

    def hints(self) -> list[Hint]:
        """Every hint that was read, the earliest first."""
        rows = self._db.execute("SELECT boss_id, criterion_id, step, read_at FROM hints_read ORDER BY read_at")
        return [Hint(*row) for row in rows]
