"""Values, places, and walls."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest
import sphinx

NAMES = {"x": 3, "_y1": 0.5, "X": 7, "abs": 11}


@pytest.mark.parametrize(
    "text, value",
    [
        ("2 + 3 * 4", 14), ("10 - 4 - 3", 3), ("12 / 3 * 2", 8), ("12 % 7 % 3", 2), ("(2 + 3) * 4", 20),
        ("-2 ^ 2", -4), ("2 ^ 3 ^ 2", 512), ("2 ^ -1", 0.5), ("2 ^ -2 ^ 2", 0.0625), ("--2", 2), ("2 * -3", -6),
        ("-7 % 3", 2), ("7 % -3", -2), ("2 - -+-3", -1), ("(-2) ^ 2", 4), ("2 ^ --2", 4), ("2-1", 1),
        ("007", 7), ("1.5E-3", 0.0015), ("1e3", 1000), ("1e+2", 100), (" \t\n1\r\n+ 2 ", 3),
        ("x + X * _y1", 6.5), ("abs + abs(-1)", 12), ("min(3, 1, 2) + max(4)", 5), ("sqrt(floor(9.9))", 3),
        ("floor(-1.5)", -2), ("max (1, 2)", 2),
    ],
)
def test_values(text, value):
    result = sphinx.evaluate(text, NAMES)
    assert result == pytest.approx(value, rel=1e-15)
    assert type(result) is float


@pytest.mark.parametrize(
    "text, position",
    [
        ("2 + * 3", 4), ("2 3 $", 2), ("(1 + 2", 6), ("f(1,)", 4), ("1)", 1), ("2 + ", 4), ("1.2.3", 3), ("2x", 1),
        ("", 0), ("  ", 2), (".5", 0), ("5.", 1), ("1e", 1), ("1e+", 1), ("()", 1), ("(1, 2)", 2), ("2(3)", 1),
        ("(2)(3)", 3), ("f(,1)", 2), ("f(1 2)", 4), ("f(1", 3), ("1 + $ )", 4), ("1 ** 2", 3), ("1_0", 1), ("'a'", 0),
        ("f(1)(2)", 4), ("\u00e9", 0), ("1\f", 1),
    ],
)
def test_no_expression(text, position):
    with pytest.raises(sphinx.ParseError) as caught:
        sphinx.parse(text)
    assert caught.value.position == position
    assert isinstance(caught.value, sphinx.ExpressionError) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "text, position",
    [
        ("1 + y", 4), ("1 / 0", 2), ("1 % (1 - 1)", 2), ("0 ^ -1", 2), ("(-8) ^ 0.5", 5), ("1e300 * 1e300", 6),
        ("2 + 1e999", 4), ("10 ^ 400", 3), ("g(1)", 0), ("1 + abs()", 4), ("sqrt(1, 2)", 0), ("min()", 0),
        ("2 * sqrt(-1)", 4), ("g(1 / 0)", 4), ("y + 1 / 0", 0), ("1 / 0 + y", 2), ("y ^ z", 0), ("max(y, z)", 4),
        ("x(1)", 0), ("1 - 0 / 0 - 0 / 0", 6),
    ],
)
def test_no_value(text, position):
    expression = sphinx.parse(text)
    with pytest.raises(sphinx.EvaluationError) as caught:
        expression.evaluate(NAMES)
    assert caught.value.position == position


def test_functions_that_are_handed_in():
    functions = {"abs": lambda *a: 5.0, "none": lambda: 1.0}
    assert sphinx.evaluate("abs() + abs(1, 2) + none()", None, functions) == 11
    assert set(functions) == {"abs", "none"}

    def trouble(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        sphinx.evaluate("t(1)", functions={"t": trouble})


def test_an_expression_is_used_again():
    expression = sphinx.parse("b * a + b + abs(B)")
    assert expression.variables() == ["B", "a", "b"]
    assert [expression.evaluate({"a": a, "b": 2, "B": 0}) for a in (1, 2, 1)] == [4, 6, 4]


def test_long_is_no_trouble():
    assert sphinx.evaluate(" + ".join(["1"] * 5000)) == 5000
    assert len(sphinx.parse(" - ".join(f"v{i}" for i in range(5000))).variables()) == 5000


@pytest.mark.parametrize("before, after", [("(", ")"), ("-", ""), ("1 ^ ", ""), ("abs(", ")")])
def test_deep(before, after):
    assert abs(sphinx.evaluate(before * 60 + "1" + after * 60)) == 1
    for depth in (200, 20_000):
        try:
            sphinx.evaluate(before * depth + "1" + after * depth)
        except sphinx.ExpressionError:
            pass
