"""A map of text keys to bytes, in one file that is only written at its end."""

import os
import struct
import zlib

MAGIC = b"TORN"


class Store:
    """Everything that was written whole is there after the next opening.

    A record: crc, length of key, length of value (-1: deleted), key, value.
    """

    def __init__(self, path):
        """Open the store in a file."""
        self._path = path
        self._entries = {}
        new = not os.path.exists(path)
        self._file = open(path, "a+b")
        if new:
            self._file.write(MAGIC)
            self._file.flush()
        self._load()

    def _load(self):
        self._file.seek(0)
        data = self._file.read()
        if data[:4] != MAGIC:
            raise ValueError("not a store")
        pos = 4
        while pos + 12 <= len(data):
            crc, klen, vlen = struct.unpack(">Iii", data[pos : pos + 12])
            end = pos + 12 + klen + max(vlen, 0)
            if klen < 0 or end > len(data):
                break
            if zlib.crc32(data[pos + 4 : end]) != crc:
                break
            key = data[pos + 12 : pos + 12 + klen].decode("utf-8")
            if vlen == -1:
                self._entries.pop(key, None)
            else:
                self._entries[key] = data[pos + 12 + klen : end]
            pos = end
        # TODO cut off what is left behind pos

    def put(self, key, value):
        """Store a value under a key."""
        if not isinstance(key, str):
            raise TypeError("key must be str")
        if not isinstance(value, bytes):
            raise TypeError("value must be bytes")
        k = key.encode("utf-8")
        body = struct.pack(">ii", len(k), len(value)) + k + value
        self._file.write(struct.pack(">I", zlib.crc32(body)) + body)
        self._file.flush()
        self._entries[key] = value

    def get(self, key, default=None):
        """The value of a key, or the default."""
        if not isinstance(key, str):
            raise TypeError("key must be str")
        return self._entries.get(key, default)

    def delete(self, key):
        """Remove a key. True if it was there."""
        if not isinstance(key, str):
            raise TypeError("key must be str")
        if key not in self._entries:
            return False
        k = key.encode("utf-8")
        body = struct.pack(">ii", len(k), -1) + k
        self._file.write(struct.pack(">I", zlib.crc32(body)) + body)
        self._file.flush()
        del self._entries[key]
        return True

    def __contains__(self, key):
        if not isinstance(key, str):
            raise TypeError("key must be str")
        return key in self._entries

    def __len__(self):
        return len(self._entries)

    def keys(self):
        return sorted(self._entries)

    def items(self):
        return [(key, self._entries[key]) for key in self.keys()]

    def compact(self):
        raise NotImplementedError

    def close(self):
        """End the work with the file."""
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
