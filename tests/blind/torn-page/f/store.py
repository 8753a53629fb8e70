"""A map of text keys to bytes, kept in one file that is only written at its end.

The file is HEADER, then records: a checksum, a kind, two lengths, the key, the value. The checksum covers all that
follows it in the record.
"""

import os
import shutil
import struct
import tempfile
import zlib
from contextlib import suppress

HEADER = b"TORNPAGE\x00\x01"
PUT, DELETE = 1, 2

_CHECKSUM = struct.Struct("<I")
_FIELDS = struct.Struct("<BQQ")  # kind, length of key, length of value


def encode(kind, key, value=b""):
    """The bytes of one record; ValueError if UTF-8 can't encode the key."""
    raw = key.encode("utf-8")
    body = _FIELDS.pack(kind, len(raw), len(value)) + raw + value
    return _CHECKSUM.pack(zlib.crc32(body)) + body


def decode(data, start):
    """Yield (kind, key, value, end) for the records from start on, up to the first that is not whole and sound."""
    view = memoryview(data)
    while len(view) - start >= _CHECKSUM.size + _FIELDS.size:
        body = start + _CHECKSUM.size
        kind, key_size, value_size = _FIELDS.unpack_from(view, body)
        key_at = body + _FIELDS.size
        value_at = key_at + key_size
        end = value_at + value_size
        if end > len(view) or _CHECKSUM.unpack_from(view, start)[0] != zlib.crc32(view[body:end]):
            return
        yield kind, str(view[key_at:value_at], "utf-8"), bytes(view[value_at:end]), end
        start = end


class Store:
    """Everything that was written whole is there after the next opening."""

    def __init__(self, path):
        """Open the store in a file, or make a new one; ValueError if the file is somebody else's."""
        self._path = os.path.abspath(path)
        self._entries = {}
        self._file = self._open()
        try:
            self._load()
        except BaseException:
            self._file.close()
            raise

    def put(self, key, value):
        """Store a value under a key, in place of an earlier one."""
        self._check(key)
        if not isinstance(value, bytes):
            raise TypeError(f"a value is bytes, not {type(value).__name__}")
        self._append(encode(PUT, key, value))
        self._entries[key] = value

    def get(self, key, default=None):
        """The value of a key, or the default."""
        self._check(key)
        return self._entries.get(key, default)

    def delete(self, key):
        """Remove a key; whether it was there."""
        self._check(key)
        if key not in self._entries:
            return False
        self._append(encode(DELETE, key))
        del self._entries[key]
        return True

    def __contains__(self, key):
        """Whether the key has a value."""
        self._check(key)
        return key in self._entries

    def __len__(self):
        """How many keys there are."""
        self._check_open()
        return len(self._entries)

    def keys(self):
        """A new sorted list of the keys."""
        self._check_open()
        return sorted(self._entries)

    def items(self):
        """A new list of (key, value), sorted by key."""
        return [(key, self._entries[key]) for key in self.keys()]

    def compact(self):
        """Copy what lives to a new file, and swap it in; if the swap fails nothing has changed."""
        self._check_open()
        temp = self._write_copy()
        self._file.close()
        try:
            os.replace(temp, self._path)
        except BaseException:
            with suppress(OSError):
                os.remove(temp)
            raise
        finally:
            self._file = self._open()

    def close(self):
        """End the work with the file; closing again does nothing."""
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _check_open(self):
        if self._file.closed:
            raise ValueError("the store is closed")

    def _check(self, key):
        self._check_open()
        if not isinstance(key, str):
            raise TypeError(f"a key is a str, not {type(key).__name__}")

    def _open(self):
        try:
            return open(self._path, "r+b")
        except FileNotFoundError:
            return open(self._path, "x+b")

    def _load(self):
        """Fill the entries from the file, and cut off what is not believed."""
        data = self._file.read()
        if not data.startswith(HEADER):
            if not HEADER.startswith(data):
                raise ValueError(f"{self._path} is no store")
            self._append(HEADER[len(data):])
            return
        sound = len(HEADER)
        for kind, key, value, sound in decode(data, sound):
            if kind == PUT:
                self._entries[key] = value
            else:
                self._entries.pop(key, None)
        if sound < len(data):
            self._file.truncate(sound)

    def _append(self, data):
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()

    def _write_copy(self):
        """Write a whole store of what lives to a new file beside the old one; its path."""
        folder, name = os.path.split(self._path)
        handle, temp = tempfile.mkstemp(prefix=name + ".", suffix=".new", dir=folder)
        with open(handle, "wb") as file:
            file.write(HEADER)
            for key, value in self._entries.items():
                file.write(encode(PUT, key, value))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(self._path, temp)
        return temp
