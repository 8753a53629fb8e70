"""What has no value: which error, and where."""

import pytest

pytestmark = [pytest.mark.clause("ERRORS"), pytest.mark.needs("test_a_good_text_is_not_refused")]

NAMES = {"parse": "a ParseError", "evaluation": "an EvaluationError"}


def told(cases):
    """For each text and variables: what kind of end it takes, and at which position."""
    import sphinx

    ends = []
    for text, variables in cases:
        try:
            ends.append(["value", repr(sphinx.evaluate(text, variables))])
        except sphinx.ParseError as error:
            ends.append(["parse", getattr(error, "position", None)])
        except sphinx.EvaluationError as error:
            ends.append(["evaluation", getattr(error, "position", None)])
        except Exception as error:
            ends.append([type(error).__name__, None])
    return ends


def outcome(kind, position):
    """What a text gave, in words."""
    if kind == "value":
        return f"the value {position}"
    return f"{NAMES[kind]} at {position!r}" if kind in NAMES else kind


def ends(player, kind, expected, variables=None):
    """Each text ends in an error of this kind, at its position."""
    told_of = player.drive(told, [(text, variables) for text in expected])
    for (text, place), (found, position) in zip(expected.items(), told_of, strict=True):
        is_right = found == kind and type(position) is int and position == place
        assert is_right, f"evaluate({text!r}): expected {NAMES[kind]} at {place}; got {outcome(found, position)}."


def is_refused(player, texts, variables=None):
    """Each text ends in one of the contract's errors. Which one, and where, is for other trials."""
    told_of = player.drive(told, [(text, variables) for text in texts])
    for text, (found, position) in zip(texts, told_of, strict=True):
        assert found in NAMES, f"evaluate({text!r}): expected an ExpressionError; got {outcome(found, position)}."


def lineage():
    """How the three errors are related."""
    import sphinx

    base = sphinx.ExpressionError
    return [issubclass(base, ValueError), issubclass(sphinx.ParseError, base), issubclass(sphinx.EvaluationError, base)]


INVALID = {
    "a-text-that-ends-too-early": ["", "   ", "1 +", "(1", "f(1", "+"],
    "an-operator-without-an-operand": ["* 2", "1 + * 2", "2 ** 3", "7 // 2"],
    "a-parenthesis-too-many": ["1)", "()", "2 + ()", "(1))"],
    "no-sign-between-two-things": ["2 3", "a b", "2x", "2(3)", "(2)(3)", "a(2)a", "2 sqrt(4)", "(1)2"],
    "commas": ["f(,1)", "1,2", "max(1,)", "(1, 2)"],
    "a-character-that-begins-nothing": ["2 $ 3", "$", "2 = 2", "1 ? 2"],
    "numbers-that-are-none": [".5", "5.", "1.2.3", "1_000"],
}
IMPOSSIBLE = {
    "a-missing-name": ["z", "1 + z", "f(1)"],
    "a-division-by-zero": ["1 / 0", "1 % 0", "0 ^ -1"],
    "a-power-that-is-not-real": ["(-8) ^ 0.5", "sqrt(-1)"],
    "a-power-too-large": ["10 ^ 400", "2 ^ (2 ^ (2 ^ (2 ^ 9)))"],
    "a-result-or-number-too-large": ["1e300 * 1e300", "-1e200 * 1e200", "1e308 + 1e308", "1e999"],
    "a-wrong-number-of-arguments": ["min()", "abs(1, 2)", "sqrt()"],
}


@pytest.mark.group("refusals")
@pytest.mark.advice("Read numbers, + and * first; refuse only what can't be read.")
def test_a_good_text_is_not_refused(player):
    """A valid text is accepted: only bad input is refused."""
    texts = ["1 + 2", "2 * 3", "7 - 4"]
    ends = player.drive(told, [(text, {}) for text in texts])
    # What another exception is worth is for the trials of values.
    assert any(kind not in NAMES for kind, _ in ends), f"expected 3 for evaluate('1 + 2'); got {outcome(*ends[0])}."


