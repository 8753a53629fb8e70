"""Text from strangers: Python's language, and depths without end."""

import pytest

pytestmark = pytest.mark.group("walls")

PYTHON = [
    "2 ** 3", "7 // 2", "1 if 2 else 3", "1 < 2", "not 1", "1 and 2", "lambda: 1", "[1][0]", "(1, 2)", "True + 1",
    "1 | 2", "~1", "1_000", "0x10", "3j", "'a'", "__import__('os')", "x.real", "abs(x=1)", "max(*x)", "(y := 2)",
    "1 # one", "1; 2", "abs(-1) if 1 else 0", "x[0]", "{1}", "None", "pi", "print(1)", "pow(2, 3)", "__name__",
]  # fmt: skip


def strangers(texts):
    """How each text ends: a value, or the name of the kind of error."""
    import sphinx

    ends = []
    for text in texts:
        try:
            sphinx.evaluate(text, {"x": 1.0})
            ends.append("value")
        except sphinx.ExpressionError:
            ends.append("refused")
        except Exception as error:
            ends.append(type(error).__name__)
    return ends


def test_python_is_not_spoken(player):
    """Python's own syntax, names and functions are refused."""
    for end in player.drive(strangers, PYTHON):
        assert end != "value", "Something that only Python understands got a value."
        assert end == "refused", f"Something that only Python understands ended in {end}, not in an ExpressionError."


@pytest.mark.limits(seconds=4)
def test_depths_without_end(player):
    """However deep a text is nested, it ends in a value or in an ExpressionError."""
    deep = 20_000
    texts = ["(" * deep + "1" + ")" * deep, "(" * deep, "-" * deep + "1", "1" + "^1" * deep, "2^-" * deep + "1"]
    texts += ["abs(" * deep + "1" + ")" * deep, "1+(" * deep, "-(" * deep, "min(1," * deep]
    for end in player.drive(strangers, texts):
        assert end in ("value", "refused"), f"A text that is nested without end ended in {end}."
