import pytest

from sphinx import ParseError, evaluate


def test_precedence():
    assert evaluate("2 + 3 * 4") == 14
    assert evaluate("10 - 4 - 3") == 3


def test_power():
    assert evaluate("2 ^ 3 ^ 2") == 512


def test_error():
    with pytest.raises(ParseError):
        evaluate("(1")