@pytest.mark.group("refusals")
@pytest.mark.parametrize("texts", INVALID.values(), ids=INVALID)
@pytest.mark.advice(
    "Demand an operand wherever the grammar wants one, match tokens with strict patterns, and raise ParseError "
    "unless the text ends after it."
)
def test_invalid_text(player, texts):
    """Text that isn't an expression is refused."""
    is_refused(player, texts, {"a": 1, "b": 2, "x": 3})


@pytest.mark.group("refusals")
@pytest.mark.parametrize("texts", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
@pytest.mark.advice(
    "Compute with floats, and raise EvaluationError for missing names, ArithmeticError, sqrt below 0, wrong "
    "argument counts, and what is complex or not finite."
)
def test_what_has_no_value(player, texts):
    """An expression without a value is refused."""
    is_refused(player, texts)


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Write class ExpressionError(ValueError), and derive ParseError and EvaluationError from ExpressionError."
)
def test_the_errors_are_related(player):
    """ExpressionError is a ValueError, and the other two are its subclasses."""
    kinds = player.drive(lineage)
    related = ["ExpressionError is a ValueError", "ParseError is an ExpressionError"]
    related += ["EvaluationError is an ExpressionError"]
    wrong = [words for words, is_so in zip(related, kinds, strict=True) if not is_so]
    assert not wrong, f"expected: {wrong[0]}; it is none."


@pytest.mark.group("kinds")
@pytest.mark.advice(
    "Parse the whole text first, and raise ParseError for all that the grammar doesn't allow. Check names, counts, "
    "sizes and results only afterwards."
)
def test_which_of_the_two_errors(player):
    """Invalid text raises ParseError; a missing value raises EvaluationError."""
    player.module("sphinx").parse("nobody + knows(us)")
    for kind, groups in (("parse", INVALID), ("evaluation", IMPOSSIBLE)):
        texts = [text for group in groups.values() for text in group]
        # What gets a value or another exception is for the trials of refusals.
        for text, (found, _) in zip(texts, player.drive(told, [(text, None) for text in texts]), strict=True):
            assert found == kind or found not in NAMES, (
                f"evaluate({text!r}): expected {NAMES[kind]}; got {NAMES[found]}."
            )


@pytest.mark.group("parse_positions")
@pytest.mark.advice(
    "Keep each token's start in the unchanged text, counted from 0. Raise at the current token as soon as it isn't "
    "allowed, also after a whole expression."
)
def test_where_a_token_cannot_stand(player):
    """A ParseError points at the start of the first invalid token."""
    expected = {"2 + * 3": 4, "(1 22)": 3, "1)": 1, "* 2": 0, "2x": 1, "2 (3)": 2, "f(1,)": 4, "f(,1)": 2, "1,2": 1}
    expected |= {"a  bcd": 3, "2 ^ * 3": 4, "2 ** 3": 3, "()": 1, "-)": 1, "(1,2)": 2, "max(1 2)": 6, "1 + 2 3 + 4": 6}
    ends(player, "parse", expected)


@pytest.mark.group("parse_positions")
@pytest.mark.advice(
    "Make the end a token that begins at len(text), blanks included, and raise at it. Remember no earlier place, "
    "such as that of an open parenthesis."
)
def test_where_the_text_ends(player):
    """If the text ends too early, the position is its length."""
    expected = {"": 0, "   ": 3, "2 +": 3, "2 + ": 4, "(1 + 2": 6, "f(": 2, "f(1, ": 5, "-": 1, "2 ^": 3, "((1)": 4}
    ends(player, "parse", expected)


@pytest.mark.group("parse_positions")
@pytest.mark.advice(
    "Match the longest token in the unchanged text; decimals and exponents need digits. Raise at the first token "
    "not allowed, or character that begins none."
)
def test_where_no_token_begins(player):
    """A character that begins no token is reported; tokens are as long as possible."""
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
    ends(player, "parse", expected)


