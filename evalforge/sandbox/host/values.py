"""Plain data in JSON's terms, used on both sides of the border.

Values other than JSON's own are objects with a ``"!"`` key that names their type, e.g. ``{"!": "tuple", "v": [1, 2]}``.
"""

from __future__ import annotations

import base64
import builtins
import math
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional

_DEPTH_CAP = 60
# What costs little to send can cost hours to work with: numbers without end are no data.
_DIGITS_CAP = 100_000
_FRACTION_CAP = 4_000
_EXPONENT_CAP = 10_000
_SAFE_INT = 2**53


class NotDataError(Exception):
    """A value that can't cross by value."""


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
        ValueError: It is not what ``encode`` writes.
    """
    if depth > _DEPTH_CAP:
        raise ValueError("nested too deeply")
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
    except (TypeError, KeyError, IndexError, ArithmeticError, AttributeError) as error:
        raise ValueError("not a %s (%s)" % (name, error)) from None
    if special is None:
        raise ValueError("a value of unknown type %r" % (name,))
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
