"""The log of a run: one line for each thing that happened, on disk before anything else follows from it.

A line that a killed process left unfinished is cut off when the log is opened again.
"""

import asyncio
import fcntl
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError

from evalforge.judges.money import Usage
from evalforge.model.base import Frozen
from evalforge.model.errors import EvalForgeError


class JournalError(EvalForgeError):
    """A log that can't be written, or is in use by another process."""


class _Record(Frozen):
    """What every line holds: when it was written, and the hash of the rubric in force."""

    rubric: str
    at: str = Field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))


class Asked(_Record):
    """A call goes out. ``reserved`` is the most it can cost; it counts as spent until its end is known."""

    type: Literal["asked"] = "asked"
    call: str
    keys: tuple[str, ...]
    reserved: float


class Answered(_Record):
    """A reply came. Everything about scores is read from its text."""

    type: Literal["answered"] = "answered"
    call: str
    text: str
    usd: float
    usage: Usage
    model: str = ""
    reply_id: str = ""


class Unusable(_Record):
    """The server had its say, and it is no reply: refused, cut off, too long. Asking the same again won't help."""

    type: Literal["unusable"] = "unusable"
    call: str
    reason: str
    usd: float


class Failed(_Record):
    """A call came to nothing and may be made again."""

    type: Literal["failed"] = "failed"
    call: str
    reason: str
    usd: float


class Announced(_Record):
    """A message batch is about to be created. ``newest`` is the newest one the server had before."""

    type: Literal["announced"] = "announced"
    calls: tuple[str, ...]
    newest: str


class Created(_Record):
    """A message batch exists at the server."""

    type: Literal["created"] = "created"
    batch: str
    calls: tuple[str, ...]


class Collected(_Record):
    """All results of a message batch are in this log; without a name: the announced one never came to be."""

    type: Literal["collected"] = "collected"
    batch: str


Record = Annotated[Asked | Answered | Unusable | Failed | Announced | Created | Collected, Field(discriminator="type")]
_RECORDS: TypeAdapter[Record] = TypeAdapter(Record)


def read_journal(path: Path) -> Iterator[Record]:
    """What a log says, in order; nothing if there is none. The end of a killed process's last line is passed over.

    Raises:
        JournalError: A line in the middle is damaged.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield _RECORDS.validate_json(line)
                except ValidationError:
                    raise JournalError(f"{path}:{number}: this line is damaged.", "Begin anew with --fresh.") from None
    except FileNotFoundError:
        return


class Journal:
    """A log that is written to. Use as a context manager; only one process can.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._written = 0
        self._synced = 0
        self._syncing: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            lock(self._file, self._path)
            os.ftruncate(self._file, _whole_lines(self._file))
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._to_disk()
        finally:
            os.close(self._file)

    def write(self, record: Record) -> None:
        """Add a line. It outlives this process at once, and the machine after ``settle``.

        Raises:
            JournalError: The disk doesn't take it.
        """
        line = record.model_dump_json().encode("utf-8", "replace") + b"\n"
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            raise self._unwritten(error) from None
        self._written += 1

    async def settle(self) -> None:
        """Wait until all that was written is on the disk. Many who wait share one sync.

        Raises:
            JournalError: The disk doesn't take it.
        """
        wanted = self._written
        while self._synced < wanted:
            if self._syncing is None:
                self._syncing = asyncio.ensure_future(self._sync())
            await asyncio.shield(self._syncing)

    async def _sync(self) -> None:
        reached = self._written
        try:
            await asyncio.to_thread(self._to_disk)
            self._synced = reached
        finally:
            self._syncing = None

    def _to_disk(self) -> None:
        try:
            os.fsync(self._file)
        except OSError as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> JournalError:
        return JournalError(f"{self._path} can't be written ({error.strerror}).", "Is the disk full?")


def lock(file: int, path: Path) -> None:
    """Keep other processes out, until the file is closed or this process is gone.

    Raises:
        JournalError: Another one is in.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalError(f"{path} is in use: this evaluation is being run elsewhere.") from None


def _whole_lines(file: int) -> int:
    """Where the last whole line ends."""
    end = os.fstat(file).st_size
    while end:
        begin = max(0, end - 65_536)
        at = os.pread(file, end - begin, begin).rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end = begin
    return 0
