"""Records as bytes: kind, two lengths, checksum, key, value."""

import struct
import zlib
from collections.abc import Iterator
from typing import Protocol

from tornpage.records import Kind, Record


class Codec(Protocol):
    """Turns records into bytes and bytes into records."""

    def encode(self, record: Record) -> bytes:
        """The bytes of a record; ValueError if its key can't be encoded."""

    def decode(self, data: bytes, offset: int) -> Iterator[tuple[Record, int]]:
        """The sound records from offset on, each with the offset behind it."""


class BinaryCodec:
    """The format of version 1."""

    _PREFIX = struct.Struct(">BIQI")

    def encode(self, record: Record) -> bytes:
        """The bytes of a record; ValueError if its key can't be encoded."""
        key = record.key.encode("utf-8")
        checksum = self._checksum(record.kind, key, record.value)
        return self._PREFIX.pack(record.kind, len(key), len(record.value), checksum) + key + record.value

    def decode(self, data: bytes, offset: int) -> Iterator[tuple[Record, int]]:
        """The sound records from offset on, each with the offset behind it; ends at the first that is not sound."""
        while (found := self._decode_one(data, offset)) is not None:
            yield found
            offset = found[1]

    def _decode_one(self, data: bytes, offset: int) -> tuple[Record, int] | None:
        if len(data) - offset < self._PREFIX.size:
            return None
        kind, key_length, value_length, checksum = self._PREFIX.unpack_from(data, offset)
        key_start = offset + self._PREFIX.size
        value_start = key_start + key_length
        end = value_start + value_length
        if end > len(data) or kind not in (Kind.ENTRY, Kind.TOMBSTONE):
            return None
        key, value = data[key_start:value_start], data[value_start:end]
        if checksum != self._checksum(kind, key, value):
            return None
        return Record(Kind(kind), key.decode("utf-8"), value), end

    @staticmethod
    def _checksum(kind: int, key: bytes, value: bytes) -> int:
        # The lengths are in it too: another length would be another key or value.
        return zlib.crc32(value, zlib.crc32(key, kind))
