from sphinx import evaluate


def test_sum():
    assert evaluate("1 + 2") == 3


def test_product():
    assert evaluate("2 * ( 3 + 4 )") == 14
