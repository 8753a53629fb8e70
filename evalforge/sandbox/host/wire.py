"""Frames of plain data over a socket, used on both sides of the border. No pickle: nothing received is ever executed.

A frame is a length (4 bytes, big endian) and that many bytes of JSON. Values other than JSON's own are objects with a
``"!"`` key that names their type, e.g. ``{"!": "tuple", "v": [1, 2]}``.
"""

from __future__ import annotations

import base64
import json
import math
import select
import socket
import struct
import time
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional

FRAME_CAP = 16 * 1024 * 1024
_DEPTH_CAP = 60
_SAFE_INT = 2**53
_HEADER = struct.Struct(">I")


class WireError(Exception):
    """The other side broke the protocol, closed the line, or let a deadline pass."""


class WireTimeoutError(WireError):
    """No whole frame came before the deadline."""


class NotDataError(Exception):
    """A value that can't cross by value."""


def send_frame(line: socket.socket, message: Any) -> None:
    """Send one JSON-able message over a socket.

    Raises:
        WireError: It is too large, or the line is closed.
    """
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > FRAME_CAP:
        raise WireError("a message of %d bytes is more than the border lets through" % len(body))
    try:
        line.sendall(_HEADER.pack(len(body)) + body)
    except OSError as error:
        raise WireError("the line is closed (%s)" % error) from None


