import pytest

import sphinx


@pytest.mark.parametrize(
    "text, position",
    [("2 + * 3", 4), ("2 3 $", 2), ("(1 + 2", 6), ("f(1,)", 4), ("1)", 1), ("2 + ", 4), ("1.2.3", 3), ("2x", 1), ("", 0)],
)
def test_no_expression(text, position):
    with pytest.raises(sphinx.ParseError) as caught:
        sphinx.parse(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text, position",
    [
        ("1 / 0", 2), ("1 % 0", 2), ("0 ^ -1", 2), ("(-8) ^ 0.5", 5), ("1e300 * 1e300", 6), ("1e999", 0), ("y", 0),
        ("1 + sqrt(-1)", 4), ("min()", 0), ("abs(1, 2)", 0), ("nobody(1)", 0), ("1 / 0 / 0", 2),
    ],
)
def test_no_value(text, position):
    with pytest.raises(sphinx.EvaluationError) as caught:
        sphinx.evaluate(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text, position",
    [("x + y", 0), ("1 / 0 + y", 8), ("1e300 * 1e300 + nobody()", 16), ("nobody(x)", 0)],
)
def test_unknown_names_are_told_before_anything_is_computed(text, position):
    with pytest.raises(sphinx.EvaluationError) as caught:
        sphinx.evaluate(text)
    assert caught.value.position == position


def test_nothing_is_called_if_a_name_is_unknown():
    calls = []
    with pytest.raises(sphinx.EvaluationError):
        sphinx.evaluate("f(1) + y", {}, {"f": calls.append})
    assert calls == []


@pytest.mark.parametrize("text", ["(" * 9999, "-" * 9999 + "1", "2^" * 9999 + "2"])
def test_deep(text):
    with pytest.raises(sphinx.ExpressionError):
        sphinx.evaluate(text)
