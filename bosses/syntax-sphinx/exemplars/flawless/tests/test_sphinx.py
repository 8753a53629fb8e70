"""Values first, then errors and their places."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sphinx import EvaluationError, ExpressionError, ParseError, evaluate, parse

VALUES = {
    "1 + 2 * 3": 7,
    "10 - 4 - 3": 3,
    "12 / 3 * 2": 8,
    "7 % 4": 3,
    "-7 % 3": 2,
    "(2 + 3) * 4": 20,
    "2 ^ 3 ^ 2": 512,
    "-2 ^ 2": -4,
    "2 ^ -1": 0.5,
    "2 ^ -2 ^ 2": 0.0625,
    "2 * 3 ^ 2": 18,
    "2 * -3": -6,
    "-+-2": 2,
    "007": 7,
    "1.5E-1": 0.15,
    "\t1e3\n-1": 999,
    "x_1 * X": 6,
    "x - X": 1,
    "2e+2": 200,
    "floor(-2.5)": -3,
    "1 - -7 % 3": -1,
    "max ( 1 ,\n5 ) - 1": 4,
    "sqrt(4) + abs(-1) + floor(2.9) + min(3, 1, 2) + max(1, 5)": 11,
}


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_values(text, value):
    result = evaluate(text, {"x_1": 2, "X": 3, "x": 4})
    assert result == pytest.approx(value)
    assert isinstance(result, float)


def test_an_expression_can_be_used_again():
    expression = parse("b + a * f(c) + a")
    assert expression.variables() == ["a", "b", "c"]
    for a in (1, 2):
        assert expression.evaluate({"a": a, "b": 1, "c": 3}, {"f": lambda x: x * 10}) == 1 + 31 * a


def test_functions_may_have_no_argument_and_replace_ours():
    assert evaluate("two() - abs(1)", functions={"two": lambda: 2.0, "abs": lambda x: -x}) == 3
    assert evaluate("abs(1)") == 1
    assert evaluate("max(1)") == 1


def test_arguments_keep_their_order_and_dicts_their_content():
    variables, functions = {"x": 2, "max": 5}, {"f": lambda a, b: 10 * a + b}
    assert evaluate("f(x, 1) + max(1, 2) + max", variables, functions) == 28
    assert sorted(variables) == ["max", "x"]
    assert sorted(functions) == ["f"]


def test_arguments_may_be_given_by_name():
    assert evaluate(text="f(x)", variables={"x": 1}, functions={"f": lambda x: x + 1}) == 2
    assert parse(text="f(x)").evaluate(functions={"f": lambda x: x + 1}, variables={"x": 1}) == 2


def test_a_long_sum():
    assert evaluate("+".join(["1"] * 5000)) == 5000


PARSE_POSITIONS = {
    "": 0, "  ": 2, "2 +": 3, "2 + ": 4, "(1": 2, "1)": 1, "2 + * 3": 4, "2 3 $": 2, "f(1,)": 4, "f(,": 2, "f(1": 3,
    "1.2.3": 3, "2x": 1, "2(3)": 1, "1e": 1, ".5": 0, "5.": 1, "()": 1, "1,2": 1, "2 ** 3": 3, "$": 0, "f(1 2)": 4, "1 \n ?": 4,
}  # fmt: skip


@pytest.mark.parametrize(("text", "position"), PARSE_POSITIONS.items())
def test_where_a_text_goes_wrong(text, position):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.position == position


EVALUATION_POSITIONS = {
    "1 + x": 4, "a + g(a)": 4, "8 - 1 / 0": 6, "1 % 0": 2, "0 ^ -1": 2, "(-8) ^ 0.5": 5, "10 ^ 400": 3, "sqrt(-1)": 0,
    "1e300 * 1e300": 6, "1 + min()": 4, "abs(1, 2)": 0, "2 + 1e999": 4, "1 / 0 + x": 2, "x + 1 / 0": 0, "f(x)": 2, "f(1 / 0)": 4,
    "a(1)": 0, "max()": 0,
}  # fmt: skip


@pytest.mark.parametrize(("text", "position"), EVALUATION_POSITIONS.items())
def test_where_an_evaluation_goes_wrong(text, position):
    with pytest.raises(EvaluationError) as caught:
        evaluate(text, {"a": 1})
    assert caught.value.position == position


def test_errors_are_value_errors():
    assert issubclass(ExpressionError, ValueError)


def test_exceptions_of_others_pass_through():
    with pytest.raises(ZeroDivisionError):
        evaluate("f(0)", functions={"f": lambda x: 1 / x})


@pytest.mark.parametrize("text", ["2 # two", "1_000", "x.real", "pi", "pow(2, 3)", "'a'", "1 if 1 else 2"])
def test_python_is_not_understood(text):
    with pytest.raises(ExpressionError):
        evaluate(text, {"x": 1})


@pytest.mark.parametrize("text", ["(" * 9000, "(" * 9000 + "1" + ")" * 9000, "-" * 9000 + "1", "1" + "^1" * 9000, "f(" * 9000])
def test_any_depth_ends_in_a_value_or_an_error_of_ours(text):
    try:
        assert evaluate(text) in (1, -1)
    except ExpressionError:
        pass


@pytest.mark.parametrize(
    "text",
    ["(" * 60 + "1" + ")" * 60, "-" * 60 + "1", "1" + "^1" * 60, "abs(" * 60 + "1" + ")" * 60, "1*(" * 60 + "1" + ")" * 60],
)
def test_sixty_levels_are_fine(text):
    assert evaluate(text) == 1
