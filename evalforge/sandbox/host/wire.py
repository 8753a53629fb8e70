"""Frames of plain data over a socket, used on both sides of the border. No pickle: nothing received is ever executed.

A frame is a length (4 bytes, big endian) and that many bytes of JSON. Values other than JSON's own are objects with a
``"!"`` key that names their type, e.g. ``{"!": "tuple", "v": [1, 2]}``.
"""

from __future__ import annotations

import base64
import builtins
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
ANSWER_CAP = 4 * 1024 * 1024
"""How long a frame of the player's process may be: parsing makes twenty bytes of one, at worst."""
_DEPTH_CAP = 60
# What costs little to send can cost hours to work with: numbers without end are no data.
_DIGITS_CAP = 100_000
_FRACTION_CAP = 4_000
_EXPONENT_CAP = 10_000
_SAFE_INT = 2**53
_HEADER = struct.Struct(">I")


class WireError(Exception):
    """The other side broke the protocol, closed the line, or let a deadline pass."""


class WireTimeoutError(WireError):
    """No whole frame came before the deadline."""


class ClosedError(WireError):
    """The other side hung up."""


class TooLongError(WireError):
    """A message that is longer than may cross."""


class NotDataError(Exception):
    """A value that can't cross by value."""


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


def _whole(digits: str, most: int) -> int:
    if len(digits) > most:
        raise ValueError("a number of %d digits" % len(digits))
    return int(digits, 16)


def _decimal(words: str) -> Decimal:
    value = Decimal(str(words)[:_DIGITS_CAP])
    if value.is_finite() and abs(value.adjusted()) > _EXPONENT_CAP:
        raise ValueError("an exponent of %d" % value.adjusted())
    return value


def class_name(value: Any) -> str:
    """The name of an object's class, asked of the class itself: a metaclass can give any other answer."""
    return str(_NAME.__get__(type(value)))


def base_names(value: Any) -> List[str]:
    """The names of the built-in classes that an object's class really descends from, nearest first."""
    names = [(str(_NAME.__get__(kind)), kind) for kind in _MRO.__get__(type(value))]
    return [name for name, kind in names if vars(builtins).get(name) is kind]


_NAME: Any = vars(type)["__name__"]
_MRO: Any = vars(type)["__mro__"]
_SEQUENCES: Any = {"tuple": tuple, "set": set, "frozenset": frozenset}
_DECODERS: Any = {
    "text": lambda v: base64.b64decode(v, validate=True).decode("utf-8", "surrogatepass"),
    "int": lambda v: _whole(v, _DIGITS_CAP),
    "float": lambda v: {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[v],
    "complex": lambda v: complex(float(v[0]), float(v[1])),
    "bytes": lambda v: base64.b64decode(v, validate=True),
    "decimal": lambda v: _decimal(v),
    "fraction": lambda v: Fraction(_whole(v[0], _FRACTION_CAP), _whole(v[1], _FRACTION_CAP)),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": clock_time.fromisoformat,
    "timedelta": lambda v: timedelta(int(v[0]), int(v[1]), int(v[2])),
    "ellipsis": lambda v: Ellipsis,
}
