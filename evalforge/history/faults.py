"""A connection that says in our words what is wrong with the file: damaged, held, full, or not ours to write."""

import sqlite3
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from evalforge.model.errors import HistoryError

_ELSEWHERE = "set EVALFORGE_HOME to another folder."
_NEW = f"Move the file away to begin a new one, or {_ELSEWHERE}"
_PLACE = f"See that there is room on the disk and that you may write there, or {_ELSEWHERE}"
_BUSY = "Another EvalForge is writing; try again in a moment."
_SAID = {
    sqlite3.SQLITE_BUSY: ("can't be written", _BUSY),
    sqlite3.SQLITE_LOCKED: ("can't be written", _BUSY),
    sqlite3.SQLITE_FULL: ("can't be written", _PLACE),
    sqlite3.SQLITE_READONLY: ("can't be written", _PLACE),
    sqlite3.SQLITE_PERM: ("can't be opened", _PLACE),
    sqlite3.SQLITE_CANTOPEN: ("can't be opened", _PLACE),
    sqlite3.SQLITE_IOERR: ("can't be read or written", _PLACE),
    sqlite3.SQLITE_NOTADB: ("can't be opened", _NEW),
    sqlite3.SQLITE_ERROR: ("is damaged, or another program's", _NEW),
}
_PRIMARY = 0xFF
"""The last byte of SQLite's codes says what is wrong; the rest refines it."""

BAD_VALUES = (ValueError, TypeError, KeyError, AttributeError, zlib.error)
"""What making something of stored values raises where they are no such thing."""


def told(path: Path, error: sqlite3.Error) -> HistoryError:
    """A fault of the database, in our words."""
    # A fault found by Python's own half of the module, as text that is no text, has no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & _PRIMARY
    what, advice = _SAID.get(code, ("is damaged", _NEW))
    reason = str(error).partition("\n")[0]
    return HistoryError(f"The history at {path} {what} ({reason}).", advice)


def unreachable(path: Path, error: OSError) -> HistoryError:
    """The folder of the database can't be made."""
    return HistoryError(f"The history at {path} can't be opened ({error.strerror}).", _PLACE)


def damaged(what: str, why: Exception | str) -> HistoryError:
    """Something stored is not what it should be: a disk's fault, or somebody's hand."""
    reason = " ".join(str(why).splitlines()[:1])
    return HistoryError(f"{what} is damaged and can't be read ({reason}).")


@contextmanager
def decoding(what: str) -> Generator[None]:
    """Turn what stored values are made into, where they are no such thing, into words.

    Args:
        what: What is decoded, as the beginning of a sentence.
    """
    try:
        yield
    except BAD_VALUES as error:
        raise damaged(what, error) from None


class Cursor(sqlite3.Cursor):
    """A cursor whose faults are told in words, whenever they come to light: SQLite reads as it is asked for rows."""

    def execute(self, sql: str, parameters: Any = ()) -> Self:
        """Run one statement."""
        with self._telling():
            return super().execute(sql, parameters)

    def executemany(self, sql: str, seq_of_parameters: Iterable[Any]) -> Self:
        """Run one statement for each of many."""
        with self._telling():
            return super().executemany(sql, seq_of_parameters)

    def fetchone(self) -> Any:
        """The next row, or None."""
        with self._telling():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        with self._telling():
            return super().fetchall()

    def __iter__(self) -> Iterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """All rows that are left; at once, because a guard around every single one costs more than the rows."""
        return iter(self.fetchall())

    @contextmanager
    def _telling(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            assert isinstance(self.connection, Connection)
            raise told(self.connection.path, error) from None


class Connection(sqlite3.Connection):
    """A connection whose every fault is a ``HistoryError``."""

    path: Path

    def cursor(self, factory: Any = Cursor) -> Any:
        """A cursor that tells faults in words."""
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Run one statement."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Cursor:
        """Run one statement for each of many."""
        return self.cursor().executemany(sql, parameters)