def receive_frame(line: socket.socket, deadline: Optional[float] = None) -> Any:
    """Receive one message.

    Args:
        line: A blocking socket.
        deadline: A ``time.monotonic`` value by which the whole frame must be here; None waits for ever.

    Raises:
        WireTimeoutError: The deadline passed.
        WireError: The line is closed, or what came is not a frame.
    """
    (size,) = _HEADER.unpack(_receive_exactly(line, _HEADER.size, deadline))
    if size > FRAME_CAP:
        raise WireError("a frame of %d bytes is more than the border lets through" % size)
    try:
        return json.loads(_receive_exactly(line, size, deadline))
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
            raise WireError("the line is closed (%s)" % error) from None
        if not part:
            raise WireError("the line is closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def line_from(descriptor: int) -> socket.socket:
    """The socket behind an inherited descriptor."""
    return socket.socket(fileno=descriptor)


def encode(value: Any, handle: Optional[Callable[[Any, Any], Any]] = None, depth: int = 0) -> Any:
    """A value in JSON's terms.

    Built-in data crosses by value, instances of its subclasses by the built-in value inside them: their own methods are
    never asked, so an ``__eq__`` that is always true arrives as what it really is.

    Args:
        value: Anything.
        handle: Called with any other object (and with instances of subclasses, as ``handle(value, base_value)``); gives
            the JSON that stands for it. None refuses them.
        depth: How deep inside the message the value stands.

    Raises:
        NotDataError: The value (or one inside it) can't cross.
    """
    if depth > _DEPTH_CAP:
        raise NotDataError("nested too deeply")
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return _text(value) if kind is str else value
    encoder = _ENCODERS.get(kind)
    if encoder is not None:
        return encoder(value, handle, depth)
    for base in _BASES:
        if isinstance(value, base) and issubclass(kind, base):
            try:
                inside = encode(_BASES[base](value), handle, depth + 1)
            except NotDataError:
                break
            return handle(value, inside) if handle is not None else inside
    if handle is None:
        raise NotDataError("%s is not plain data" % kind.__name__)
    return handle(value, None)


def _text(value):
    try:
        value.encode("utf-8")
        return value
    except UnicodeEncodeError:
        return {"!": "text", "v": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode("ascii")}


def _many(name, order=list):
    def encoder(value, handle, depth):
        items = [encode(item, handle, depth + 1) for item in order(value)]
        return items if name == "list" else {"!": name, "v": items}

    return encoder


def _stable(items):
    """Sets in a stable order, so that the same run gives the same bytes."""
    return sorted(items, key=repr)


def _encode_dict(value, handle, depth):
    return {
        "!": "dict",
        "v": [[encode(k, handle, depth + 1), encode(v, handle, depth + 1)] for k, v in list(value.items())],
    }


def _encode_float(value, handle, depth):
    return value if math.isfinite(value) else {"!": "float", "v": repr(value)}


def _encode_int(value, handle, depth):
    return value if -_SAFE_INT < value < _SAFE_INT else {"!": "int", "v": hex(value)}


def _written(name, write):
    return lambda value, handle, depth: {"!": name, "v": write(value)}


_ENCODERS: Any = {
    int: _encode_int,
    float: _encode_float,
    complex: _written("complex", lambda v: [repr(v.real), repr(v.imag)]),
    bytes: _written("bytes", lambda v: base64.b64encode(v).decode("ascii")),
    bytearray: _written("bytes", lambda v: base64.b64encode(v).decode("ascii")),
    list: _many("list"),
    tuple: _many("tuple"),
    set: _many("set", _stable),
    frozenset: _many("frozenset", _stable),
    dict: _encode_dict,
    Decimal: _written("decimal", str),
    Fraction: _written("fraction", lambda v: [hex(v.numerator), hex(v.denominator)]),
    datetime: _written("datetime", datetime.isoformat),
    date: _written("date", date.isoformat),
    clock_time: _written("time", clock_time.isoformat),
    timedelta: _written("timedelta", lambda v: [v.days, v.seconds, v.microseconds]),
    type(Ellipsis): _written("ellipsis", lambda v: None),
}
# How to get the built-in value out of an instance of a subclass without asking the subclass.
_BASES: Any = {
    str: lambda v: str.__str__(v),
    int: lambda v: int.__add__(v, 0),
    float: lambda v: float.__add__(v, 0.0),
    bytes: lambda v: bytes.__getitem__(v, slice(None)),
    tuple: lambda v: tuple(tuple.__iter__(v)),
    list: lambda v: list(list.__iter__(v)),
    dict: lambda v: dict(dict.items(v)),
    set: lambda v: set(set.__iter__(v)),
    frozenset: lambda v: frozenset(frozenset.__iter__(v)),
}


def decode(value: Any, special: Optional[Callable[[Dict[str, Any]], Any]] = None, depth: int = 0) -> Any:
    """The value behind ``encode``'s JSON.

    Args:
        value: Parsed JSON.
        special: Called with objects whose type only the caller knows (``handle``, ``callback``).
        depth: How deep inside the message the value stands.

    Raises:
        WireError: It is not what ``encode`` writes.
    """
    if depth > _DEPTH_CAP:
        raise WireError("nested too deeply")
    if isinstance(value, list):
        return [decode(item, special, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    name, body = value.get("!"), value.get("v")
    try:
        if name in _SEQUENCES:
            return _SEQUENCES[name](decode(item, special, depth + 1) for item in body)
        if name == "dict":
            return {decode(k, special, depth + 1): decode(v, special, depth + 1) for k, v in body}
        if name in _DECODERS:
            return _DECODERS[name](body)
    except (TypeError, ValueError, KeyError, IndexError, ArithmeticError, AttributeError) as error:
        raise WireError("not a %s (%s)" % (name, error)) from None
    if special is None:
        raise WireError("a value of unknown type %r" % (name,))
    return special(value)


_SEQUENCES: Any = {"tuple": tuple, "set": set, "frozenset": frozenset}
_DECODERS: Any = {
    "text": lambda v: base64.b64decode(v, validate=True).decode("utf-8", "surrogatepass"),
    "int": lambda v: int(v, 16),
    "float": lambda v: {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[v],
    "complex": lambda v: complex(float(v[0]), float(v[1])),
    "bytes": lambda v: base64.b64decode(v, validate=True),
    "decimal": Decimal,
    "fraction": lambda v: Fraction(int(v[0], 16), int(v[1], 16)),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": clock_time.fromisoformat,
    "timedelta": lambda v: timedelta(int(v[0]), int(v[1]), int(v[2])),
    "ellipsis": lambda v: Ellipsis,
}
