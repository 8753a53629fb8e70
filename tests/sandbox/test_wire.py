"""What crosses the border: plain data, whole or not at all, and never anything executable."""

import json
import math
import socket
import struct
import time
from collections import Counter, OrderedDict, defaultdict
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.sandbox.host import wire

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(st.characters(codec=None)),
    st.binary(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.datetimes(),
    st.dates(),
    st.timedeltas(),
    st.complex_numbers(allow_nan=False),
)
hashable = st.recursive(scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=6)
values = st.recursive(
    hashable,
    lambda inner: st.lists(inner) | st.dictionaries(hashable, inner, max_size=4) | st.sets(hashable, max_size=4),
    max_leaves=12,
)


def crossed(value: object) -> object:
    return wire.decode(json.loads(json.dumps(wire.encode(value))))


@given(values)
def test_data_crosses_unchanged(value: object) -> None:
    back = crossed(value)
    assert back == value
    assert type(back) is type(value)


def test_not_a_number_crosses_too() -> None:
    back = crossed(math.nan)
    assert isinstance(back, float)
    assert math.isnan(back)


class Point(NamedTuple):
    x: int
    y: int


class Colour(IntEnum):
    RED = 1


class Liar(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Cheat(dict):
    def items(self):
        return [("answer", 42)]


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Point(1, 2), (1, 2)),
        (Colour.RED, 1),
        (OrderedDict(a=1), {"a": 1}),
        (Counter("aab"), {"a": 2, "b": 1}),
        (defaultdict(int, a=1), {"a": 1}),
        (Liar("wrong"), "wrong"),
        (Cheat(a=1), {"a": 1}),
    ],
)
def test_an_instance_of_a_subclass_arrives_as_the_data_inside_it(value: object, data: object) -> None:
    back = crossed(value)
    assert type(back) is type(data)
    assert back == data


@pytest.mark.parametrize("value", [object(), print, Exception("x"), [object()], {"a": lambda: 1}])
def test_what_is_not_data_does_not_cross(value: object) -> None:
    with pytest.raises(wire.NotDataError):
        wire.encode(value)


def test_endless_nesting_does_not_cross() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(wire.NotDataError, match="too deeply"):
        wire.encode(loop)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.sampled_from(["!", "v"]), inner, max_size=4)
        | st.fixed_dictionaries(
            {
                "!": st.sampled_from(["tuple", "set", "dict", "int", "bytes", "fraction", "datetime", "handle"]),
                "v": inner,
            }
        )
    ),
    max_leaves=10,
)


@given(json_values)
def test_whatever_comes_is_data_or_a_clear_error(value: object) -> None:
    plain = (type(None), bool, int, float, str, bytes, list, tuple, dict, set, frozenset, Decimal, Fraction)
    try:
        back = wire.decode(value)
    except wire.WireError:
        return
    assert isinstance(back, (*plain, complex, datetime, date, timedelta, type(Ellipsis)))


@pytest.fixture
def pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair()


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
    began = time.monotonic()
    with pytest.raises(wire.WireTimeoutError):
        wire.receive_frame(right, began + 0.05)
    assert time.monotonic() - began < 2


def test_a_message_that_is_too_large_is_not_sent(pair: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(wire.WireError, match="more than the border"):
        wire.send_frame(pair[0], "x" * (wire.FRAME_CAP + 1))
