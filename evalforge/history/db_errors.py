"""A connection that reports every fault of the file as a ``HistoryError``: damaged, locked, full or read-only."""

import sqlite3
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from evalforge.model.errors import HistoryError

_USE_ANOTHER_HOME = "set EVALFORGE_HOME to another folder."
_ADVISE_NEW_FILE = f"Move the file away to start a new one, or {_USE_ANOTHER_HOME}"
_ADVISE_DISK_CHECK = f"Check free space and write permission; or judge with --no-save, or {_USE_ANOTHER_HOME}"
_ADVISE_RETRY = "Another EvalForge is writing; try again in a moment."
_MESSAGES = {
    sqlite3.SQLITE_BUSY: ("can't be written", _ADVISE_RETRY),
    sqlite3.SQLITE_LOCKED: ("can't be written", _ADVISE_RETRY),
    sqlite3.SQLITE_FULL: ("can't be written", _ADVISE_DISK_CHECK),
    sqlite3.SQLITE_READONLY: ("can't be written", _ADVISE_DISK_CHECK),
    sqlite3.SQLITE_PERM: ("can't be opened", _ADVISE_DISK_CHECK),
    sqlite3.SQLITE_CANTOPEN: ("can't be opened", _ADVISE_DISK_CHECK),
    sqlite3.SQLITE_IOERR: ("can't be read or written", _ADVISE_DISK_CHECK),
    sqlite3.SQLITE_NOTADB: ("can't be opened", _ADVISE_NEW_FILE),
    sqlite3.SQLITE_ERROR: ("is damaged or belongs to another program", _ADVISE_NEW_FILE),
}
_PRIMARY_CODE_MASK = 0xFF
"""The last byte of an extended code is its primary code: SQLITE_IOERR_READ (266) & 0xFF is SQLITE_IOERR (10)."""

BAD_VALUES = (ValueError, TypeError, KeyError, AttributeError, zlib.error)
"""The exceptions that decoding a damaged value raises."""


def history_error(path: Path, error: sqlite3.Error) -> HistoryError:
    """Return an error that says what is wrong with the database, and what to do."""
    # An error raised by Python's sqlite3 module itself, such as for text that isn't UTF-8, has no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & _PRIMARY_CODE_MASK
    problem, advice = _MESSAGES.get(code, ("is damaged", _ADVISE_NEW_FILE))
    reason = str(error).partition("\n")[0]
    return HistoryError(f"The history at {path} {problem} ({reason}).", advice)


def folder_error(path: Path, error: OSError) -> HistoryError:
    """Return an error that says why the database's folder can't be created."""
    return HistoryError(f"The history at {path} can't be opened ({error.strerror}).", _ADVISE_DISK_CHECK)


def damage_error(subject: str, cause: Exception | str) -> HistoryError:
    """Return an error that says a stored value is damaged: by a disk fault or an edit by hand."""
    reason = " ".join(str(cause).splitlines()[:1])
    return HistoryError(f"{subject} is damaged and can't be read ({reason}).")


@contextmanager
def decoding(subject: str) -> Generator[None]:
    """Report values that turn out damaged while stored data is decoded.

    Args:
        subject: What is decoded, as the beginning of a sentence: "Attempt 7kq2".

    Raises:
        HistoryError: A value is damaged.
    """
    try:
        yield
    except BAD_VALUES as error:
        raise damage_error(subject, error) from None


class Cursor(sqlite3.Cursor):
    """A cursor that raises ``HistoryError``, also while rows are fetched: SQLite reads rows only on demand."""

    def execute(self, sql: str, parameters: Any = ()) -> Self:
        """Run one SQL statement."""
        with self._translating_errors():
            return super().execute(sql, parameters)

    def executemany(self, sql: str, seq_of_parameters: Iterable[Any]) -> Self:
        """Run one statement once per set of parameters."""
        with self._translating_errors():
            return super().executemany(sql, seq_of_parameters)

    def fetchone(self) -> Any:
        """The next row, or None."""
        with self._translating_errors():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        """All remaining rows."""
        with self._translating_errors():
            return super().fetchall()

    def __iter__(self) -> Iterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Iterate over all remaining rows, fetched at once: guarding each row costs more than the rows."""
        return iter(self.fetchall())

    @contextmanager
    def _translating_errors(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            assert isinstance(self.connection, Connection)
            raise history_error(self.connection.path, error) from None


class Connection(sqlite3.Connection):
    """A connection that reports every fault as a ``HistoryError``."""

    path: Path

    def cursor(self, factory: Any = Cursor) -> Any:
        """A cursor that raises ``HistoryError``."""
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Run one SQL statement."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Cursor:
        """Run one statement once per set of parameters."""
        return self.cursor().executemany(sql, parameters)
