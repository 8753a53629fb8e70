import pytest

from sphinx import EvaluationError, ExpressionError, ParseError, evaluate, parse


@pytest.mark.parametrize(
    "text, position",
    [
        ("2 + * 3", 4), ("2 3 $", 2), ("(1 + 2", 6), ("f(1,)", 4), ("1)", 1), ("2 + ", 4), ("1.2.3", 3), ("2x", 1),
        ("", 0), (" \n", 2), (".5", 0), ("5.", 1), ("1e", 1), ("1e-", 1), ("1.5e+x", 3), ("()", 1), ("(1, 2)", 2),
        ("2(3)", 1), ("(2)(3)", 3), ("f(,1)", 2), ("f(1 2)", 4), ("f(", 2), ("1 + (", 5), ("* 1", 0), ("1 ** 2", 3),
        ("1 // 2", 3), ("x y", 2), ("$", 0), ("1 + 'a'", 4), ("1 ) $", 2), ("a.b", 1), ("a[0]", 1), ("1_000", 1), (",", 0),
    ],
)
def test_parse_error(text, position):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text, position",
    [
        ("1 + y", 4), ("1 / 0", 2), ("1 % 0", 2), ("0 ^ -1", 2), ("(-8) ^ 0.5", 5), ("1e300 * 1e300", 6), ("g(1)", 0),
        ("abs()", 0), ("1 + abs(1, 2)", 4), ("min()", 0), ("max()", 0), ("2 * sqrt(-1)", 4), ("floor()", 0),
        ("g(1 / 0)", 4), ("1 / 0 + y", 2), ("y + 1 / 0", 0), ("y ^ z", 0), ("f(y, z)", 2), ("1 / (2 - 2) / 0", 2),
        ("-1e300 * 1e300", 7),
    ],
)
def test_evaluation_error(text, position):
    expression = parse(text)
    with pytest.raises(EvaluationError) as caught:
        expression.evaluate()
    assert caught.value.position == position


@pytest.mark.xfail(strict=True, reason="** raises an OverflowError of its own", raises=OverflowError)
def test_a_power_that_is_too_large():
    with pytest.raises(EvaluationError) as caught:
        evaluate("1 + 10 ^ 400")
    assert caught.value.position == 7


@pytest.mark.xfail(strict=True, reason="the number becomes inf and is told by the next operator, if any")
@pytest.mark.parametrize("text, position", [("1e999", 0), ("1 + 1e999", 4), ("1e999 * 0", 0)])
def test_a_number_that_is_too_large(text, position):
    with pytest.raises(EvaluationError) as caught:
        evaluate(text)
    assert caught.value.position == position


@pytest.mark.xfail(strict=True, reason="depth is not counted", raises=RecursionError)
@pytest.mark.parametrize("text", ["(" * 20000, "-" * 20000 + "1", "1^" * 20000 + "1"])
def test_the_depth_of_strangers(text):
    with pytest.raises(ExpressionError):
        evaluate(text)


def test_the_family_of_errors():
    assert issubclass(ExpressionError, ValueError)
    assert issubclass(ParseError, ExpressionError) and issubclass(EvaluationError, ExpressionError)
    assert not issubclass(ParseError, EvaluationError)