@pytest.mark.group("parse_positions")
@pytest.mark.advice(
    "Read the next token only when the parser needs it, and raise at the first one that isn't allowed. Evaluate "
    "nothing before the whole text is parsed."
)
def test_the_leftmost_trouble(player):
    """Of several faults, the leftmost is reported, whatever its kind."""
    expected = {"2 3 $": 2, "$ 2 3": 0, "(1 2 $": 3, "1 + ) $": 4, ") + (": 0, "2 + + * $": 6, "1 / 0 2": 6, "x y": 2}
    ends(player, "parse", expected)


@pytest.mark.group("parse_positions")
@pytest.mark.advice(
    "Keep each token's start in the unchanged text, read tokens on demand, and let the end begin at len(text). "
    "Raise at the first one not allowed."
)
def test_random_damage(player, rng):
    """A stray character is reported at its place, a truncated text at its end."""
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
    ends(player, "parse", cases)


@pytest.mark.group("eval_positions")
@pytest.mark.advice(
    "Keep the start of each name, counted from 0, in its node, and raise there. Look variables and functions up "
    "apart from each other."
)
def test_where_a_name_is_missing(player):
    """An unknown name is reported at its position."""
    expected = {"x": 0, "a + bb * a": 4, "a + f(a)": 4, "abs(a) + abs(zz)": 13, "a * (a - aa)": 9, "a(1)": 0, "abs": 0}
    ends(player, "evaluation", expected, {"a": 1})


@pytest.mark.group("eval_positions")
@pytest.mark.advice(
    "Keep the operator's place in the unchanged text, counted from 0. Raise there on ArithmeticError, and for a "
    "result that is complex or not finite."
)
def test_where_an_operation_fails(player):
    """An impossible operation is reported at its operator."""
    expected = {"1 / 0": 2, "8 - 1 / (2 - 2)": 6, "4 % 0": 2, "0 ^ -1": 2, "(-8) ^ 0.5": 5, "1 + 10 ^ 400": 7}
    expected |= {
        "1e300 * 1e300 / 2": 6,
        "2 / a / 0": 6,
        "2 ^ (2 ^ (2 ^ (2 ^ 9)))": 7,
        "-1e308 - 1e308": 7,
        "0^-(1^2)": 1,
    }
    ends(player, "evaluation", expected, {"a": 1})


@pytest.mark.group("eval_positions")
@pytest.mark.advice(
    "Keep where each name and number begins. While evaluating, raise there if a call has the wrong count, sqrt "
    "gets less than 0, or float gives inf."
)
def test_where_a_call_fails(player):
    """An impossible call is reported at its name, an impossible number at its start."""
    expected = {"1 + sqrt(1 - 2)": 4, "2 * min()": 4, "abs(1, 2)": 0, "1 + floor()": 4, "abs(sqrt(-1))": 4}
    expected |= {"max(1, sqrt(4, 4))": 7, "2 + 1e999": 4}
    ends(player, "evaluation", expected)


@pytest.mark.group("eval_positions")
@pytest.mark.advice(
    "Evaluate left, then right, then the operator, and raise at its place. Look a variable up only when reached, "
    "and a function after its arguments."
)
def test_the_first_trouble(player):
    """Of several faults, the first one from left to right is reported."""
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
    ends(player, "evaluation", expected)


@pytest.mark.group("eval_positions")
@pytest.mark.advice(
    "Keep each try to one operator or built-in function, its operands evaluated before it. Call the functions "
    "passed in outside every try."
)
def test_exceptions_of_others(player):
    """An exception from a function that was passed in comes out unchanged."""
    sphinx = player.module("sphinx")

    def refuse(x):
        raise LookupError(f"no rune {x}")

    with pytest.raises(LookupError, match="no rune 3"):
        sphinx.evaluate("1 + f(3)", functions={"f": refuse})

    def divide(x):
        raise ZeroDivisionError("by the stone itself")

    with pytest.raises(ZeroDivisionError, match="by the stone itself"):
        sphinx.evaluate("f(3)", functions={"f": divide})
