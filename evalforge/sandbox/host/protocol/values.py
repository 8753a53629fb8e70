"""Encoding of plain data as JSON, used on both sides of the border.

Values other than JSON's own are objects with a ``"!"`` key that names their type, e.g. ``{"!": "tuple", "v": [1, 2]}``.

>>> encode((1, b"a"))
{'!': 'tuple', 'v': [1, {'!': 'bytes', 'v': 'YQ=='}]}
>>> decode(encode((1, b"a")))
(1, b'a')
"""

from __future__ import annotations

import base64
import builtins
import math
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional

_MAX_DEPTH = 60
# A value that is cheap to send could take hours to process, such as a number with endless digits.
_MAX_INTEGER_DIGITS = 100_000
_MAX_FRACTION_DIGITS = 4_000
_MAX_EXPONENT = 10_000
_JSON_SAFE_INTEGER = 2**53

EncodeObject = Callable[[Any, Any], Any]
DecodeObject = Callable[["dict[str, Any]"], Any]
_Encoder = Callable[[Any, Optional[EncodeObject], int], Any]


# Built-ins typed as ``Any``, because the types of the values and of what they contain are unknown.
_type: Any = type
_tuple: Any = tuple
_list: Any = list
_dict: Any = dict
_set: Any = set
_frozenset: Any = frozenset


class NotDataError(Exception):
    """A value that can't be sent by value."""


def encode(value: Any, encode_object: EncodeObject | None = None, depth: int = 0) -> Any:
    """Encode a value as JSON data.

    Built-in data crosses by value, instances of its subclasses by the built-in value inside them. Their own methods are
    never called, so a string whose ``__eq__`` is always true arrives as a normal string.

    Args:
        value: Any value.
        encode_object: Called as ``encode_object(value, base_value)`` with any other object, and with instances of
            subclasses; returns its JSON. None refuses such objects.
        depth: How deep inside the message the value is.

    Raises:
        NotDataError: The value, or one inside it, can't be sent.
    """
    if depth > _MAX_DEPTH:
        raise NotDataError("nested too deeply")
    kind = _type(value)
    if value is None or kind is bool or kind is str:
        return _encode_text(value) if kind is str else value
    encoder = _ENCODERS.get(kind)
    if encoder is not None:
        return encoder(value, encode_object, depth)
    for base, base_value_of in _BASE_VALUES.items():
        if isinstance(value, base) and issubclass(kind, base):
            try:
                base_value = encode(base_value_of(value), encode_object, depth + 1)
            except NotDataError:
                break
            return encode_object(value, base_value) if encode_object is not None else base_value
    if encode_object is None:
        raise NotDataError(f"{kind.__name__} is not plain data")
    return encode_object(value, None)


def _encode_text(value: Any) -> Any:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return {"!": "text", "v": _base64(value.encode("utf-8", "surrogatepass"))}
    return value


def _encode_list(value: list[Any], encode_object: EncodeObject | None, depth: int) -> Any:
    return [encode(item, encode_object, depth + 1) for item in list(value)]


def _collection_encoder(name: str, in_order: Callable[[Any], Iterable[Any]]) -> _Encoder:
    def encode_collection(value: Any, encode_object: EncodeObject | None, depth: int) -> Any:
        return {"!": name, "v": [encode(item, encode_object, depth + 1) for item in in_order(value)]}

    return encode_collection


def _in_stable_order(items: Iterable[Any]) -> list[Any]:
    """The items of a set in a stable order, so that the same run gives the same bytes."""
    return sorted(items, key=repr)


def _encode_dict(value: dict[Any, Any], encode_object: EncodeObject | None, depth: int) -> Any:
    pairs = list(value.items())
    return {
        "!": "dict",
        "v": [[encode(key, encode_object, depth + 1), encode(item, encode_object, depth + 1)] for key, item in pairs],
    }


def _encode_float(value: float, _: EncodeObject | None, __: int) -> Any:
    return value if math.isfinite(value) else {"!": "float", "v": repr(value)}


def _encode_int(value: int, _: EncodeObject | None, __: int) -> Any:
    return value if -_JSON_SAFE_INTEGER < value < _JSON_SAFE_INTEGER else {"!": "int", "v": hex(value)}


def _scalar_encoder(name: str, as_json: Callable[[Any], Any]) -> _Encoder:
    return lambda value, _, __: {"!": name, "v": as_json(value)}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


