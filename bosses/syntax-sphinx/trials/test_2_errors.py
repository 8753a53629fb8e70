"""What has no value: which error, and where."""

import pytest

WRONG_PLACE = "The position is that of the leftmost thing that can't stand there."


def told(cases):
    """For each text and variables: what kind of end it takes, and at which position."""
    import sphinx

    ends = []
    for text, variables in cases:
        try:
            ends.append(["value", sphinx.evaluate(text, variables)])
        except sphinx.ParseError as error:
            ends.append(["parse", getattr(error, "position", None)])
        except sphinx.EvaluationError as error:
            ends.append(["evaluation", getattr(error, "position", None)])
        except Exception as error:
            ends.append([type(error).__name__, None])
    return ends


def ends(player, kind, expected, words, variables=None):
    """Each text ends in an error of this kind, at its position unless that is None."""
    name = {"parse": "a ParseError", "evaluation": "an EvaluationError"}[kind]
    for (found, position), due in zip(
        player.drive(told, [(text, variables) for text in expected]), expected.values(), strict=True
    ):
        assert found != "value", f"{words} Here a value came back, where {name} is due."
        came = {"parse": "a ParseError", "evaluation": "an EvaluationError"}.get(found, found)
        assert found == kind, f"{words} Here {name} is due, and {came} came."
        if due is not None:
            assert isinstance(position, int), "The attribute position is an int."
            assert position == due, f"{words} The position was {position}, and should be {due}."


def lineage():
    """How the three errors are related."""
    import sphinx

    base = sphinx.ExpressionError
    return [issubclass(base, ValueError), issubclass(sphinx.ParseError, base), issubclass(sphinx.EvaluationError, base)]


@pytest.mark.group("refusals")
def test_invalid_text(player):
    """Text that is no expression ends in a ParseError; nothing is multiplied unless a sign says so."""
    broken = ["", "   ", "1 +", "* 2", "(1", "1)", "2 3", "f(1", "a b", "2 $ 3", "()", "f(,1)", "1,2", "+", ".5", "5."]
    broken += ["2x", "2(3)", "(2)(3)", "a(2)a", "2 sqrt(4)", "(1)2", "max(1,)"]
    ends(player, "parse", dict.fromkeys(broken), "This text is no expression.", {"a": 1, "b": 2, "x": 3})
    player.module("sphinx").parse("nobody + knows(us)")
    kinds = player.drive(lineage)
    assert kinds == [True, True, True], "ExpressionError is a ValueError, the other two are ExpressionErrors."


@pytest.mark.group("refusals")
def test_what_has_no_value(player):
    """A missing name, an impossible operation or an impossible call ends in an EvaluationError."""
    broken = ["x", "f(1)", "1 / 0", "1 % 0", "0 ^ -1", "(-8) ^ 0.5", "10 ^ 400", "1e300 * 1e300", "sqrt(-1)", "min()"]
    broken += ["abs(1, 2)", "sqrt()", "1e999", "-1e200 * 1e200", "1e308 + 1e308"]
    ends(player, "evaluation", dict.fromkeys(broken), "This expression is valid and has no value.")


@pytest.mark.group("parse_positions")
def test_where_a_token_cannot_stand(player):
    """A ParseError stands where the thing begins that can't stand there."""
    expected = {"2 + * 3": 4, "(1 22)": 3, "1)": 1, "* 2": 0, "2x": 1, "2 (3)": 2, "f(1,)": 4, "f(,1)": 2, "1,2": 1}
    expected |= {"a  bcd": 3, "2 ^ * 3": 4, "2 ** 3": 3, "()": 1, "-)": 1, "(1,2)": 2, "max(1 2)": 6, "1 + 2 3 + 4": 6}
    ends(player, "parse", expected, WRONG_PLACE)


@pytest.mark.group("parse_positions")
def test_where_the_text_ends(player):
    """If the text ends too early, the position is its length."""
    expected = {"": 0, "   ": 3, "2 +": 3, "2 + ": 4, "(1 + 2": 6, "f(": 2, "f(1, ": 5, "-": 1, "2 ^": 3, "((1)": 4}
    ends(player, "parse", expected, "If the text ends too early, the position is len(text).")


@pytest.mark.group("parse_positions")
def test_where_no_token_begins(player):
    """A character that begins no token is where the trouble is; a token is as long as it can be."""
    expected = {
        "2 $ 3": 2,
        "$": 0,
        "1.2.3": 3,
        ".5": 0,
        "5.": 1,
        "5. + 1": 1,
        "1e": 1,
        "1e+": 1,
        "2 + 'a'": 4,
        "a.b": 1,
    }
    expected |= {"x = 2": 2, "[1]": 0, "1_000": 1, "0x10": 1, "1.e3": 1, "\n\n ?": 3}
    ends(player, "parse", expected, WRONG_PLACE)


