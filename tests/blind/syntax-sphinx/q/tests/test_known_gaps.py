"""What the program does not do yet. Each of these must be mended before it may be moved to the other files."""

import pytest

import sphinx

gap = pytest.mark.xfail(strict=True)


def trouble(text, kind, **names):
    with pytest.raises(kind) as caught:
        sphinx.evaluate(text, **names)
    return caught.value.position


@gap
def test_the_first_error_wins_over_a_stray_sign():
    assert trouble("2 3 $", sphinx.ParseError) == 2


@gap
def test_a_power_that_is_not_real():
    assert trouble("(-8) ^ 0.5", sphinx.EvaluationError) == 5


@gap
def test_a_product_too_large():
    assert trouble("1e300 * 1e300", sphinx.EvaluationError) == 6


@gap
def test_a_power_too_large():
    assert trouble("10 ^ 400", sphinx.EvaluationError) == 3


@gap
def test_a_long_sum():
    assert sphinx.evaluate(" + ".join(["1"] * 5000)) == 5000


@gap
@pytest.mark.parametrize("text", ["(" * 20000 + "1" + ")" * 20000, "-" * 20000 + "1", "(" * 20000])
def test_deep_nesting_ends_in_a_value_or_an_error(text):
    try:
        sphinx.evaluate(text)
    except sphinx.ExpressionError:
        pass
