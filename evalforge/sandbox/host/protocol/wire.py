"""Frames of plain data over a socket, used on both sides of the border. No pickle: nothing received is ever executed.

A frame is a length (4 bytes, big endian) and that many bytes of JSON: ``{"op": "stop"}`` travels as
``00 00 00 0d {"op":"stop"}``. ``values`` encodes data that JSON lacks.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from collections.abc import Callable

MAX_FRAME_BYTES = 16 * 1024 * 1024
MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""The longest frame that the player's process may send; parsing takes up to twenty times its size."""
_MAX_RECEIVE_BYTES = 1024 * 1024
_POLL_SECONDS = 0.25
_LENGTH = struct.Struct(">I")


class WireError(Exception):
    """The other side broke the protocol, closed the connection, or let a deadline pass."""


class WireTimeoutError(WireError):
    """No whole frame arrived before the deadline."""


class WireClosedError(WireError):
    """The other side closed the connection."""


class WireFrameTooLongError(WireError):
    """A message exceeds the longest allowed frame."""


def send_frame(connection: socket.socket, message: object, max_bytes: int = MAX_FRAME_BYTES) -> None:
    """Send one JSON-able message over a socket.

    Raises:
        WireError: The message is longer than ``max_bytes``, or the connection is closed.
    """
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > max_bytes:
        raise WireFrameTooLongError(f"{len(body)} bytes are more than a message may have")
    try:
        connection.sendall(_LENGTH.pack(len(body)) + body)
    except OSError as error:
        raise WireClosedError(f"the line is closed ({error})") from None


def receive_frame(connection: socket.socket, deadline: float | None = None, max_bytes: int = MAX_FRAME_BYTES) -> object:
    """Receive one message from the other end.

    Args:
        connection: A blocking socket.
        deadline: A ``time.monotonic`` value by which the whole frame must arrive; None waits forever.
        max_bytes: The longest allowed frame.

    Returns:
        The parsed JSON, which is still unchecked.

    Raises:
        WireTimeoutError: The deadline passed.
        WireError: The connection is closed, or the received data isn't a frame.
    """
    return parse_body(receive_body(connection, deadline, max_bytes))


def receive_body(
    connection: socket.socket,
    deadline: float | None = None,
    max_bytes: int = MAX_FRAME_BYTES,
    now: Callable[[], float] = time.monotonic,
) -> bytes:
    """Receive the bytes of one message; arguments and errors as in ``receive_frame``. ``now`` is the clock."""
    (size,) = _LENGTH.unpack(_receive_exactly(connection, _LENGTH.size, deadline, now))
    if size > max_bytes:
        raise WireFrameTooLongError(f"a frame of {size} bytes is more than a message may have")
    return _receive_exactly(connection, size, deadline, now)


def parse_body(body: bytes) -> object:
    """Parse the message in the body of a frame.

    Raises:
        WireError: The body isn't JSON.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise WireError("what was received is not a frame") from None


def _receive_exactly(connection: socket.socket, size: int, deadline: float | None, now: Callable[[], float]) -> bytes:
    parts: list[bytes] = []
    while size:
        if deadline is not None:
            _wait_for_data(connection, deadline, now)
        try:
            part = connection.recv(min(size, _MAX_RECEIVE_BYTES))
        except OSError as error:
            raise WireClosedError(f"the line is closed ({error})") from None
        if not part:
            raise WireClosedError("the line is closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _wait_for_data(connection: socket.socket, deadline: float, now: Callable[[], float]) -> None:
    """Wait for data; a clock other than ``time.monotonic`` is checked at intervals.

    Raises:
        WireTimeoutError: The deadline passed.
    """
    while True:
        seconds_left = deadline - now()
        if seconds_left <= 0:
            raise WireTimeoutError("no answer in time")
        if select.select([connection], [], [], min(seconds_left, _POLL_SECONDS))[0]:
            return
