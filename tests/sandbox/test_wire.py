"""Frames keep their borders, their bounds and their deadlines."""

import socket
import struct
import time
from collections.abc import Iterator

import pytest

from evalforge.sandbox.host.protocol import wire


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    left, right = socket.socketpair()
    with left, right:
        yield left, right


def test_frames_keep_their_borders(pair: tuple[socket.socket, socket.socket]) -> None:
    left, right = pair
    wire.send_frame(left, {"a": "ü" * 1000})
    wire.send_frame(left, [2])
    assert wire.receive_frame(right) == {"a": "ü" * 1000}
    assert wire.receive_frame(right, time.monotonic() + 5) == [2]


@pytest.mark.parametrize(
    "sent",
    [
        struct.pack(">I", 2**31) + b"x",
        struct.pack(">I", 3) + b"{a}",
        struct.pack(">I", 10) + b"{}",
        b"\0",
        struct.pack(">I", 4) + b"\xff\xff\xff\xff",
        struct.pack(">I", 400_000) + b"[" * 400_000,
    ],
)
def test_what_is_no_frame_is_refused(pair: tuple[socket.socket, socket.socket], sent: bytes) -> None:
    left, right = pair
    left.setblocking(False)
    while sent:
        try:
            sent = sent[left.send(sent) :]
        except BlockingIOError:
            break
    if not sent:
        left.close()
        with pytest.raises(wire.WireError):
            wire.receive_frame(right, time.monotonic() + 5)


def test_a_drip_of_bytes_does_not_stretch_the_deadline(pair: tuple[socket.socket, socket.socket]) -> None:
    left, right = pair
    left.sendall(struct.pack(">I", 100) + b"{")
    with pytest.raises(wire.WireTimeoutError):  # the rest never comes
        wire.receive_frame(right, time.monotonic() + 0.05)


def test_a_message_that_is_too_large_is_not_sent(pair: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(wire.WireError, match="more than a message may have"):
        wire.send_frame(pair[0], "x" * (wire.MAX_FRAME_BYTES + 1))
