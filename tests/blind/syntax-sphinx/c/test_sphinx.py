from sphinx import evaluate, parse, ParseError


def test_plus():
    print("2 + 3 * 4 =", evaluate("2 + 3 * 4"), "should be 14")


def test_minus():
    print("10 - 4 - 3 =", evaluate("10 - 4 - 3"), "should be 3")


def test_power():
    print("2 ^ 3 ^ 2 =", evaluate("2 ^ 3 ^ 2"), "should be 512")


def test_variables():
    print(parse("a + b * a").variables(), "should be a, b")


def test_error():
    try:
        parse("2 + * 3")
    except ParseError as e:
        print("position", e.position, "should be 4")
