"""The format of the book: how a record is written, and how records are read back.

A record is a head and a body. Both have a checksum of their own:

    head    b"\\xabR", kind, length of key, length of value, CRC-32 of all that
    body    key, value, CRC-32 of head and both

So a false head and a false body can be told apart. Behind a false body it is known where the
next record begins; behind a false head nothing is known any more.
"""

from __future__ import annotations

import enum
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

HEADER = b"TORN PAGE 1\n"

_MARK = b"\xabR"
_HEAD = struct.Struct("<2sBQQ")
_SUM = struct.Struct("<I")


class Kind(enum.IntEnum):
    """What a record does to its key."""

    PUT = 1
    DELETE = 2


@dataclass(frozen=True)
class Record:
    """One change."""

    kind: Kind
    key: str
    value: bytes = b""


@dataclass(frozen=True)
class Slot:
    """A place in the file: where it ends, and its record unless its body is damaged."""

    end: int
    record: Record | None


def encode(record: Record) -> bytes:
    """The bytes of a record."""
    key = record.key.encode("utf-8")
    head = _HEAD.pack(_MARK, record.kind, len(key), len(record.value))
    head += _SUM.pack(zlib.crc32(head))
    body = key + record.value
    return head + body + _SUM.pack(zlib.crc32(body, zlib.crc32(head)))


def slots(data: bytes) -> Iterator[Slot]:
    """All slots behind the header, up to the first that is not whole."""
    offset = len(HEADER)
    while (slot := _slot(data, offset)) is not None:
        yield slot
        offset = slot.end


def _slot(data: bytes, offset: int) -> Slot | None:
    head_end = offset + _HEAD.size
    body_start = head_end + _SUM.size
    if len(data) < body_start:
        return None
    head = data[offset:head_end]
    if zlib.crc32(head) != _SUM.unpack_from(data, head_end)[0]:
        return None
    mark, kind, key_size, value_size = _HEAD.unpack(head)
    key_end = body_start + key_size
    value_end = key_end + value_size
    end = value_end + _SUM.size
    if mark != _MARK or end > len(data):
        return None
    if zlib.crc32(data[body_start:value_end], zlib.crc32(data[offset:body_start])) != _SUM.unpack_from(data, value_end)[0]:
        return Slot(end, None)
    return Slot(end, Record(Kind(kind), data[body_start:key_end].decode("utf-8"), data[key_end:value_end]))
