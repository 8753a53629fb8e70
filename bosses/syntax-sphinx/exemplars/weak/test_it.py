import sphinx


def test_evaluate():
    sphinx.evaluate("1 + 1")


def test_variable():
    sphinx.evaluate("x", {"x": 1})
