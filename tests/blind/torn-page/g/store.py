"""A map of text keys to bytes, in one file that is only written at its end."""

import os
import struct

HEADER = b"TORN"
DELETED = 0xFFFFFFFF


class Store:
    """A store in a file."""

    def __init__(self, path):
        """Open the store in a file."""
        self._path = path
        self._entries = {}
        if os.path.exists(path):
            self._read()
            self._file = open(path, "ab")
        else:
            self._file = open(path, "wb")
            self._file.write(HEADER)
            self._file.flush()

    def _read(self):
        with open(self._path, "rb") as file:
            assert file.read(4) == HEADER, "not a store"
            while True:
                lengths = file.read(8)
                if not lengths:
                    break
                key_length, value_length = struct.unpack("<II", lengths)
                key = file.read(key_length).decode()
                if value_length == DELETED:
                    del self._entries[key]
                else:
                    self._entries[key] = file.read(value_length)

    def put(self, key, value):
        """Store a value under a key."""
        key_bytes = key.encode()
        self._file.write(struct.pack("<II", len(key_bytes), len(value)))
        self._file.write(key_bytes)
        self._file.write(value)
        self._file.flush()
        # TODO: crc
        self._entries[key] = value

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return self._entries.get(key, default)

    def delete(self, key):
        """Remove a key."""
        if key in self._entries:
            key_bytes = key.encode()
            self._file.write(struct.pack("<II", len(key_bytes), DELETED))
            self._file.write(key_bytes)
            del self._entries[key]
            return True
        return False

    def __contains__(self, key):
        return key in self._entries

    def __len__(self):
        return len(self._entries)

    def keys(self):
        """All keys."""
        return list(self._entries)

    def items(self):
        """All entries."""
        return list(self._entries.items())

    def compact(self):
        """Make the file smaller."""
        raise NotImplementedError

    def close(self):
        """End the work with the file."""
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
