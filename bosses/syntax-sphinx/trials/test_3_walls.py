"""Text from strangers: Python's language, and depths without end."""

import pytest

pytestmark = [
    pytest.mark.group("walls"),
    pytest.mark.clause("LIMITS"),
    pytest.mark.needs("test_a_good_text_is_not_refused"),
]

PYTHON = {
    "2 ** 3": 8, "7 // 2": 3, "1 if 0 else 3": 3, "2 < 1": 0, "not 1": 0, "1 and 2": 2, "lambda: 1": None, "[1][0]": 1,
    "(1, 2)": None, "True + 1": 2, "1 | 2": 3, "~1": -2, "1_000": 1000, "0x10": 16, "3j": None, "'a'": None,
    "__import__('os')": None, "x.imag": 0, "abs(x=1)": 1, "max(*x)": None, "(y := 2)": 2, "1 # one": None, "1; 2": None,
    "abs(-1) if 0 else 2": 2, "x[0]": None, "{1}": None, "None": None, "pi": None, "print(1)": None, "pow(2, 3)": 8,
    "__name__": None,
}  # fmt: skip
"""Texts that only Python understands, and what they are to it if that is a number."""
UNREAD = ["1 $ one", "1; $", "x $", "3$", "1 2"]
"""Texts with a rest that nobody understands: a program that does not read on gives them a value."""


def strangers(texts):
    """How each text ends: its value, or the name of the kind of error."""
    import sphinx

    ends = []
    for text in texts:
        try:
            ends.append(float(sphinx.evaluate(text, {"x": 1.0})))
        except sphinx.ExpressionError:
            ends.append("refused")
        except Exception as error:
            ends.append(type(error).__name__)
    return ends


@pytest.mark.advice("Read numbers, + and * first; refuse only what can't be read.")
def test_a_good_text_is_not_refused(player):
    """A valid text is accepted: only bad input is refused."""
    texts = ["1 + 2", "2 * 3", "7 - 4"]
    ends = player.drive(strangers, texts)
    # What another exception is worth is for the trials of values.
    assert any(end != "refused" for end in ends), "expected 3 for evaluate('1 + 2'); got an ExpressionError."


@pytest.mark.advice(
    "Match only the contract's tokens, look names up only in the two dicts and the five functions, and demand the "
    "end of the text. Skip no comments."
)
def test_python_is_not_spoken(player):
    """Python's own syntax, names and functions are refused."""
    reads_on = "refused" in player.drive(strangers, UNREAD)
    for text, end in zip(PYTHON, player.drive(strangers, list(PYTHON)), strict=True):
        if not reads_on and isinstance(end, float) and end != PYTHON[text]:
            continue  # it has read the beginning alone, which is for the trials of refusals
        assert end == "refused", f"evaluate({text!r}) with x=1: expected an ExpressionError; got {end}."


@pytest.mark.limits(seconds=4)
@pytest.mark.advice(
    "Pass all parentheses, signs, powers and calls through one counter while parsing, and raise ParseError above "
    "about 80 levels."
)
def test_depths_without_end(player):
    """However deeply a text is nested, it gives a value or an ExpressionError."""
    deep = 20_000
    texts = ["(" * deep + "1" + ")" * deep, "(" * deep, "-" * deep + "1", "1" + "^1" * deep, "2^-" * deep + "1"]
    texts += ["abs(" * deep + "1" + ")" * deep, "1+(" * deep, "-(" * deep, "min(1," * deep]
    for text, end in zip(texts, player.drive(strangers, texts), strict=True):
        assert end == "refused" or isinstance(end, float), (
            f"evaluate({text[:12]!r}...), {len(text)} characters, nested {deep} deep:"
            f" expected a value or an ExpressionError; got {end}."
        )
