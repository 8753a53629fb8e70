"""What the sphinx answers."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sphinx import EvaluationError, ParseError, evaluate, parse


@pytest.mark.parametrize(
    ("text", "value"), [("2 + 3 * 4", 14), ("2 ^ 3 ^ 2", 512), ("-2 ^ 2", -4), ("10 - 4 - 3", 9), ("(1 + 2) * 3", 9)]
)
def test_values(text, value):
    assert evaluate(text) == value


def test_variables_are_listed():
    assert parse("b + a * f(b)").variables() == ["a", "b"]


@pytest.mark.parametrize(("text", "position"), [("2 +", 3), ("2 3 $", 2), ("(1", 2), ("f(1,)", 4), ("2 + * 3", 4)])
def test_where_a_text_goes_wrong(text, position):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.position == position


@pytest.mark.parametrize("text", ["x", "f(1)", "1 / 0", "sqrt(-1)", "10 ^ 400", "1e999"])
def test_what_can_not_be_computed(text):
    with pytest.raises(EvaluationError):
        evaluate(text)
