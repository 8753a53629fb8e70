import pytest

import sphinx

TEXTS = [
    ("", 0), ("   ", 3), ("2 + * 3", 4), ("(1 + 2", 6), ("f(1,)", 4), ("1)", 1), ("2 + ", 4), ("1.2.3", 3), ("2x", 1),
    (".5", 0), ("5.", 1), ("1e", 1), ("1e+", 1), ("2(3)", 1), ("(2)(3)", 3), ("()", 1), ("f(", 2), ("f(1", 3), ("f(,1)", 2),
    ("1, 2", 1), ("* 2", 0), ("2 ** 3", 3), ("2 // 3", 3), ("'a'", 0), ("a.b", 1), ("x = 1", 2), ("a[0]", 1), ("1 2", 2),
    (" 2  +  ) ", 7), ("2 ^", 3), ("-", 1), ("f(1 2)", 4), ("1_0", 1), ("a b", 2),
]


@pytest.mark.parametrize("text, position", TEXTS)
def test_where_a_text_goes_wrong(text, position):
    with pytest.raises(sphinx.ParseError) as caught:
        sphinx.parse(text)
    assert caught.value.position == position


COMPUTED = [
    ("1 + x", 4), ("x + y", 0), ("1 / 0 + x", 2), ("x + 1 / 0", 0), ("nope(1)", 0), ("1 + nope(x)", 9), ("nope(1 / 0)", 7),
    ("1 + sqrt(-1)", 4), ("abs()", 0), ("abs(1, 2)", 0), ("min()", 0), ("1 % 0", 2), ("0 ^ -1", 2), ("2 * 1e999", 4),
    ("1 / (2 - 2)", 2), ("(1 / 0) / 0", 3),
]


@pytest.mark.parametrize("text, position", COMPUTED)
def test_where_a_value_goes_wrong(text, position):
    parsed = sphinx.parse(text)
    with pytest.raises(sphinx.EvaluationError) as caught:
        parsed.evaluate()
    assert caught.value.position == position


def test_the_family_of_errors():
    assert issubclass(sphinx.ExpressionError, ValueError)
    assert issubclass(sphinx.ParseError, sphinx.ExpressionError)
    assert issubclass(sphinx.EvaluationError, sphinx.ExpressionError)
    assert not issubclass(sphinx.ParseError, sphinx.EvaluationError)


def test_an_exception_of_a_function_passes_through():
    error = ZeroDivisionError("mine")

    def fail(x):
        raise error

    with pytest.raises(ZeroDivisionError) as caught:
        sphinx.evaluate("1 + f(2)", functions={"f": fail})
    assert caught.value is error
