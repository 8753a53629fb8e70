import pytest

from sphinx import EvaluationError, ParseError, evaluate, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("10 - 4 - 3", 3),
        ("12 / 3 * 2", 8),
        ("2 ^ 3 ^ 2", 512),
        ("-2 ^ 2", -4),
        ("2 ^ -1", 0.5),
        ("2 ^ -2 ^ 2", 0.0625),
        ("-7 % 3", 2),
        ("--2", 2),
        ("2 * -3", -6),
        ("(1 + 2) * 3", 9),
        ("1.5E-3", 0.0015),
        ("max(1, 2, min(7, 3))", 3),
        ("sqrt(abs(-16))", 4),
        ("floor(2.5)", 2),
        ("x * y_1", 6),
    ],
)
def test_values(text, value):
    assert evaluate(text, {"x": 2, "y_1": 3}) == value


@pytest.mark.parametrize(
    ("text", "position"),
    [("2 + * 3", 4), ("2 3 $", 2), ("(1 + 2", 6), ("f(1,)", 4), ("1)", 1), ("2 + ", 4), ("1.2.3", 3), ("2x", 1), ("", 0), ("(1, 2)", 2)],
)
def test_where_a_text_breaks(text, position):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("text", "position"),
    [("1 + x", 4), ("f(y)", 2), ("2 * f(1)", 4), ("1 / 0", 2), ("5 % (1 - 1)", 2), ("(-8) ^ 0.5", 5), ("1e300 * 1e300", 6), ("1e999", 0), ("1 + sqrt(-1)", 4), ("abs(1, 2)", 0), ("min()", 0)],
)
def test_where_a_value_breaks(text, position):
    with pytest.raises(EvaluationError) as caught:
        evaluate(text)
    assert caught.value.position == position


def test_names():
    assert parse("b + a * f(c) - a").variables() == ["a", "b", "c"]


def test_functions_may_be_replaced():
    assert evaluate("abs(2) + two()", functions={"abs": lambda x: x * 10, "two": lambda: 2.0}) == 22


def test_long_and_deep():
    assert evaluate("+".join(["1"] * 5000)) == 5000
    assert evaluate("(" * 9000 + "1" + ")" * 9000) == 1
