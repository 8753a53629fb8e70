"""Two promises to begin with. They fail until the stone speaks."""

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
