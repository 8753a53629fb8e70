"""The form of a leaf: a mark, what it is, how long it is, and a checksum over all of it."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

MARK = b"\xf0LEAF"
_HEAD = struct.Struct("<BII")
_SUM = struct.Struct("<I")


class Kind(IntEnum):
    """What a leaf does to its key."""

    WRITTEN = 1
    STRUCK_OUT = 2


@dataclass(frozen=True, slots=True)
class Leaf:
    """One change of one key."""

    kind: Kind
    key: str
    value: bytes = b""

    def pack(self) -> bytes:
        """The leaf as bytes."""
        key = self.key.encode()
        body = _HEAD.pack(self.kind, len(key), len(self.value)) + key + self.value
        return MARK + body + _SUM.pack(zlib.crc32(body))


def leaves(content: bytes, start: int) -> Iterator[Leaf]:
    """Every leaf that can be saved: what is damaged is passed over up to the next mark."""
    while (start := content.find(MARK, start)) >= 0:
        found = _leaf_at(content, start + len(MARK))
        if found is None:
            start += 1
            continue
        leaf, start = found
        yield leaf


def _leaf_at(content: bytes, start: int) -> tuple[Leaf, int] | None:
    """The leaf behind a mark and the offset behind it, or None if it is damaged."""
    key_at = start + _HEAD.size
    if key_at > len(content):
        return None
    kind, key_length, value_length = _HEAD.unpack_from(content, start)
    value_at = key_at + key_length
    end = value_at + value_length
    if end + _SUM.size > len(content):
        return None
    if _SUM.unpack_from(content, end)[0] != zlib.crc32(content[start:end]):
        return None
    return Leaf(Kind(kind), content[key_at:value_at].decode(), content[value_at:end]), end + _SUM.size
