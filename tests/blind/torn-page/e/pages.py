"""The format of the file: a title, then records, each of which begins with a mark and checks itself."""

import struct
import zlib
from typing import Iterator, NamedTuple, Optional

TITLE = b"\x93PAGES\x02\n"
MARK = b"\xf1\xf7"

_HEAD = struct.Struct("<2sIBIQ")
_CHECKED_FROM = len(MARK) + 4


class Entry(NamedTuple):
    """What a record says: the key has this value, or none."""

    key: str
    value: Optional[bytes]


class Found(NamedTuple):
    """An entry that was read, and where its record ends."""

    entry: Entry
    end: int


def to_bytes(entry: Entry) -> bytes:
    """The record of an entry. ValueError if its key can't be encoded."""
    key = entry.key.encode("utf-8")
    value = entry.value if entry.value is not None else b""
    alive = entry.value is not None

    def head(checksum: int) -> bytes:
        return _HEAD.pack(MARK, checksum, alive, len(key), len(value))

    return head(zlib.crc32(head(0)[_CHECKED_FROM:] + key + value)) + key + value


def at(data: bytes, start: int) -> Optional[Found]:
    """The record that starts there, if one does that is whole and sound."""
    if not data.startswith(MARK, start) or start + _HEAD.size > len(data):
        return None
    _, checksum, alive, key_size, value_size = _HEAD.unpack_from(data, start)
    key_end = start + _HEAD.size + key_size
    end = key_end + value_size
    if end > len(data) or zlib.crc32(data[start + _CHECKED_FROM : end]) != checksum:
        return None
    key = data[start + _HEAD.size : key_end].decode("utf-8")
    return Found(Entry(key, data[key_end:end] if alive else None), end)


def scan(data: bytes, start: int) -> Iterator[Found]:
    """All sound records from there on, whatever lies between them."""
    while start >= 0:
        found = at(data, start)
        if found:
            yield found
            start = found.end
        else:
            start = data.find(MARK, start + 1)
