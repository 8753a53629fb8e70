"""A map of text keys to bytes, in one file that is only written at its end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from records import HEADER, Kind, Record, encode, slots


class Store:
    """Everything that was written whole is there after the next opening.

    A record whose bytes have changed is passed over, and costs nobody else anything. What is torn off at the
    end is cut away before the next record is written.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the store in a file, or make a new one."""
        self._path = Path(path)
        self._entries: dict[str, bytes] = {}
        self._file = self._opened()

    def _opened(self):
        file = open(self._path, "r+b" if self._path.exists() else "w+b", buffering=0)
        try:
            data = file.read()
            if HEADER.startswith(data):
                file.seek(0)
                file.write(HEADER)
            elif data.startswith(HEADER):
                self._repair(file, data)
            else:
                raise ValueError(f"{self._path} is no store")
        except BaseException:
            file.close()
            raise
        return file

    def _repair(self, file, data: bytes) -> None:
        end = len(HEADER)
        for slot in slots(data):
            end = slot.end
            if slot.record is not None:
                self._apply(slot.record)
        if end < len(data):
            file.truncate(end)
        file.seek(end)

    def _apply(self, record: Record) -> None:
        if record.kind is Kind.PUT:
            self._entries[record.key] = record.value
        else:
            self._entries.pop(record.key, None)

    def _commit(self, record: Record) -> None:
        rest = memoryview(encode(record))
        while rest:
            rest = rest[self._file.write(rest):]
        os.fsync(self._file.fileno())
        self._apply(record)

    def _checked(self, key: Any = "") -> None:
        if self._file.closed:
            raise ValueError("the store is closed")
        if not isinstance(key, str):
            raise TypeError(f"a key is a str, not {key!r}")

    def put(self, key: str, value: bytes) -> None:
        """Store a value under a key."""
        self._checked(key)
        if not isinstance(value, bytes):
            raise TypeError(f"a value is bytes, not {type(value).__name__}")
        self._commit(Record(Kind.PUT, key, value))

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        self._checked(key)
        return self._entries.get(key, default)

    def delete(self, key: str) -> bool:
        """Remove a key; whether it was there."""
        self._checked(key)
        if key not in self._entries:
            return False
        self._commit(Record(Kind.DELETE, key))
        return True

    def __contains__(self, key: str) -> bool:
        """Whether there is such a key."""
        self._checked(key)
        return key in self._entries

    def __len__(self) -> int:
        """How many keys there are."""
        self._checked()
        return len(self._entries)

    def keys(self) -> list[str]:
        """All keys, sorted."""
        self._checked()
        return sorted(self._entries)

    def items(self) -> list[tuple[str, bytes]]:
        """All keys with their values, sorted by key."""
        self._checked()
        return [(key, self._entries[key]) for key in self.keys()]

    def compact(self) -> None:
        """Copy what still holds to a new file, and put that in the place of the old one."""
        self._checked()
        fair = self._path.with_name(self._path.name + ".fair")
        with open(fair, "wb") as copy:
            copy.write(HEADER)
            for key, value in self.items():
                copy.write(encode(Record(Kind.PUT, key, value)))
            copy.flush()
            os.fsync(copy.fileno())
        try:
            os.replace(fair, self._path)
        except OSError:
            fair.unlink()
            raise
        self._file.close()
        self._file = open(self._path, "ab", buffering=0)

    def close(self) -> None:
        """End the work with the file."""
        self._file.close()

    def __enter__(self) -> Store:
        """The store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()