@pytest.mark.group("parse_positions")
def test_the_leftmost_trouble(player):
    """Of several troubles the leftmost is told, whatever kind it is."""
    expected = {"2 3 $": 2, "$ 2 3": 0, "(1 2 $": 3, "1 + ) $": 4, ") + (": 0, "2 + + * $": 6, "1 / 0 2": 6, "x y": 2}
    ends(player, "parse", expected, "Of several troubles the leftmost is told.")


@pytest.mark.group("parse_positions")
def test_random_damage(player, rng):
    """A stray character in a random expression is found where it stands, a text cut after an operator at its end."""
    cases = {}
    for _ in range(60):
        words = [rng.choice(["1", "x", "(2 - y)", "f(1, 2)", "-3"])]
        for _ in range(rng.randint(1, 6)):
            words += [rng.choice(["+", "-", "*", "/", "%", "^"]), rng.choice(["2.5", "ab", "(x)", "-4", "g()"])]
        gap = rng.choice([" ", "  "])
        place = rng.randint(0, len(words))
        before = gap.join(words[:place]) + gap * (place > 0)
        cases[before + rng.choice("$?!&=;") + gap + gap.join(words[place:])] = len(before)
        cut = gap.join(words[: rng.randrange(1, len(words), 2) + 1])
        cases[cut] = len(cut)
    ends(player, "parse", cases, "A random expression was damaged in one place.")


@pytest.mark.group("eval_positions")
def test_where_a_name_is_missing(player):
    """A name that is not there is told where it stands."""
    expected = {"x": 0, "a + bb * a": 4, "a + f(a)": 4, "abs(a) + abs(zz)": 13, "a * (a - aa)": 9, "a(1)": 0, "abs": 0}
    ends(player, "evaluation", expected, "A missing name is told where it stands.", {"a": 1})


@pytest.mark.group("eval_positions")
def test_where_an_operation_fails(player):
    """An impossible operation is told where its operator stands."""
    expected = {"1 / 0": 2, "8 - 1 / (2 - 2)": 6, "4 % 0": 2, "0 ^ -1": 2, "(-8) ^ 0.5": 5, "1 + 10 ^ 400": 7}
    expected |= {
        "1e300 * 1e300 / 2": 6,
        "2 / a / 0": 6,
        "2 ^ (2 ^ (2 ^ (2 ^ 9)))": 7,
        "-1e308 - 1e308": 7,
        "0^-(1^2)": 1,
    }
    ends(player, "evaluation", expected, "An operation that fails is told where its operator stands.", {"a": 1})


@pytest.mark.group("eval_positions")
def test_where_a_call_fails(player):
    """An impossible call is told where its name stands, an impossible number where it begins."""
    expected = {"1 + sqrt(1 - 2)": 4, "2 * min()": 4, "abs(1, 2)": 0, "1 + floor()": 4, "abs(sqrt(-1))": 4}
    expected |= {"max(1, sqrt(4, 4))": 7, "2 + 1e999": 4}
    ends(player, "evaluation", expected, "A call that fails is told where its name stands.")


@pytest.mark.group("eval_positions")
def test_the_first_trouble(player):
    """Of several troubles the one that is met first from left to right is told."""
    expected = {
        "1 / 0 + x": 2,
        "x + 1 / 0": 0,
        "f(1 / 0)": 4,
        "f(x)": 2,
        "x / 0": 0,
        "1 / 0 ^ y": 8,
        "min(1 / 0, x)": 6,
    }
    expected |= {"x ^ y": 0, "(1 % 0) * (1 / 0)": 3, "1 - 1 / 0 - 1 / 0": 6, "f(g(1))": 2}
    ends(player, "evaluation", expected, "Operands are evaluated from left to right.")


@pytest.mark.group("eval_positions")
def test_exceptions_of_others(player):
    """An exception from a function that was handed in passes through as it is."""
    sphinx = player.module("sphinx")

    def refuse(x):
        raise LookupError(f"no rune {x}")

    with pytest.raises(LookupError, match="no rune 3"):
        sphinx.evaluate("1 + f(3)", functions={"f": refuse})

    def divide(x):
        raise ZeroDivisionError("by the stone itself")

    with pytest.raises(ZeroDivisionError, match="by the stone itself"):
        sphinx.evaluate("f(3)", functions={"f": divide})
