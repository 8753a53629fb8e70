"""Frames of plain data over a socket, used on both sides of the border. No pickle: nothing received is ever executed.

A frame is a length (4 bytes, big endian) and that many bytes of JSON; ``values`` puts other data into JSON's terms.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from typing import Any, List, Optional

FRAME_CAP = 16 * 1024 * 1024
ANSWER_CAP = 4 * 1024 * 1024
"""How long a frame of the player's process may be: parsing makes twenty bytes of one, at worst."""
_HEADER = struct.Struct(">I")


class WireError(Exception):
    """The other side broke the protocol, closed the line, or let a deadline pass."""


class WireTimeoutError(WireError):
    """No whole frame came before the deadline."""


class ClosedError(WireError):
    """The other side hung up."""


class TooLongError(WireError):
    """A message that is longer than may cross."""


def send_frame(line: socket.socket, message: Any, most: int = FRAME_CAP) -> None:
    """Send one JSON-able message over a socket.

    Raises:
        WireError: It is longer than ``most`` bytes, or the line is closed.
    """
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > most:
        raise TooLongError("%d bytes are more than the border lets through" % len(body))
    try:
        line.sendall(_HEADER.pack(len(body)) + body)
    except OSError as error:
        raise ClosedError("the line is closed (%s)" % error) from None


def receive_frame(line: socket.socket, deadline: Optional[float] = None, most: int = FRAME_CAP) -> Any:
    """Receive one message.

    Args:
        line: A blocking socket.
        deadline: A ``time.monotonic`` value by which the whole frame must be here; None waits for ever.
        most: Bytes it may be long.

    Raises:
        WireTimeoutError: The deadline passed.
        WireError: The line is closed, or what came is not a frame.
    """
    return parse(receive_body(line, deadline, most))


def receive_body(line: socket.socket, deadline: Optional[float] = None, most: int = FRAME_CAP) -> bytes:
    """The bytes of one message; as ``receive_frame``."""
    (size,) = _HEADER.unpack(_receive_exactly(line, _HEADER.size, deadline))
    if size > most:
        raise TooLongError("a frame of %d bytes is more than the border lets through" % size)
    return _receive_exactly(line, size, deadline)


def parse(body: bytes) -> Any:
    """The message in the body of a frame.

    Raises:
        WireError: It is not a message.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise WireError("what came is not a frame") from None


def _receive_exactly(line: socket.socket, size: int, deadline: Optional[float]) -> bytes:
    parts: List[bytes] = []
    while size:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([line], [], [], left)[0]:
                raise WireTimeoutError("no answer in time")
        try:
            part = line.recv(min(size, 1 << 20))
        except OSError as error:
            raise ClosedError("the line is closed (%s)" % error) from None
        if not part:
            raise ClosedError("the line is closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def line_from(descriptor: int) -> socket.socket:
    """The socket behind an inherited descriptor."""
    return socket.socket(fileno=descriptor)
