"""A map of text keys to bytes, in one file that is only written at its end."""

import contextlib
import os

import pages


class Store:
    """Everything that was written whole is there after the next opening."""

    def __init__(self, path):
        """Open the store in a file, or make one. ValueError if the file is no store."""
        self._path = os.fspath(path)
        self._values = {}
        self._file = open(self._path, "ab")
        try:
            self._replay()
        except BaseException:
            self._file.close()
            raise

    def put(self, key, value):
        """Store a value under a key, in place of an earlier one."""
        self._expect(key, str)
        self._expect(value, bytes)
        self._record(pages.Entry(key, value))

    def get(self, key, default=None):
        """The value of a key, or the default."""
        self._expect(key, str)
        return self._values.get(key, default)

    def delete(self, key):
        """Remove a key; whether there was one."""
        if key not in self:
            return False
        self._record(pages.Entry(key, None))
        return True

    def __contains__(self, key):
        """Whether there is such a key."""
        self._expect(key, str)
        return key in self._values

    def __len__(self):
        """How many keys there are."""
        return len(self.keys())

    def keys(self):
        """A new list of all keys, sorted."""
        self._expect_open()
        return sorted(self._values)

    def items(self):
        """A new list of all keys and values, sorted by key."""
        return [(key, self._values[key]) for key in self.keys()]

    def compact(self):
        """Put a file with the present entries only in the place of the old one, or raise and change nothing."""
        self._expect_open()
        fresh = self._path + ".fresh"
        try:
            self._write_fresh(fresh)
            os.replace(fresh, self._path)
        except OSError:
            with contextlib.suppress(FileNotFoundError):
                os.remove(fresh)
            raise
        self._file.close()
        self._file = open(self._path, "ab")

    def close(self):
        """End the work with the file. Closing again does nothing."""
        self._file.close()

    def __enter__(self):
        """The store itself."""
        return self

    def __exit__(self, *exc):
        """Close the store."""
        self.close()

    def _expect_open(self):
        if self._file.closed:
            raise ValueError("this store is closed")

    def _expect(self, thing, kind):
        self._expect_open()
        if not isinstance(thing, kind):
            raise TypeError(f"{kind.__name__} expected, got {type(thing).__name__}")

    def _replay(self):
        """Take in all sound records, and cut off what comes after the last."""
        with open(self._path, "rb") as file:
            data = file.read()
        if not data.startswith(pages.TITLE):
            if not pages.TITLE.startswith(data):
                raise ValueError(f"{self._path} is not a store")
            self._append(pages.TITLE[len(data):])
            return
        end = len(pages.TITLE)
        for entry, end in pages.scan(data, end):
            self._apply(entry)
        if end < len(data):
            os.truncate(self._path, end)

    def _record(self, entry):
        self._append(pages.to_bytes(entry))
        self._apply(entry)

    def _apply(self, entry):
        if entry.value is None:
            self._values.pop(entry.key, None)
        else:
            self._values[entry.key] = entry.value

    def _append(self, data):
        self._file.write(data)
        self._file.flush()

    def _write_fresh(self, path):
        with open(path, "wb") as file:
            file.write(pages.TITLE)
            for entry in self._values.items():
                file.write(pages.to_bytes(pages.Entry(*entry)))
            file.flush()
            os.fsync(file.fileno())
