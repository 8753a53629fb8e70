"""Plain data in the steps of a claim: the operations allowed on it, and limits on its size.

Steps and results of the player's code aren't trusted. So each operation is in a table, and refuses what would take much
time or memory.
"""

import ast
import datetime as dt
import itertools
import json
import operator
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

from evalforge.evidence.claims.claim_steps import ClaimError

MAX_LENGTH = 100_000
"""The longest text or list that a step may make, the most nested items in all, and the most bits of an integer."""
_MAX_ITEMS = 2_000
_MAX_JSON_CHARS = 1_000_000
PLAIN_TYPES = frozenset({
    *(bool, int, float, str, bytes, list, tuple, set, frozenset, dict, type(None), Decimal, Fraction),
    *(dt.datetime, dt.date, dt.time, dt.timedelta),
})  # fmt: skip
_NUMBERS = (int, float, Decimal, Fraction)
_SIZED = (str, bytes, list, tuple)


def plain_type(value: Any) -> type[Any]:
    """The real class of a value, whatever the value claims."""
    return cast("type[Any]", type(value))


def items_of(values: Any) -> list[Any]:
    """The items of an iterable, which may be an endless generator of the player's.

    Raises:
        ClaimError: There are too many items.
    """
    items: list[Any] = list(itertools.islice(cast("Iterable[Any]", values), _MAX_ITEMS + 1))
    if len(items) > _MAX_ITEMS:
        raise ClaimError(f"a step goes through more than {_MAX_ITEMS:,} items")
    return items


def bounded(value: Any) -> Any:
    """Return the value if it isn't too large.

    Raises:
        ClaimError: It is too large: a short list of lists may hold millions of items, each many times.
    """
    waiting, count = [value], 0
    while waiting:
        part = waiting.pop()
        count += 1
        if count > MAX_LENGTH:
            raise ClaimError(f"a step makes something of more than {MAX_LENGTH:,} items")
        if plain_type(part) is dict:
            waiting += [*part.keys(), *part.values()]
        elif plain_type(part) in (list, tuple, set, frozenset):
            waiting += part
    return value


def _times(left: Any, right: Any) -> Any:
    for text, count in ((left, right), (right, left)):
        if plain_type(text) in _SIZED and plain_type(count) is int:
            if count > 0 and len(text) * count > MAX_LENGTH:
                raise ClaimError(f"a step makes something longer than {MAX_LENGTH:,}")
            return text * count
    return _of_numbers(operator.mul, left, right)


def _power(left: Any, right: Any) -> Any:
    if plain_type(left) is not int or plain_type(right) is not int or right < 0:
        raise ClaimError("a power must be of whole numbers, to one that is not below 0")
    if left.bit_length() * right > MAX_LENGTH:
        raise ClaimError(f"a step makes a number of more than {MAX_LENGTH:,} bits")
    return left**right


def _plus(left: Any, right: Any) -> Any:
    if plain_type(left) is plain_type(right) and plain_type(left) in _SIZED:
        if len(left) + len(right) > MAX_LENGTH:
            raise ClaimError(f"a step makes something longer than {MAX_LENGTH:,}")
        return left + right
    return _of_numbers(operator.add, left, right)


def _of_numbers(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    for value in (left, right):
        if plain_type(value) not in _NUMBERS:
            raise ClaimError("a step computes with something that isn't a number")
        parts = (value.numerator, value.denominator) if plain_type(value) in (int, Fraction) else ()
        if any(part.bit_length() > MAX_LENGTH for part in parts):
            raise ClaimError(f"a step makes a number of more than {MAX_LENGTH:,} bits")
    return operation(left, right)


BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Mult: _times,
    ast.Add: _plus,
    ast.Pow: _power,
    ast.Sub: lambda left, right: _of_numbers(operator.sub, left, right),
}
UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
METHODS: Mapping[type[Any], frozenset[str]] = {
    str: frozenset({"splitlines", "split", "strip", "startswith", "endswith", "count", "encode"}),
    bytes: frozenset({"splitlines", "startswith", "endswith", "count", "decode"}),
    dict: frozenset({"keys", "values", "items", "get"}),
    list: frozenset({"count", "index"}),
    tuple: frozenset({"count", "index"}),
}
"""The methods of plain data that a step may call, by type."""


def _parse_json(text: Any) -> Any:
    if plain_type(text) not in (str, bytes) or len(text) > _MAX_JSON_CHARS:
        raise ClaimError("json() takes a text, of a million characters at most")
    return json.loads(text)


def _decimal(text: Any) -> Decimal:
    if plain_type(text) not in (str, int) or len(str(text)) > MAX_LENGTH // 100:
        raise ClaimError("Decimal() takes a text or a whole number")
    value = Decimal(text)
    if value.is_finite() and abs(value.adjusted()) > MAX_LENGTH // 100:
        raise ClaimError("Decimal() takes no exponent as far from 0 as that")
    return value


def _fraction(*parts: Any) -> Fraction:
    return Fraction(*(part if plain_type(part) is int else _decimal(part) for part in parts))


def _set(values: Any = ()) -> set[Any]:
    return set(items_of(values))


def _frozenset(values: Any = ()) -> frozenset[Any]:
    return frozenset(items_of(values))


def _float(text: Any) -> float:
    if plain_type(text) not in (str, int, float) or len(str(text)) > MAX_LENGTH // 100:
        raise ClaimError("float() takes a text or a number")
    return float(text)


CONSTRUCTORS: Mapping[str, Callable[..., Any]] = {
    "Decimal": _decimal,
    "decimal.Decimal": _decimal,
    "Fraction": _fraction,
    "fractions.Fraction": _fraction,
    "float": _float,
    "set": _set,
    "frozenset": _frozenset,
    "datetime.datetime": dt.datetime,
    "datetime.date": dt.date,
    "datetime.time": dt.time,
    "datetime.timedelta": dt.timedelta,
    "json": _parse_json,
    "json.loads": _parse_json,
}
"""The functions that construct values, by their names in a step."""
