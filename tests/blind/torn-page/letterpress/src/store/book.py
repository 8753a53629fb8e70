"""The store: a dict of what holds, and a file of what was said."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from .lines import HEADER, sound, written

_NOTHING = object()


def _key(key):
    if not isinstance(key, str):
        raise TypeError(f"a key is a str, not {type(key).__name__}")
    return key


def _value(value):
    if not isinstance(value, bytes):
        raise TypeError(f"a value is bytes, not {type(value).__name__}")
    return value


class Store:
    """Keeps what was written whole, whatever happens to the end of the file."""

    def __init__(self, path):
        self._path = Path(path)
        self._content = {}
        self._file = open(self._path, "r+b" if self._path.exists() else "w+b", buffering=0)
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def put(self, key, value):
        """Store a value under a key."""
        book = self._open()
        line = written(_key(key), _value(value))
        self._say(line)
        book[key] = value

    def delete(self, key):
        """Take a key away; whether it was there."""
        book = self._open()
        if _key(key) not in book:
            return False
        self._say(written(key, None))
        del book[key]
        return True

    def get(self, key, default=None):
        """The value of a key."""
        return self._open().get(_key(key), default)

    def keys(self):
        """All keys, sorted."""
        return sorted(self._open())

    def items(self):
        """All keys with their values, sorted by key."""
        return sorted(self._open().items())

    def compact(self):
        """Put a fresh file in the place of this one."""
        book = self._open()
        number, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name, suffix=".fair")
        try:
            with open(number, "wb") as fair:
                fair.write(HEADER)
                fair.writelines(written(key, value) for key, value in book.items())
                fair.flush()
                os.fsync(fair.fileno())
            os.replace(name, self._path)
        except BaseException:
            with suppress(FileNotFoundError):
                os.remove(name)
            raise
        self._file.close()
        self._file = open(self._path, "r+b", buffering=0)
        self._file.seek(0, os.SEEK_END)

    def close(self):
        """End the work with the file."""
        self._file.close()

    def __contains__(self, key):
        return _key(key) in self._open()

    def __len__(self):
        return len(self._open())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _open(self):
        """The content, if the store is open."""
        if self._file.closed:
            raise ValueError("the store is closed")
        return self._content

    def _say(self, line):
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())

    def _begin(self):
        """Read what can be believed, cut off what can't, and stand behind it."""
        head = self._file.read(len(HEADER))
        if not HEADER.startswith(head):
            raise ValueError(f"{self._path} is not a store")
        if head != HEADER:
            self._file.seek(0)
            self._file.truncate()
            self._say(HEADER)
            return
        end = len(HEADER)
        with open(self._path, "rb") as pages:
            pages.seek(end)
            for key, value, size in sound(pages):
                end += size
                if value is None:
                    self._content.pop(key, _NOTHING)
                else:
                    self._content[key] = value
        if self._file.seek(0, os.SEEK_END) > end:
            self._file.truncate(end)
            self._file.seek(end)
