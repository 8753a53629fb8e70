"""Append-only key value store.

File format: b"CHAP0001" and then records
    kind (1 byte, 0 = put, 1 = delete), key length (4), value length (4), crc32 of key + value (4), key, value
"""
import os
import struct
import zlib

MAGIC = b"CHAP0001"
HEAD = struct.Struct(">BIII")


class Store:
    def __init__(self, path):
        self.path = str(path)
        self.data = {}
        if not os.path.exists(self.path) or os.path.getsize(self.path) < len(MAGIC):
            with open(self.path, "wb") as f:
                f.write(MAGIC)
        self.load()
        self.file = open(self.path, "ab")

    def load(self):
        """Read all records."""
        with open(self.path, "rb") as f:
            raw = f.read()
        if raw[: len(MAGIC)] != MAGIC:
            raise ValueError("not a store: " + self.path)
        pos = len(MAGIC)
        while pos + HEAD.size <= len(raw):
            kind, klen, vlen, crc = HEAD.unpack_from(raw, pos)
            start = pos + HEAD.size
            end = start + klen + vlen
            if end > len(raw):
                break
            body = raw[start:end]
            if zlib.crc32(body) != crc:
                break
            key = body[:klen].decode("utf-8")
            if kind == 0:
                self.data[key] = body[klen:]
            else:
                self.data.pop(key, None)
            pos = end

    def put(self, key, value):
        """Store a value."""
        if not isinstance(key, str):
            raise TypeError("key must be str")
        if not isinstance(value, bytes):
            raise TypeError("value must be bytes")
        k = key.encode("utf-8")
        self.file.write(HEAD.pack(0, len(k), len(value), zlib.crc32(k + value)) + k + value)
        self.file.flush()
        self.data[key] = value

    def get(self, key, default=None):
        """Look a value up."""
        if not isinstance(key, str):
            raise TypeError("key must be str")
        return self.data.get(key, default)

    def delete(self, key):
        """Remove a key."""
        if not isinstance(key, str):
            raise TypeError("key must be str")
        if key not in self.data:
            return False
        k = key.encode("utf-8")
        self.file.write(HEAD.pack(1, len(k), 0, zlib.crc32(k)) + k)
        self.file.flush()
        del self.data[key]
        return True

    def __contains__(self, key):
        if not isinstance(key, str):
            raise TypeError("key must be str")
        return key in self.data

    def __len__(self):
        return len(self.data)

    def keys(self):
        return sorted(self.data)

    def items(self):
        return sorted(self.data.items())

    def compact(self):
        """Rewrite the file."""
        temp = self.path + ".tmp"
        with open(temp, "wb") as f:
            f.write(MAGIC)
            for key, value in self.data.items():
                k = key.encode("utf-8")
                f.write(HEAD.pack(0, len(k), len(value), zlib.crc32(k + value)) + k + value)
        os.replace(temp, self.path)
        self.file.close()
        self.file = open(self.path, "ab")

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
