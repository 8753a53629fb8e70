"""A map of text keys to bytes, in one file that is only ever written at its end."""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple, Self

HEADER = b"torn page 1\n"
_CHECKSUM = struct.Struct("<I")
_LENGTHS = struct.Struct("<cII")
_PUT, _DELETE = b"P", b"D"


class Record(NamedTuple):
    """One change: a value for a key, or None where the key was deleted."""

    key: str
    value: bytes | None


def encode(record: Record) -> bytes:
    """The bytes of a record: checksum, kind, both lengths, key, value. The checksum is over all that follows it.

    Raises:
        UnicodeEncodeError: The key can't be written as UTF-8.
    """
    key = record.key.encode()
    value = record.value or b""
    kind = _DELETE if record.value is None else _PUT
    body = _LENGTHS.pack(kind, len(key), len(value)) + key + value
    return _CHECKSUM.pack(zlib.crc32(body)) + body


def decode(content: bytes, start: int) -> Iterator[tuple[Record, int]]:
    """Each record from an offset on, with the offset behind it, up to the first that is not whole and sound."""
    while start + _CHECKSUM.size + _LENGTHS.size <= len(content):
        (checksum,) = _CHECKSUM.unpack_from(content, start)
        body = start + _CHECKSUM.size
        kind, key_length, value_length = _LENGTHS.unpack_from(content, body)
        key_at = body + _LENGTHS.size
        value_at = key_at + key_length
        end = value_at + value_length
        if end > len(content) or zlib.crc32(memoryview(content)[body:end]) != checksum:
            return
        value = None if kind == _DELETE else content[value_at:end]
        yield Record(content[key_at:value_at].decode(), value), end
        start = end


class Store:
    """Keys and values in one append-only file that may be cut off at any byte.

    What lives is held in a dict; the file tells how it came about, and is read once, on opening.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the store in a file, or make a new one.

        Raises:
            ValueError: The file is something else than a store; it is left as it is.
            OSError: The file can't be opened.
        """
        self._path = os.fspath(path)
        self._entries: dict[str, bytes] = {}
        self._file = _opened(self._path)
        try:
            self._end = self._load()
        except BaseException:
            self._file.close()
            raise

    def put(self, key: str, value: bytes) -> None:
        """Store a value under a key; it is in the file when this returns."""
        _check_key(key)
        if not isinstance(value, bytes):
            raise TypeError(f"a value is bytes, not {type(value).__name__}")
        self._append(encode(Record(key, value)))
        self._entries[key] = value

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        _check_key(key)
        return self._living().get(key, default)

    def delete(self, key: str) -> bool:
        """Remove a key; whether it was there."""
        if key not in self:
            return False
        self._append(encode(Record(key, None)))
        del self._entries[key]
        return True

    def keys(self) -> list[str]:
        """All keys, sorted."""
        return sorted(self._living())

    def items(self) -> list[tuple[str, bytes]]:
        """All keys with their values, sorted by key."""
        return sorted(self._living().items())

    def compact(self) -> None:
        """Replace the file by one that holds the present entries and nothing else.

        Raises:
            OSError: The new file could not be written or put in place; the store goes on with the old one.
        """
        entries = self._living()
        temporary = self._path + ".new"
        try:
            _write_whole(temporary, (Record(key, value) for key, value in entries.items()))
            self._swap(temporary)
        except OSError:
            with suppress(FileNotFoundError):
                os.remove(temporary)
            raise

    def close(self) -> None:
        """End the work with the file; closing twice is fine."""
        self._file.close()

    def __contains__(self, key: str) -> bool:
        """Whether a key is there."""
        _check_key(key)
        return key in self._living()

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self._living())

    def __enter__(self) -> Self:
        """The store itself."""
        self._living()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, and let an exception pass."""
        self.close()

    def _living(self) -> dict[str, bytes]:
        if self._file.closed:
            raise ValueError("the store is closed")
        return self._entries

    def _load(self) -> int:
        """Read all sound records, cut off what follows them, and tell where the next one goes."""
        content = self._file.read()
        if not content.startswith(HEADER):
            if not HEADER.startswith(content):
                raise ValueError(f"{self._path} is no store")
            self._file.seek(0)
            self._file.write(HEADER)
            self._file.flush()
            return len(HEADER)
        end = len(HEADER)
        for record, end in decode(content, end):
            if record.value is None:
                self._entries.pop(record.key, None)
            else:
                self._entries[record.key] = record.value
        if end < len(content):
            self._file.truncate(end)
        return end

    def _append(self, encoded: bytes) -> None:
        """Write behind the last whole record, so that one which failed halfway is written over."""
        self._living()
        self._file.seek(self._end)
        self._file.write(encoded)
        self._file.flush()
        self._end += len(encoded)

    def _swap(self, temporary: str) -> None:
        """Put a finished file in the place of ours; not every system replaces a file that is open."""
        self._file.close()
        try:
            os.replace(temporary, self._path)
        finally:
            self._file = _opened(self._path)
            self._end = self._file.seek(0, os.SEEK_END)


def _opened(path: str) -> Any:
    try:
        return open(path, "r+b")
    except FileNotFoundError:
        return open(path, "x+b")


def _write_whole(path: str, records: Iterable[Record]) -> None:
    """Write a store in one go, and see it on the disk."""
    with open(path, "wb") as file:
        file.write(HEADER)
        for record in records:
            file.write(encode(record))
        file.flush()
        os.fsync(file.fileno())


def _check_key(key: Any) -> None:
    if not isinstance(key, str):
        raise TypeError(f"a key is a str, not {type(key).__name__}")
