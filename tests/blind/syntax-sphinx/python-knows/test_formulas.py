import pytest

from sphinx import ParseError, evaluate


def test_formulas():
    for formula in ["1 + 2 * 3", "10 - 4 - 3", "2 * (3 + 4)"]:
        assert evaluate(formula) == eval(formula)


def test_power():
    assert evaluate("2 ^ 3") == 8


def test_error():
    with pytest.raises(ParseError):
        evaluate("2 + * 3")
