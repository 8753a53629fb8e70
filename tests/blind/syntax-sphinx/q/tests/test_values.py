import random

import pytest

import sphinx

VALUES = [
    ("7", 7), ("007", 7), ("2.5", 2.5), ("1e3", 1000), ("1.5E-3", 0.0015), ("2E+2", 200),
    ("10 - 4 - 3", 3), ("12 / 3 * 2", 8), ("12 / (3 * 2)", 2), ("2 + 3 * 4", 14), ("2 * 3 + 4", 10), ("17 % 5 * 2", 4),
    ("2-1", 1), ("2--1", 3), ("--2", 2), ("-+-2", 2), ("2 * -3", -6), ("-7 % 3", 2), ("7 % -3", -2), ("7.5 % 2", 1.5),
    ("-2 ^ 2", -4), ("(-2) ^ 2", 4), ("2 ^ 3 ^ 2", 512), ("(2 ^ 3) ^ 2", 64), ("2 ^ -1", 0.5), ("2 ^ -2 ^ 2", 2**-4),
    ("2 * 3 ^ 2", 18), ("-3 ^ 2 * 2", -18), ("2 ^ +2", 4), ("0 ^ 0", 1),
    (" \t\n1\r\n+\t2 ", 3), ("((((1))))", 1),
    ("abs(-3)", 3), ("sqrt(9)", 3), ("floor(-2.5)", -3), ("min(3)", 3), ("min(3, 1, 2)", 1), ("max(3, 1, 4)", 4),
    ("max(1, min(5, 3)) ^ 2", 9), ("abs (-1)", 1),
]


@pytest.mark.parametrize("text, value", VALUES)
def test_value(text, value):
    got = sphinx.evaluate(text)
    assert got == pytest.approx(value)
    assert type(got) is float


def test_variables():
    assert sphinx.evaluate("_a1 * A - a", {"_a1": 2, "A": 3.5, "a": 1}) == 6
    assert type(sphinx.evaluate("a", {"a": 1})) is float
    assert sphinx.parse("b + a * f(c, b) - abs(d)").variables() == ["a", "b", "c", "d"]
    assert sphinx.parse("f() + 1").variables() == []


def test_variables_and_functions_are_apart():
    assert sphinx.evaluate("abs(abs)", {"abs": -4}) == 4
    with pytest.raises(sphinx.EvaluationError):
        sphinx.evaluate("f", functions={"f": lambda: 1.0})
    with pytest.raises(sphinx.EvaluationError):
        sphinx.evaluate("f()", {"f": 1})


def test_functions_handed_in():
    assert sphinx.evaluate("two() + sum3(1, 2, 3)", functions={"two": lambda: 2.0, "sum3": lambda a, b, c: a + b + c}) == 8
    assert sphinx.evaluate("abs(-3)", functions={"abs": lambda x: x * 10}) == -30


def test_functions_get_floats():
    seen = []
    sphinx.evaluate("f(1, x)", {"x": 2}, {"f": lambda *values: seen.extend(values) or 0.0})
    assert [type(each) for each in seen] == [float, float]


def test_an_expression_may_be_evaluated_again():
    parsed = sphinx.parse("x * f(2)")
    assert parsed.evaluate({"x": 1}, {"f": lambda x: x}) == 2
    assert parsed.evaluate(functions={"f": lambda x: -x}, variables={"x": 5}) == -10


def test_nothing_handed_in_is_changed():
    variables, functions = {"x": 1}, {"f": abs}
    sphinx.evaluate("f(x)", variables, functions)
    assert (variables, functions) == ({"x": 1}, {"f": abs})


def test_sixty_deep():
    assert sphinx.evaluate("(" * 60 + "1" + ")" * 60) == 1
    assert sphinx.evaluate("-" * 60 + "1") == 1
    assert sphinx.evaluate("1 ^ " * 60 + "1") == 1
    assert sphinx.evaluate("abs(" * 60 + "1" + ")" * 60) == 1


def tree(dice, depth):
    """A text with a parenthesis around each operation, and its value."""
    if depth == 0 or dice.random() < 0.2:
        number = dice.randint(1, 9)
        return str(number), float(number)
    left, a = tree(dice, depth - 1)
    right, b = tree(dice, depth - 1)
    sign, value = dice.choice([("+", a + b), ("-", a - b), ("*", a * b)])
    return f"({left} {sign} {right})", value


@pytest.mark.parametrize("seed", range(20))
def test_random_trees(seed):
    text, value = tree(random.Random(seed), 5)
    assert sphinx.evaluate(text) == value
