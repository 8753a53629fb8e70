"""A log of changes in one file, and the dict that folding over it gives."""

import io
import os
import zlib
from functools import reduce
from itertools import chain

MAGIC = b"leaf"


def varint(number):
    """An int as bytes of seven bits, the lowest first."""
    head, rest = number & 0x7F, number >> 7
    return bytes([head | 0x80]) + varint(rest) if rest else bytes([head])


def read_varint(stream, shift=0):
    """The next varint of the stream; EOFError if it ends before."""
    match stream.read(1):
        case b"":
            raise EOFError
        case byte if byte[0] & 0x80:
            return (byte[0] & 0x7F) << shift | read_varint(stream, shift + 7)
        case byte:
            return byte[0] << shift


def exactly(stream, size):
    """So many bytes of the stream; EOFError if there are fewer."""
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def pack(change):
    """A change as a record: tag, lengths, key, value, checksum."""
    match change:
        case ("put", key, value):
            parts = (b"+", key.encode(), value)
        case ("delete", key):
            parts = (b"-", key.encode(), b"")
    tag, key, value = parts
    body = tag + varint(len(key)) + varint(len(value)) + key + value
    return body + zlib.crc32(body).to_bytes(4, "big")


def unpack(stream):
    """Yield (change, offset behind it) while the records are whole and sound."""
    def one():
        start = stream.tell()
        tag = exactly(stream, 1)
        sizes = read_varint(stream), read_varint(stream)
        key, value = (exactly(stream, size) for size in sizes)
        end = stream.tell()
        checksum = exactly(stream, 4)
        if zlib.crc32(stream.getbuffer()[start:end]).to_bytes(4, "big") != checksum:
            raise EOFError
        change = ("put", key.decode(), value) if tag == b"+" else ("delete", key.decode())
        return change, stream.tell()

    while True:
        try:
            yield one()
        except EOFError:
            return


def apply(entries, change):
    """The entries after a change."""
    match change:
        case ("put", key, value):
            entries[key] = value
        case ("delete", key):
            entries.pop(key, None)
    return entries


def load(path):
    """(entries, size of what is sound) of a file; ValueError if it is not a store."""
    with open(path, "rb") as file:
        stream = io.BytesIO(file.read())
    match stream.read(len(MAGIC)):
        case start if start == MAGIC:
            found = list(unpack(stream))
            return reduce(apply, (change for change, _ in found), {}), found[-1][1] if found else len(MAGIC)
        case start if MAGIC.startswith(start):
            return {}, 0
        case _:
            raise ValueError(f"{path} is not a store")


def appender(path):
    """A function that appends bytes to the file, and one that ends it."""
    file = open(path, "ab", buffering=0)
    return file.write, file.close


def typed(kind, thing):
    """The thing, if it is of that kind."""
    if isinstance(thing, kind):
        return thing
    raise TypeError(f"{thing!r} is no {kind.__name__}")


class Store:
    """Text keys and bytes, in one file."""

    def __init__(self, path):
        """Open or make the file."""
        self._path = os.path.abspath(path)
        if not os.path.exists(self._path):
            open(self._path, "xb").close()
        self._entries, size = load(self._path)
        if size < os.path.getsize(self._path):
            os.truncate(self._path, size)
        self._write, self._end = appender(self._path)
        if size == 0:
            self._write(MAGIC)

    def _now(self):
        if self._entries is None:
            raise ValueError("closed")
        return self._entries

    def _change(self, *change):
        self._write(pack(change))
        apply(self._entries, change)

    def put(self, key, value):
        """Store the value under the key."""
        self._now()
        self._change("put", typed(str, key), typed(bytes, value))

    def get(self, key, default=None):
        """The value of the key, or the default."""
        return self._now().get(typed(str, key), default)

    def delete(self, key):
        """Remove the key; whether it was there."""
        there = key in self
        if there:
            self._change("delete", key)
        return there

    def __contains__(self, key):
        return typed(str, key) in self._now()

    def __len__(self):
        return len(self._now())

    def keys(self):
        """The sorted keys."""
        return sorted(self._now())

    def items(self):
        """The sorted pairs."""
        return sorted(self._now().items())

    def compact(self):
        """Write what holds to a new file, and put it in place of the old."""
        new = self._path + "~"
        with open(new, "wb") as file:
            file.writelines(chain([MAGIC], (pack(("put", *item)) for item in self._now().items())))
        self._end()
        os.replace(new, self._path)
        self._write, self._end = appender(self._path)

    def close(self):
        """Let go of the file."""
        self._end()
        self._entries = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
