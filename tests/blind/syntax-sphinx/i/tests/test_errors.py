import pytest

from sphinx import EvaluationError, ParseError


@pytest.mark.parametrize(
    ("text", "position"),
    [("2 + * 3", 4), ("(1 + 2", 6), ("f(1,)", 4), ("1)", 1), ("", 0), ("2x", 1)],
)
def test_parse_errors(place, text, position):
    assert place(text) == (ParseError, position)


@pytest.mark.parametrize(
    ("text", "position"),
    [("1 / 0", 2), ("x", 0), ("1 + f(1)", 4), ("sqrt(-1)", 0), ("1e300 * 1e300", 6), ("1e999", 0), ("min()", 0)],
)
def test_evaluation_errors(place, text, position):
    assert place(text) == (EvaluationError, position)


def test_the_depth_is_limited(place):
    assert place("(" * 500 + "1" + ")" * 500) == (ParseError, 101)
