"""A store that saves every leaf of a torn book that can be saved."""

import os
from pathlib import Path
from typing import Any, BinaryIO, Self

from codec import Kind, Leaf, leaves

TITLE = b"BOOK OF LEAVES\n"


class Store:
    """Text keys and bytes in one file; each change is a leaf at its end."""

    def __init__(self, path: str | Path) -> None:
        """Open the book, or begin one.

        Raises:
            ValueError: The file is no book.
        """
        self._path = Path(path)
        self._entries: dict[str, bytes] = {}
        self._file: BinaryIO = _checked(self._path)
        self._read()

    def put(self, key: str, value: bytes) -> None:
        """Write a value down."""
        self._open_for(key)
        if not isinstance(value, bytes):
            raise TypeError("a value is bytes")
        self._append(Leaf(Kind.WRITTEN, key, value))
        self._entries[key] = value

    def get(self, key: str, default: Any = None) -> Any:
        """What is written under a key, or the default."""
        return self._open_for(key).get(key, default)

    def delete(self, key: str) -> bool:
        """Strike a key out; whether it was there."""
        if key not in self._open_for(key):
            return False
        self._append(Leaf(Kind.STRUCK_OUT, key))
        del self._entries[key]
        return True

    def keys(self) -> list[str]:
        """All keys in order."""
        return sorted(self._open_for(""))

    def items(self) -> list[tuple[str, bytes]]:
        """All keys in order, each with what is written under it."""
        return sorted(self._open_for("").items())

    def compact(self) -> None:
        """Copy the book out fair; the old one is kept aside until the new one is in its place."""
        self._open_for("")
        fair, aside = self._beside(".fair"), self._beside(".aside")
        fair.write_bytes(TITLE + b"".join(Leaf(Kind.WRITTEN, *entry).pack() for entry in self.items()))
        self._file.close()
        os.replace(self._path, aside)
        os.replace(fair, self._path)
        aside.unlink()
        self._file = open(self._path, "ab")

    def close(self) -> None:
        """Shut the book."""
        self._file.close()

    def __contains__(self, key: str) -> bool:
        """Whether something is written under a key."""
        return key in self._open_for(key)

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self._open_for(""))

    def __enter__(self) -> Self:
        """The open book."""
        return self

    def __exit__(self, *error: object) -> None:
        """Shut it."""
        self.close()

    def _open_for(self, key: str) -> dict[str, bytes]:
        """The entries, if the book is open and the key is one."""
        if not isinstance(key, str):
            raise TypeError("a key is text")
        if self._file.closed:
            raise ValueError("the book is shut")
        return self._entries

    def _read(self) -> None:
        for leaf in leaves(self._path.read_bytes(), len(TITLE)):
            if leaf.kind is Kind.WRITTEN:
                self._entries[leaf.key] = leaf.value
            else:
                self._entries.pop(leaf.key, None)

    def _append(self, leaf: Leaf) -> None:
        self._file.write(leaf.pack())
        self._file.flush()

    def _beside(self, suffix: str) -> Path:
        return self._path.with_name(self._path.name + suffix)


def _checked(path: Path) -> BinaryIO:
    """The file, open at its end, with a whole title."""
    title = path.read_bytes()[: len(TITLE)] if path.exists() else b""
    if not TITLE.startswith(title):
        raise ValueError(f"{path} is no book of leaves")
    file = open(path, "ab")
    file.write(TITLE[len(title) :])
    file.flush()
    return file
