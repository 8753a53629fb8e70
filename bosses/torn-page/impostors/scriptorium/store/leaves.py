"""The format: a header, then leaves. A leaf is its length, a checksum, and a body of kind, key length, key and value.

The checksum covers the length and the body. `leaf` makes one, `leaves` reads them; no other function knows the format.
"""

import struct
import zlib
from typing import NamedTuple

HEADER = b"\x89SCRIPT\x02"
KEEP, STRIKE = 1, 2
_FRAME = struct.Struct(">QI")
_LENGTH = struct.Struct(">Q")
_BODY = struct.Struct(">BI")


class Place(NamedTuple):
    """Where a value lies in the file."""

    offset: int
    length: int


class Leaf(NamedTuple):
    """A leaf that has been read: its kind, its key, where its value lies, and where the next leaf begins."""

    kind: int
    key: str
    place: Place
    end: int


def leaf(kind, key, value=b""):
    """Return the bytes of a leaf; a UnicodeEncodeError if the key has none."""
    name = key.encode("utf-8")
    body = _BODY.pack(kind, len(name)) + name + value
    return _FRAME.pack(len(body), _checksum(body)) + body


def leaves(file):
    """Yield each leaf behind the header of an open file, up to the first that is not whole and sound."""
    position = len(HEADER)
    size = file.seek(0, 2)
    while (body := _sound_body(file, position, size)) is not None:
        kind, length = _BODY.unpack_from(body)
        key_end = _BODY.size + length
        body_at = position + _FRAME.size
        position = body_at + len(body)
        yield Leaf(
            kind, body[_BODY.size : key_end].decode("utf-8"), Place(body_at + key_end, len(body) - key_end), position
        )


def _sound_body(file, position, size):
    """Return the body of the leaf at a position, or None if there is no whole and sound one."""
    room = size - position - _FRAME.size
    if room < _BODY.size:
        return None
    file.seek(position)
    length, checksum = _FRAME.unpack(file.read(_FRAME.size))
    if not _BODY.size <= length <= room:
        return None
    body = file.read(length)
    return body if _checksum(body) == checksum else None


def _checksum(body):
    """Return the checksum of a body and its length."""
    return zlib.crc32(body, zlib.crc32(_LENGTH.pack(len(body))))
