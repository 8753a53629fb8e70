"""An append-only store of text keys and bytes values.

File layout:

    header   b"TPBOOK1\n"
    record   length of body (4 bytes), CRC-32 of body (4 bytes), body
    body     kind (1 byte), length of key (4 bytes), key in UTF-8, value (the rest)
"""

import os
import struct
import zlib

HEADER = b"TPBOOK1\n"
PUT = 1
DELETE = 2

_frame = struct.Struct(">II")
_start = struct.Struct(">BI")


def make_record(kind, key, value=b""):
    """Return the bytes of one record."""
    encoded = key.encode("utf-8")
    body = _start.pack(kind, len(encoded)) + encoded + value
    return _frame.pack(len(body), zlib.crc32(body)) + body


def read_record(data, offset):
    """Return (kind, key, value, next offset), or None if there is no sound record."""
    if len(data) - offset < _frame.size:
        return None
    length, checksum = _frame.unpack_from(data, offset)
    begin = offset + _frame.size
    body = data[begin:begin + length]
    if len(body) != length or zlib.crc32(body) != checksum:
        return None
    kind, key_length = _start.unpack_from(body)
    key_end = _start.size + key_length
    return kind, body[_start.size:key_end].decode("utf-8"), body[key_end:], begin + length


def replay(data):
    """Return the entries a file with this content holds, and where its last sound record ends."""
    entries = {}
    offset = len(HEADER)
    while (record := read_record(data, offset)) is not None:
        kind, key, value, offset = record
        if kind == PUT:
            entries[key] = value
        else:
            entries.pop(key, None)
    return entries, offset


class Store:
    """A map from str to bytes that survives the loss of the end of its file."""

    def __init__(self, path):
        """Open the store in that file, or make a new one."""
        self._path = os.fspath(path)
        self._file = None
        self._entries = {}
        self._open()

    def _open(self):
        mode = "r+b" if os.path.exists(self._path) else "x+b"
        file = open(self._path, mode)
        try:
            self._load(file)
        except BaseException:
            file.close()
            raise
        self._file = file

    def _load(self, file):
        data = file.read()
        if not data.startswith(HEADER):
            if not HEADER.startswith(data):
                raise ValueError(f"{self._path} is not a store")
            file.seek(0)
            file.write(HEADER)
            file.flush()
            return
        self._entries, end = replay(data)
        if end < len(data):
            file.truncate(end)
        file.seek(end)

    def put(self, key, value):
        """Store the value under the key."""
        self._check(key)
        if not isinstance(value, bytes):
            raise TypeError("a value must be bytes")
        self._append(make_record(PUT, key, value))
        self._entries[key] = value

    def get(self, key, default=None):
        """Return the value of the key, or the default."""
        self._check(key)
        return self._entries.get(key, default)

    def delete(self, key):
        """Remove the key; return whether it was there."""
        self._check(key)
        if key not in self._entries:
            return False
        self._append(make_record(DELETE, key))
        del self._entries[key]
        return True

    def __contains__(self, key):
        """Whether the key is there."""
        self._check(key)
        return key in self._entries

    def __len__(self):
        """How many keys there are."""
        self._check_open()
        return len(self._entries)

    def keys(self):
        """Return a sorted list of all keys."""
        self._check_open()
        return sorted(self._entries)

    def items(self):
        """Return a list of (key, value), sorted by key."""
        self._check_open()
        return sorted(self._entries.items())

    def compact(self):
        """Replace the file by one that holds only what is in the store now."""
        self._check_open()
        temporary = self._path + ".compact"
        with open(temporary, "wb") as file:
            file.write(HEADER)
            for key, value in self._entries.items():
                file.write(make_record(PUT, key, value))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.replace(temporary, self._path)
        except OSError:
            os.remove(temporary)
            raise
        self._file.close()
        self._file = open(self._path, "r+b")
        self._file.seek(0, os.SEEK_END)

    def close(self):
        """End the work with the file. Closing again does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self):
        """Return the store itself."""
        return self

    def __exit__(self, *exception):
        """Close the store."""
        self.close()

    def _append(self, record):
        self._file.write(record)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _check_open(self):
        if self._file is None:
            raise ValueError("the store is closed")

    def _check(self, key):
        self._check_open()
        if not isinstance(key, str):
            raise TypeError("a key must be a str")