_ENCODERS: dict[type[Any], _Encoder] = {
    int: _encode_int,
    float: _encode_float,
    complex: _scalar_encoder("complex", lambda v: [repr(v.real), repr(v.imag)]),
    bytes: _scalar_encoder("bytes", _base64),
    bytearray: _scalar_encoder("bytes", _base64),
    list: _encode_list,
    tuple: _collection_encoder("tuple", list),
    set: _collection_encoder("set", _in_stable_order),
    frozenset: _collection_encoder("frozenset", _in_stable_order),
    dict: _encode_dict,
    Decimal: _scalar_encoder("decimal", str),
    Fraction: _scalar_encoder("fraction", lambda v: [hex(v.numerator), hex(v.denominator)]),
    datetime: _scalar_encoder("datetime", datetime.isoformat),
    date: _scalar_encoder("date", date.isoformat),
    clock_time: _scalar_encoder("time", clock_time.isoformat),
    timedelta: _scalar_encoder("timedelta", lambda v: [v.days, v.seconds, v.microseconds]),
    type(Ellipsis): _scalar_encoder("ellipsis", lambda v: None),
}
# How to get the built-in value of an instance of a subclass without calling the subclass.
_BASE_VALUES: dict[type[Any], Callable[[Any], Any]] = {
    str: str.__str__,
    int: lambda v: int.__add__(v, 0),
    float: lambda v: float.__add__(v, 0.0),
    bytes: lambda v: bytes.__getitem__(v, slice(None)),
    tuple: lambda v: tuple(_tuple.__iter__(v)),
    list: lambda v: list(_list.__iter__(v)),
    dict: lambda v: dict(_dict.items(v)),
    set: lambda v: set(_set.__iter__(v)),
    frozenset: lambda v: frozenset(_frozenset.__iter__(v)),
}


def decode(value: Any, decode_object: DecodeObject | None = None, depth: int = 0) -> Any:
    """Decode a value from ``encode``'s JSON.

    Args:
        value: Parsed JSON from any source.
        decode_object: Called with objects whose type only the caller knows (``handle``, ``callback``).
        depth: How deep inside the message the value is.

    Raises:
        ValueError: The JSON isn't in ``encode``'s form.
    """
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, _list):
        return [decode(item, decode_object, depth + 1) for item in value]
    if not isinstance(value, _dict):
        return value
    name, body = value.get("!"), value.get("v")
    try:
        if name in _COLLECTIONS:
            return _COLLECTIONS[name](decode(item, decode_object, depth + 1) for item in body)
        if name == "dict":
            return {decode(k, decode_object, depth + 1): decode(v, decode_object, depth + 1) for k, v in body}
        if name in _DECODERS:
            return _DECODERS[name](body)
    except (TypeError, KeyError, IndexError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"not a {name} ({error})") from None
    if decode_object is None:
        raise ValueError(f"a value of unknown type {name!r}")
    return decode_object(value)


def _integer(digits: str, max_digits: int) -> int:
    if len(digits) > max_digits:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits, 16)


def _decimal(text: str) -> Decimal:
    value = Decimal(str(text)[:_MAX_INTEGER_DIGITS])
    if value.is_finite() and abs(value.adjusted()) > _MAX_EXPONENT:
        raise ValueError(f"an exponent of {value.adjusted()}")
    return value


_COLLECTIONS: dict[Any, Callable[[Iterable[Any]], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_DECODERS: dict[Any, Callable[[Any], Any]] = {
    "text": lambda v: base64.b64decode(v, validate=True).decode("utf-8", "surrogatepass"),
    "int": lambda v: _integer(v, _MAX_INTEGER_DIGITS),
    "float": lambda v: {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[v],
    "complex": lambda v: complex(float(v[0]), float(v[1])),
    "bytes": lambda v: base64.b64decode(v, validate=True),
    "decimal": _decimal,
    "fraction": lambda v: Fraction(_integer(v[0], _MAX_FRACTION_DIGITS), _integer(v[1], _MAX_FRACTION_DIGITS)),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": clock_time.fromisoformat,
    "timedelta": lambda v: timedelta(int(v[0]), int(v[1]), int(v[2])),
    "ellipsis": lambda v: Ellipsis,
}

# Uses ``type`` itself, because a metaclass can return anything for ``cls.__name__``.
_TYPE_NAME: Any = vars(type)["__name__"]
_TYPE_MRO: Any = vars(type)["__mro__"]


def class_name(value: object) -> str:
    """The real name of an object's class."""
    return str(_TYPE_NAME.__get__(type(value)))


def builtin_base_names(value: object) -> list[str]:
    """The names of the built-in classes that an object's class really derives from, nearest first."""
    classes = [(str(_TYPE_NAME.__get__(kind)), kind) for kind in _TYPE_MRO.__get__(type(value))]
    return [name for name, kind in classes if vars(builtins).get(name) is kind]
