"""Frames: length, checksum, payload. What a payload means is for others to know."""

import zlib

_WORD = 4


def frame(payload):
    """Wrap a payload so that a reader can tell whether it got all of it."""
    return _word(len(payload)) + _word(zlib.crc32(_word(len(payload)) + payload)) + payload


def unframe(content, start):
    """The payload that begins at an offset and the offset behind it, or None if it is not whole and sound."""
    head = content[start : start + 2 * _WORD]
    size = int.from_bytes(head[:_WORD], "big")
    begin = start + 2 * _WORD
    payload = content[begin : begin + size]
    if len(head) < 2 * _WORD or len(payload) < size:
        return None
    if zlib.crc32(head[:_WORD] + payload) != int.from_bytes(head[_WORD:], "big"):
        return None
    return payload, begin + size


def _word(number):
    return number.to_bytes(_WORD, "big")
