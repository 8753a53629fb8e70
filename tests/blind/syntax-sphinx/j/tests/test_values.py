import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sphinx import evaluate, parse


@pytest.mark.parametrize(
    "text, value",
    [
        ("1 + 2 * 3", 7), ("2 * 3 + 1", 7), ("10 - 4 - 3", 3), ("10 - 4 + 3", 9), ("12 / 3 * 2", 8), ("7 % 4 * 2", 6),
        ("2 * 7 % 4", 2), ("(1 + 2) * 3", 9), ("((2))", 2),
        ("--2", 2), ("-+-+2", 2), ("2 * -3", -6), ("2 - -3", 5), ("-7 % 3", 2), ("-(7 % 3)", -1), ("7 % -3", -2),
        ("2 ^ 3 ^ 2", 512), ("-2 ^ 2", -4), ("(-2) ^ 2", 4), ("2 ^ -1", 0.5), ("2 ^ -2 ^ 2", 0.0625), ("2 ^ +-+2", 0.25),
        ("2 * 3 ^ 2", 18), ("-2 ^ -2", -0.25), ("2 ^ 2 * 3", 12),
        ("007", 7), ("2.5", 2.5), ("1e3", 1000), ("1.5E-3", 0.0015), ("1e+2", 100), ("00.50", 0.5), ("2-1", 1),
        ("1e3-1", 999), ("\t1\n+\r2 ", 3), ("1+2", 3),
    ],
)
def test_value(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize(
    "text, value",
    [
        ("x", 3), ("X", 5), ("_x1 + x", 10), ("abs", 2), ("abs(-abs)", 2), ("e", 1), ("1e2 * e", 100), ("x ^ -x", 3**-3),
        ("sqrt(16)", 4), ("floor(-1.5)", -2), ("min(3, 1, 2)", 1), ("max(3, 1, 2)", 3), ("max(-1)", -1), ("abs (-1)", 1),
        ("max(1 + 1, min(9, 4) ^ 2)", 16),
    ],
)
def test_names(text, value):
    assert evaluate(text, {"x": 3, "X": 5, "_x1": 7, "abs": 2, "e": 1}) == value


def test_functions_are_handed_in():
    functions = {"abs": lambda x: x + 100, "zero": lambda: 0.0, "last": lambda *a: a[-1]}
    assert evaluate("abs(1) + zero()", functions=functions) == 101
    assert evaluate("last(1, 2, 3)", None, functions) == 3
    assert list(functions) == ["abs", "zero", "last"]


def test_exceptions_of_functions_pass():
    class Mine(Exception):
        pass

    def raise_mine(x):
        raise Mine

    with pytest.raises(Mine):
        evaluate("f(1)", {}, {"f": raise_mine})


def test_variables():
    assert parse("b + a * b - f(c, B) + d ^ 2").variables() == ["B", "a", "b", "c", "d"]
    assert parse("1").variables() == []
    assert parse("f()").variables() == []


def test_evaluated_twice():
    expression = parse("x * x")
    assert [expression.evaluate({"x": x}) for x in (2, 3, 2)] == [4, 9, 4]


def test_a_float_is_returned():
    assert type(evaluate("2")) is float
    assert type(evaluate("x + 1", {"x": 1})) is float


@pytest.mark.xfail(strict=True, reason="a lone variable comes back as it was handed in")
def test_a_lone_variable_is_a_float():
    assert type(evaluate("x", {"x": 1})) is float


numbers = st.integers(0, 50).map(lambda n: (str(n), float(n), 9))


def put(child, least):
    text, value, strength = child
    return (text if strength >= least else f"({text})"), value


def binary(sign, strength, function):
    def build(pair):
        (left, a), (right, b) = put(pair[0], strength), put(pair[1], strength + 1)
        return f"{left} {sign}{right}", function(a, b), strength

    return build


def grow(children):
    pairs = st.tuples(children, children)
    return st.one_of(
        pairs.map(binary("+", 1, lambda a, b: a + b)),
        pairs.map(binary("-", 1, lambda a, b: a - b)),
        pairs.map(binary("*", 2, lambda a, b: a * b)),
        children.map(lambda c: ("-" + put(c, 3)[0], -c[1], 3)),
        children.map(lambda c: (f"max(0, {c[0]})", max(0.0, c[1]), 9)),
    )


@settings(max_examples=200, deadline=None)
@given(st.recursive(numbers, grow, max_leaves=20))
def test_random_trees(case):
    text, value, _ = case
    if math.isfinite(value):
        assert evaluate(text) == value


@pytest.mark.xfail(strict=True, reason="the tree of a sum is as deep as it is long", raises=RecursionError)
def test_a_long_sum():
    assert evaluate("+".join(["1"] * 5000)) == 5000


@pytest.mark.parametrize("before, after", [("(", ")"), ("-", ""), ("1^", ""), ("abs(", ")")])
def test_sixty_deep(before, after):
    assert abs(evaluate(before * 60 + "1" + after * 60)) == 1
