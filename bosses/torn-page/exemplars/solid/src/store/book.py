"""The store itself: a dict, and the file it is made from."""

import os

from store import changes
from store.frames import frame, unframe

MAGIC = b"book/2\r\n"


class Store:
    """A map of str to bytes that survives being torn."""

    def __init__(self, path):
        """Open a file, or make it."""
        self._path = os.fspath(path)
        self._entries = {}
        self._file = open(self._path, "r+b" if os.path.exists(self._path) else "w+b")
        try:
            self._read()
        except ValueError:
            self._file.close()
            raise

    def put(self, key, value):
        """Store a value; it is written when this returns."""
        check_key(key)
        if not isinstance(value, bytes):
            raise TypeError("values are bytes")
        self._append(changes.put(key, value))
        self._entries[key] = value

    def get(self, key, default=None):
        """The value of a key."""
        check_key(key)
        return self._entries.get(key, default)

    def delete(self, key):
        """Remove a key; True if there was one."""
        check_key(key)
        if key not in self._entries:
            return False
        self._append(changes.delete(key))
        del self._entries[key]
        return True

    def keys(self):
        """Sorted keys."""
        return sorted(self._entries)

    def items(self):
        """Pairs, sorted by key."""
        return [(key, self._entries[key]) for key in self.keys()]

    def compact(self):
        """Copy what lives into a new file, and let that take the old one's place."""
        fresh = self._path + "~"
        with open(fresh, "xb") as file:
            file.write(MAGIC)
            for key, value in self._entries.items():
                file.write(frame(changes.put(key, value)))
        os.replace(fresh, self._path)
        self._file.close()
        self._file = open(self._path, "r+b")
        self._file.seek(0, os.SEEK_END)

    def close(self):
        """Close the file."""
        self._file.close()

    def __contains__(self, key):
        check_key(key)
        return key in self._entries

    def __len__(self):
        return len(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def _read(self):
        content = self._file.read()
        if MAGIC.startswith(content):
            self._file.write(MAGIC[len(content) :])
            self._file.flush()
            return
        if not content.startswith(MAGIC):
            raise ValueError("not a store")
        end = len(MAGIC)
        while found := unframe(content, end):
            payload, end = found
            changes.apply(payload, self._entries)
        if end < len(content):
            self._file.truncate(end)
        self._file.seek(end)

    def _append(self, payload):
        self._file.write(frame(payload))
        self._file.flush()


def check_key(key):
    """Keys are text."""
    if not isinstance(key, str):
        raise TypeError("keys are text")
