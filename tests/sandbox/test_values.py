"""What crosses the border: plain data, whole or not at all, and never anything executable."""

import json
import math
from collections import Counter, OrderedDict, defaultdict
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.sandbox.host.protocol import values

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
data = st.recursive(
    hashable,
    lambda inner: st.lists(inner) | st.dictionaries(hashable, inner, max_size=4) | st.sets(hashable, max_size=4),
    max_leaves=12,
)


def crossed(value: object) -> object:
    return values.decode(json.loads(json.dumps(values.encode(value))))


@given(data)
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
def test_an_instance_of_a_subclass_arrives_as_its_data(value: object, data: object) -> None:
    back = crossed(value)
    assert type(back) is type(data)
    assert back == data


@pytest.mark.parametrize("value", [object(), print, Exception("x"), [object()], {"a": lambda: 1}])
def test_what_is_not_data_does_not_cross(value: object) -> None:
    with pytest.raises(values.NotDataError):
        values.encode(value)


def test_endless_nesting_does_not_cross() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(values.NotDataError, match="too deeply"):
        values.encode(loop)


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
        back = values.decode(value)
    except ValueError:
        return
    assert isinstance(back, (*plain, complex, datetime, date, timedelta, type(Ellipsis)))
