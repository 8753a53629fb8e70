"""What works so far."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest
import sphinx


def test_a_product_comes_before_a_sum():
    assert sphinx.evaluate("2 + 3 * x", {"x": 4}) == 14


def test_the_place_where_a_text_goes_wrong():
    with pytest.raises(sphinx.ParseError) as caught:
        sphinx.parse("2 + * 3")
    assert caught.value.position == 4


def test_from_left_to_right():
    assert sphinx.evaluate("10 - 4 - 3") == 3
    assert sphinx.evaluate("(1 + 2) * 3") == 9


def test_division_by_zero():
    with pytest.raises(sphinx.EvaluationError):
        sphinx.evaluate("1 / 0")


def test_power():
    assert sphinx.evaluate("2 ^ 3") == 8
