"""The journal of a run: a line of JSON for each event, on disk before anything depends on it.

``{"rubric": "9f2c", "at": "...", "type": "asked", "call": "i00001-", "keys": ["7"], "reserved": 0.012}``

An unfinished line, left by a killed process, is removed when the journal is opened again.
"""

import asyncio
import fcntl
import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError

from evalforge.llm.budget import Usage
from evalforge.model.base import Frozen
from evalforge.model.errors import EvalForgeError
from evalforge.packs.private_files import open_private_file


class JournalError(EvalForgeError):
    """A journal that can't be written, is damaged, or is in use by another process."""


class _Record(Frozen):
    """The fields of every line: when it was written, the rubric's hash and the judge, empty for a run's first."""

    rubric: str = ""
    judge: str = ""
    at: str = Field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))


class JudgeStarted(_Record):
    """A judge of a ladder starts with the items that the one before left open: they stay its own when resumed."""

    type: Literal["started"] = "started"
    keys: tuple[str, ...]


class CallAsked(_Record):
    """A call goes out. ``reserved``, the most it can cost in dollars, counts as spent until the outcome is known."""

    type: Literal["asked"] = "asked"
    call: str
    keys: tuple[str, ...]
    reserved: float


class CallAnswered(_Record):
    """A reply arrived. Scores are parsed from its text whenever the journal is read."""

    type: Literal["answered"] = "answered"
    call: str
    text: str
    usd: float
    usage: Usage
    model: str = ""
    reply_id: str = ""


class CallUnusable(_Record):
    """The server answered without a reply: refused, cut off, too long. Asking the same again won't help."""

    type: Literal["unusable"] = "unusable"
    call: str
    reason: str
    usd: float


class CallFailed(_Record):
    """A call had no answer and may be made again."""

    type: Literal["failed"] = "failed"
    call: str
    reason: str
    usd: float


class BatchAnnounced(_Record):
    """A message batch is about to be created. ``newest`` is the id of the newest one the server had before."""

    type: Literal["announced"] = "announced"
    calls: tuple[str, ...]
    newest: str


class BatchCreated(_Record):
    """A message batch exists at the server."""

    type: Literal["created"] = "created"
    batch: str
    calls: tuple[str, ...]


class BatchCollected(_Record):
    """All results of a message batch are in this journal. An empty ``batch``: the announced one was never created."""

    type: Literal["collected"] = "collected"
    batch: str


JournalRecord = Annotated[
    JudgeStarted
    | CallAsked
    | CallAnswered
    | CallUnusable
    | CallFailed
    | BatchAnnounced
    | BatchCreated
    | BatchCollected,
    Field(discriminator="type"),
]
_BLOCK_BYTES = 65_536
_RECORDS: TypeAdapter[JournalRecord] = TypeAdapter(JournalRecord)


def read_journal(path: Path) -> Iterator[JournalRecord]:
    """Yield the lines of a journal, in order; none if there is no file. An unfinished last line is skipped.

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
                    raise JournalError(f"{path}:{number}: this line is damaged.", "Start over with --fresh.") from None
    except FileNotFoundError:
        return


class Journal:
    """A journal open for writing. Use it as a context manager; only one process can have it open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._written = 0
        self._synced = 0
        self._syncing: asyncio.Future[None] | None = None
        self._sync_lock = threading.Lock()
        """Held while the file is synced: closing it meanwhile would leave it locked until the sync ends."""

    def __enter__(self) -> Self:
        self._file = open_locked(self._path, self._path, os.O_RDWR | os.O_APPEND)
        os.ftruncate(self._file, _end_of_last_line(self._file))
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._to_disk()
        finally:
            with self._sync_lock:
                os.close(self._file)
                self._file = -1

    def write(self, record: JournalRecord) -> None:
        """Append a line. It survives this process at once, and a crash of the machine after ``wait_until_synced``.

        Raises:
            JournalError: The file can't be written.
        """
        line = record.model_dump_json().encode("utf-8", "replace") + b"\n"
        try:
            written_bytes = os.write(self._file, line)
            while written_bytes < len(line):
                written_bytes += os.write(self._file, line[written_bytes:])
        except OSError as error:
            raise self._write_error(error) from None
        self._written += 1

    async def wait_until_synced(self) -> None:
        """Wait until everything written is on the disk. All waiting callers share one sync."""
        last_line = self._written
        while self._synced < last_line:
            if self._syncing is None:
                self._syncing = asyncio.ensure_future(self._sync())
            await asyncio.shield(self._syncing)

    async def _sync(self) -> None:
        synced_lines = self._written
        try:
            await asyncio.to_thread(self._to_disk)
            self._synced = synced_lines
        finally:
            self._syncing = None

    def _to_disk(self) -> None:
        with self._sync_lock:
            # A sync whose waiters were cancelled may run after the file was closed, which has synced everything.
            if self._file < 0:
                return
            try:
                os.fsync(self._file)
            except OSError as error:
                raise self._write_error(error) from None

    def _write_error(self, error: OSError) -> JournalError:
        return JournalError(f"{self._path} can't be written ({error.strerror}).", "Is the disk full?")


def open_locked(path: Path, name: Path, flags: int = os.O_RDWR) -> int:
    """Open a file that no other process may open in this way until it is closed or this process ends.

    Raises:
        JournalError: Another process has it open; the message calls it ``name``.
    """
    file = open_private_file(path, flags)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise JournalError(f"{name} is in use: this evaluation is being run elsewhere.") from None
    return file


def _end_of_last_line(file: int) -> int:
    """Return the offset after the last complete line."""
    end = os.fstat(file).st_size
    while end:
        begin = max(0, end - _BLOCK_BYTES)
        newline = os.pread(file, end - begin, begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0
