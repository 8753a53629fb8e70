import pytest


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7), ("10 - 4 - 3", 3), ("-2 ^ 2", -4), ("2 ^ 3 ^ 2", 512), ("2 ^ -1", 0.5), ("-7 % 3", 2),
        ("2 ^ -2 ^ 2", 0.0625), ("max(1, 2) + min(3, 4)", 5), ("1.5E-3", 0.0015), ("+-+2", -2),
    ],
)
def test_values(calculate, text, value):
    assert calculate(text) == value


def test_long_sums(calculate):
    assert calculate("+".join(["1"] * 5000)) == 5000


def test_functions(calculate):
    assert calculate("sqrt(x) + f()", {"x": 9}, {"f": lambda: 2.0}) == 5
    assert calculate("abs(2)", functions={"abs": lambda x: -x}) == -2
