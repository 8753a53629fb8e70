"""The store as others see it."""

from __future__ import annotations

from pathlib import Path

from tornpage.catalogue import Catalogue
from tornpage.codec import BinaryCodec, Codec
from tornpage.journal import FileJournal, Journal
from tornpage.records import Kind, Record


class Store:
    """Text keys and their bytes, in one file."""

    def __init__(self, path: str | Path, codec: Codec | None = None) -> None:
        """Open the store in a file; if there is none, make a new one."""
        self._journal: Journal = FileJournal(path, codec or BinaryCodec())
        self._catalogue = Catalogue(self._journal.replay())
        self._closed = False

    def put(self, key: str, value: bytes) -> None:
        """Store a value under a key, in place of an earlier one."""
        self._require_open()
        self._require(key, str)
        self._require(value, bytes)
        self._commit(Record(Kind.ENTRY, key, value))

    def get(self, key: str, default: object = None) -> object:
        """The value of the key, or the default."""
        self._require_open()
        self._require(key, str)
        return self._catalogue.find(key, default)

    def delete(self, key: str) -> bool:
        """Remove a key; whether it was there."""
        if key not in self:
            return False
        self._commit(Record(Kind.TOMBSTONE, key))
        return True

    def __contains__(self, key: str) -> bool:
        """Whether there is such a key."""
        self._require_open()
        self._require(key, str)
        return key in self._catalogue

    def __len__(self) -> int:
        """How many keys there are."""
        self._require_open()
        return len(self._catalogue)

    def keys(self) -> list[str]:
        """All keys, sorted."""
        self._require_open()
        return self._catalogue.keys()

    def items(self) -> list[tuple[str, bytes]]:
        """All keys with their values, sorted by key."""
        return [(key, self._catalogue.find(key, None)) for key in self.keys()]

    def compact(self) -> None:
        """Copy the book out fair; if the swap fails, the old one stays."""
        self._require_open()
        self._journal.rewrite(self._catalogue.records())

    def close(self) -> None:
        """End the work with the file; closing again does nothing."""
        self._closed = True
        self._journal.close()

    def __enter__(self) -> Store:
        """The store itself; ValueError if it is closed."""
        self._require_open()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _commit(self, record: Record) -> None:
        self._journal.append(record)
        self._catalogue.apply(record)

    def _require_open(self) -> None:
        if self._closed:
            raise ValueError("the store is closed")

    @staticmethod
    def _require(value: object, wanted: type) -> None:
        if not isinstance(value, wanted):
            raise TypeError(f"{wanted.__name__} expected, not {type(value).__name__}")
