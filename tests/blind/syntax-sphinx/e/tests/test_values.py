import pytest

import sphinx

VALUES = """
2 + 3 * 4           14
10 - 4 - 3          3
12 / 3 * 2          8
-2 ^ 2              -4
2 ^ 3 ^ 2           512
2 ^ -1              0.5
2 ^ -2 ^ 2          0.0625
-7 % 3              2
--2                 2
2 * -3              -6
(1 + 2) * (3 + 4)   21
007 + 1e3           1007
1.5E-3              0.0015
a * b + A           10
abs(-3) + sqrt(4)   5
floor(2.9)          2
min(3, 1, 2)        1
max(3)              3
twice(a) + abs      111
"""


@pytest.mark.parametrize("line", VALUES.strip().splitlines())
def test_value(line):
    text, value = line[:20].strip(), float(line[20:])
    variables = {"a": 2, "b": 3, "A": 4, "abs": 107}
    assert sphinx.evaluate(text, variables, {"twice": lambda x: 2 * x}) == value


def test_long():
    assert sphinx.evaluate("1" + " + 1" * 4999) == 5000


def test_variables():
    assert sphinx.parse("b + a + f(b, c)").variables() == ["a", "b", "c"]
