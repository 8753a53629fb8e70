"""A store of keys and values in one file."""

import os
import struct
import zlib
from pathlib import Path

HEADER = b"TPG1"


class Store:
    """Keys and values in a file."""

    def __init__(self, path):
        self.path = Path(path)
        self.index = {}
        if not self.path.exists() or self.path.stat().st_size < len(HEADER):
            self.check_header()
            self.path.write_bytes(HEADER)
        self.check_header()
        self.read_all()
        self.out = open(self.path, "ab")

    def check_header(self):
        if self.path.exists():
            start = self.path.read_bytes()[:4]
            if start != HEADER[:len(start)]:
                raise ValueError("wrong header")

    def read_all(self):
        """Read the records until one is wrong."""
        with open(self.path, "rb") as f:
            f.seek(4)
            while True:
                head = f.read(13)
                if len(head) < 13:
                    break
                crc, kind, klen, vlen = struct.unpack("<IBII", head)
                key = f.read(klen)
                value = f.read(vlen)
                if len(key) < klen or len(value) < vlen:
                    break
                if zlib.crc32(head[4:] + key + value) != crc:
                    break
                if kind == 1:
                    self.index[key.decode()] = value
                else:
                    self.index.pop(key.decode(), None)

    def put(self, key, value):
        """Store a value."""
        if self.out.closed:
            raise ValueError("closed")
        if not isinstance(key, str):
            raise TypeError("key")
        if not isinstance(value, bytes):
            raise TypeError("value")
        k = key.encode()
        rest = struct.pack("<BII", 1, len(k), len(value)) + k + value
        self.out.write(struct.pack("<I", zlib.crc32(rest)) + rest)
        self.out.flush()
        self.index[key] = value

    def get(self, key, default=None):
        """The value of a key."""
        if not isinstance(key, str):
            raise TypeError("key")
        return self.index.get(key) or default

    def delete(self, key):
        """Remove a key."""
        if self.out.closed:
            raise ValueError("closed")
        if not isinstance(key, str):
            raise TypeError("key")
        if key not in self.index:
            return False
        k = key.encode()
        rest = struct.pack("<BII", 0, len(k), 0) + k
        self.out.write(struct.pack("<I", zlib.crc32(rest)) + rest)
        self.out.flush()
        del self.index[key]
        return True

    def __contains__(self, key):
        if not isinstance(key, str):
            raise TypeError("key")
        return key in self.index

    def __len__(self):
        return len(self.index)

    def keys(self):
        return sorted(self.index)

    def items(self):
        return sorted(self.index.items())

    def compact(self):
        """Write a new file and rename it."""
        if self.out.closed:
            raise ValueError("closed")
        tmp = self.path.with_suffix(".tmp")
        with open(tmp, "wb") as f:
            f.write(HEADER)
            for key in self.index:
                k = key.encode()
                rest = struct.pack("<BII", 1, len(k), len(self.index[key])) + k + self.index[key]
                f.write(struct.pack("<I", zlib.crc32(rest)) + rest)
        self.out.close()
        os.rename(tmp, self.path)
        self.out = open(self.path, "ab")

    def close(self):
        self.out.close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
