"""A persistent map from text to bytes, in an append-only file."""

import os
import struct
import tempfile
import zlib

SIGNATURE = b"PAGEBOOK"

_HEAD = struct.Struct(">III?")
"""Checksum of all that follows, size of the key, size of the value, whether the key was deleted."""


def make_record(key, value):
    """A record as bytes. The value None says that the key was deleted."""
    raw = key.encode("utf-8")
    deleted = value is None
    tail = raw + (b"" if deleted else value)
    head = _HEAD.pack(0, len(raw), len(tail) - len(raw), deleted)[4:]
    return zlib.crc32(head + tail).to_bytes(4, "big") + head + tail


def parse_record(data, start):
    """(key, value, end) of the record that starts there, or None if it is torn or damaged."""
    if start + _HEAD.size > len(data):
        return None
    checksum, key_size, value_size, deleted = _HEAD.unpack_from(data, start)
    middle = start + _HEAD.size + key_size
    end = middle + value_size
    if end > len(data) or zlib.crc32(data[start + 4:end]) != checksum:
        return None
    key = data[start + _HEAD.size:middle].decode("utf-8")
    return key, None if deleted else data[middle:end], end


class Page:
    """The file under a store."""

    def __init__(self, path):
        """Open or make the file; ValueError if it has another signature."""
        self.path = os.path.realpath(path)
        self._file = open(self.path, "a+b")
        self._file.seek(0)
        signature = self._file.read(len(SIGNATURE))
        if not signature:
            self.append(SIGNATURE)
        elif signature != SIGNATURE:
            self._file.close()
            raise ValueError("not a page book: %s" % self.path)

    @property
    def closed(self):
        """Whether the file was closed."""
        return self._file.closed

    def read(self):
        """Yield (key, value) for each sound record, then cut off what follows."""
        self._file.seek(0)
        data = self._file.read()
        end = len(SIGNATURE)
        while (found := parse_record(data, end)) is not None:
            key, value, end = found
            yield key, value
        if end < len(data):
            self._file.truncate(end)

    def append(self, data):
        """Write at the end, out of the buffer."""
        self._file.write(data)
        self._file.flush()

    def replace(self, records):
        """Put a new file with these records in the place of this one."""
        handle, name = tempfile.mkstemp(dir=os.path.dirname(self.path))
        try:
            with os.fdopen(handle, "wb") as new:
                new.write(SIGNATURE)
                new.writelines(records)
                new.flush()
                os.fsync(new.fileno())
            os.replace(name, self.path)
        except OSError:
            os.unlink(name)
            raise
        self._file.close()
        self._file = open(self.path, "a+b")

    def close(self):
        """Close the file."""
        self._file.close()


class Store:
    """Text keys, bytes values, and a page that remembers them."""

    def __init__(self, path):
        """Open the store in a file, which is made if need be."""
        self._page = Page(path)
        self._map = {}
        for key, value in self._page.read():
            self._apply(key, value)

    def put(self, key, value):
        """Store the value under the key."""
        self._check(key)
        if not isinstance(value, bytes):
            raise TypeError("values are bytes")
        self._change(key, value)

    def get(self, key, default=None):
        """The value of the key, or else the default."""
        self._check(key)
        return self._map.get(key, default)

    def delete(self, key):
        """Remove the key and return True, or return False if it is not there."""
        self._check(key)
        if key not in self._map:
            return False
        self._change(key, None)
        return True

    def keys(self):
        """A sorted list of the keys."""
        self._check()
        return sorted(self._map)

    def items(self):
        """A list of (key, value), sorted by key."""
        self._check()
        return sorted(self._map.items())

    def compact(self):
        """Replace the file by one that has only the present entries."""
        self._check()
        self._page.replace(make_record(key, value) for key, value in self._map.items())

    def close(self):
        """Close the file; the store can't be used any more."""
        self._page.close()

    def __contains__(self, key):
        self._check(key)
        return key in self._map

    def __len__(self):
        self._check()
        return len(self._map)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()

    def _check(self, key=""):
        if self._page.closed:
            raise ValueError("store is closed")
        if not isinstance(key, str):
            raise TypeError("keys are str")

    def _change(self, key, value):
        self._page.append(make_record(key, value))
        self._apply(key, value)

    def _apply(self, key, value):
        if value is None:
            self._map.pop(key, None)
        else:
            self._map[key] = value
