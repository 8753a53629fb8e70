"""Valid expressions and their values."""

import pytest


def values(texts, variables):
    """Evaluate each text; what can't be evaluated is told by the name of its error."""
    import sphinx

    told = []
    for text in texts:
        try:
            told.append(sphinx.evaluate(text, variables))
        except Exception as error:
            told.append(type(error).__name__)
    return told


def holds(player, expected, words, variables=None):
    """Each text has its value."""
    told = player.drive(values, list(expected), variables)
    for found, value in zip(told, expected.values(), strict=True):
        assert not isinstance(found, str), f"{words} A valid expression ended in {found}."
        assert isinstance(found, int | float), f"{words} The value of an expression is a float."
        assert abs(found - value) <= 1e-9 * max(1, abs(value)), words


@pytest.mark.group("plain")
def test_four_operators(player):
    """Two numbers and an operator."""
    holds(player, {"1+2": 3, "7 - 9": -2, "4 * 2.5": 10, "7/2": 3.5, "7 % 4": 3, "3": 3}, "Operators do what they say.")


@pytest.mark.group("plain")
def test_points_before_lines(player):
    """Products come before sums."""
    expected = {"2 + 3 * 4": 14, "2 * 3 + 4": 10, "20 - 6 / 3": 18, "1 + 7 % 4": 4, "1 + 2 * 3 - 8 / 4": 5}
    holds(player, expected, "* / % bind more tightly than + and -.")


@pytest.mark.group("plain")
def test_from_left_to_right(player):
    """Equally strong operators go from left to right."""
    expected = {"10 - 4 - 3": 3, "12 / 3 * 2": 8, "2 * 7 % 4": 2, "100 / 5 / 2": 10, "1 - 2 + 3": 2}
    holds(player, expected, "Sums and products are taken from left to right.")


@pytest.mark.group("plain")
def test_parentheses(player):
    """Parentheses come first, also within each other."""
    expected = {"(2 + 3) * 4": 20, "10 - (4 - 3)": 9, "((7))": 7, "2 * (3 + (4 - 1)) / (1 + 1)": 6, "2 ^ (1 + 2)": 8}
    holds(player, expected, "What stands in parentheses comes first.")


@pytest.mark.group("plain")
def test_variables_and_calls(player):
    """Variables have their values, functions theirs."""
    expected = {"x": 4, "x * y + 1": 3, "max(1, x, 3)": 4, "sqrt(x) + abs(0 - 3)": 5, "min(floor(2.9), 7)": 2}
    holds(player, expected, "Variables come from the dict, the five functions are always there.", {"x": 4, "y": 0.5})


@pytest.mark.group("binding")
def test_powers_go_from_right_to_left(player):
    """A tower of powers is built from the top."""
    expected = {"2 ^ 3 ^ 2": 512, "(2 ^ 3) ^ 2": 64, "2 * 3 ^ 2": 18, "2 ^ 2 * 3": 12, "4 ^ 0.5": 2}
    holds(player, expected, "Powers bind most tightly and go from right to left.")


@pytest.mark.group("binding")
def test_a_sign_before_a_power(player):
    """A power is stronger than the sign before it, and takes a sign behind it."""
    expected = {"-2 ^ 2": -4, "(-2) ^ 2": 4, "2 ^ -1": 0.5, "2 ^ -2 ^ 2": 0.0625, "-3 ^ -1": -1 / 3, "5 - 2 ^ 2": 1}
    holds(player, expected, "A power binds before the sign on its left, and takes a sign on its right.")


@pytest.mark.group("binding")
def test_a_sign_before_a_product(player):
    """A sign is stronger than a product."""
    expected = {"-7 % 3": 2, "7 % -3": -2, "2 * -3": -6, "-7 % 3 * 2": 4, "-(7 % 3)": -1, "1 - -7 % 3": -1}
    holds(player, expected, "A sign binds more tightly than * / %.")


@pytest.mark.group("binding")
def test_many_signs(player):
    """Signs may stand one behind the other, anywhere an operand may stand."""
    expected = {"--2": 2, "-+-+2": 2, "1 - - - 2": -1, "+3": 3, "2 ^ - - 2": 4, "abs(-x)": 4, "-x ^ 2": -16}
    holds(player, expected, "There may be as many signs as one likes.", {"x": 4})


@pytest.mark.group("fine_print")
def test_forms_of_numbers(player):
    """Numbers have points, exponents and zeros before them."""
    expected = {"007": 7, "0.25": 0.25, "1e3": 1000, "1.5E-3": 0.0015, "2e+2": 200, "1e3-1": 999, "10.50": 10.5}
    holds(player, expected, "A number has digits, perhaps a point with digits, perhaps an exponent.")


@pytest.mark.group("fine_print")
def test_names_and_blanks(player):
    """Names hold digits and underscores, case matters, and blanks of any kind may stand anywhere between."""
    variables = {"_x1": 2, "Rate": 3, "rate": 5, "e": 7, "max": 11}
    expected = {"_x1*Rate-rate": 1, "\t 2\n*  e \n": 14, "max ( 1 ,\n2 )+max": 13, "  4": 4, "e1e1 + 1": 100}
    holds(
        player, expected, "Names are letters, digits, underscores; blanks may stand between.", variables | {"e1e1": 99}
    )


@pytest.mark.group("fine_print")
def test_a_parsed_expression_lasts(player):
    """A parsed expression tells its variables and can be evaluated again and again."""
    made = player.module("sphinx").parse("b * a + f(B) - a ^ 2 + 0 * b")
    names = made.variables()
    assert isinstance(names, list), "variables() is a list."
    assert names == ["B", "a", "b"], "variables() holds each name once, sorted, without functions."
    half = {"f": lambda x: x / 2}
    told = [made.evaluate({"a": n, "b": 2, "B": 8}, half) for n in (1, 3, 1)]
    assert told == [5, 1, 5], "An expression can be evaluated again, with other variables."
    named = made.evaluate(functions=half, variables={"a": 1, "b": 2, "B": 8})
    assert named == 5, "evaluate takes variables and functions by name, too."
    assert player.module("sphinx").parse("1 + 1").variables() == [], "An expression without variables has none."


@pytest.mark.group("fine_print")
def test_functions_of_ones_own(player):
    """Functions can be handed in, also without arguments, and replace those that are there."""
    sphinx = player.module("sphinx")
    mine = {"three": lambda: 3.0, "area": lambda a, b: a * b, "abs": lambda x: x + 100}
    told = sphinx.evaluate("area(three(), 2 + three()) - abs(x)", variables={"x": 1}, functions=mine)
    assert told == -86, "Functions that are handed in are called with the values of their arguments."
    assert sphinx.evaluate("abs(0 - 1)") == 1, "A function that was handed in holds for that evaluation alone."
    listed = sphinx.evaluate("f(1, x, 3)", {"x": 2}, {"f": lambda a, b, c: 100 * a + 10 * b + c})
    assert listed == 123, "A function gets its arguments in the order in which they are written."


@pytest.mark.group("fine_print")
def test_the_five_functions(player):
    """The five functions take negative numbers, and min and max any number of arguments."""
    expected = {"floor(-2.5)": -3, "floor(-2)": -2, "abs(-2.5)": 2.5, "sqrt(0)": 0, "min(7)": 7, "max(-7)": -7}
    expected |= {"min(3, 1, 2, 5)": 1, "max(3, 1, 5, 2)": 5}
    holds(player, expected, "The five functions have the values their names promise.")


def handed_over():
    """The types of some values, and what became of the two dicts."""
    import sphinx

    taken = []
    variables, functions = {"x": 2, "y": 3}, {"f": lambda value: taken.append(value) or value}
    told = [
        sphinx.evaluate(text, variables, functions) for text in ["x", "x + y", "x ^ y", "-x", "floor(x)", "7", "f(x)"]
    ]
    return {
        "values": [type(value).__name__ for value in told],
        "taken": [type(value).__name__ for value in taken],
        "variables": sorted(variables),
        "functions": sorted(functions),
    }


@pytest.mark.group("fine_print")
def test_values_are_floats(player):
    """Every value is a float, even if all variables are ints, and what is handed in isn't changed."""
    told = player.drive(handed_over)
    assert told["values"] == ["float"] * len(told["values"]), (
        "Every value is a float; one of another type was returned."
    )
    assert told["taken"] == ["float"], "Functions take floats; one was called with something else."
    assert told["variables"] == ["x", "y"], "The dict of variables was changed."
    assert told["functions"] == ["f"], "The dict of functions was changed."


@pytest.mark.group("fine_print")
def test_a_long_sum(player):
    """A sum of thousands of terms is an expression like any other."""
    terms = [f"{n % 7} * x" if n % 3 else f"{n % 5}" for n in range(5000)]
    value = sum(2 * (n % 7) if n % 3 else n % 5 for n in range(5000))
    holds(player, {" + ".join(terms): value}, "Five thousand terms need no more nesting than two.", {"x": 2})


@pytest.mark.group("fine_print")
def test_sixty_deep(player):
    """Sixty levels of parentheses, signs, powers and calls are no trouble."""
    deep = 60
    texts = ["(" * deep + "7" + ")" * deep, "-" * deep + "7", "7" + "^1" * deep, "abs(" * deep + "7" + ")" * deep]
    texts += ["1*(" * deep + "7" + ")" * deep]
    holds(player, dict.fromkeys(texts, 7), "Sixty levels deep an expression still has its value.")


STRONG = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 4}
SIGN, ATOM = 3, 5


def tree(rng, depth):
    """A random expression as nested tuples: numbers, names, signs, operators, calls."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([("number", str(rng.randint(0, 9))), ("number", "2.5"), ("name", rng.choice("abc"))])
    kind = rng.random()
    if kind < 0.2:
        return ("sign", rng.choice("+-"), tree(rng, depth - 1))
    if kind < 0.3:
        return ("call", rng.choice(["min", "max"]), [tree(rng, depth - 1) for _ in range(rng.randint(1, 3))])
    operator = rng.choice("+-*/%^+-*")
    right = tree(rng, depth - 1) if operator != "^" else tree(rng, min(depth - 1, 1))
    return ("operator", operator, tree(rng, depth - 1), right)


def value_of(node, variables):
    """What a tree is worth; ArithmeticError or TypeError where that is nothing."""
    match node:
        case ("number", text):
            return float(text)
        case ("name", name):
            return float(variables[name])
        case ("sign", sign, inner):
            return -value_of(inner, variables) if sign == "-" else value_of(inner, variables)
        case ("call", name, inner):
            return {"min": min, "max": max}[name](value_of(each, variables) for each in inner)
    a, b = value_of(node[2], variables), value_of(node[3], variables)
    plain = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "%": lambda: a % b}
    result = a**b if node[1] == "^" else plain[node[1]]()
    if isinstance(result, complex) or not abs(result) < 1e12:
        raise ArithmeticError
    return result


def written(node, rng, needed=0):
    """A tree as text, with parentheses where they are needed, now and then some more, and blanks as they come."""
    blank = rng.choice(["", " ", " "])
    match node:
        case ("number" | "name", text):
            strength, told = ATOM, text
        case ("sign", sign, inner):
            strength, told = SIGN, sign + blank + written(inner, rng, SIGN)
        case ("call", name, inner):
            strength, told = ATOM, f"{name}({f'{blank},'.join(written(each, rng) for each in inner)}{blank})"
        case (_, operator, left, right):
            strength = STRONG[operator]
            on_left = ATOM if operator == "^" else strength
            on_right = SIGN if operator == "^" else strength + 1
            told = written(left, rng, on_left) + blank + operator + blank + written(right, rng, on_right)
    return f"({told})" if strength < needed or rng.random() < 0.05 else told


@pytest.mark.group("random")
def test_random_expressions(player, rng):
    """Random expressions, with no more parentheses than they need, have the value of the tree they were made from."""
    variables = {"a": 3, "b": -2.5, "c": 0.5}
    expected = {}
    while len(expected) < 150:
        node = tree(rng, rng.randint(2, 5))
        try:
            value = value_of(node, variables)
        except (ArithmeticError, TypeError):
            continue
        if "%" not in str(node) or float(value).is_integer():
            expected[written(node, rng)] = value
    holds(player, expected, "A random expression has another value than the tree it was made from.", variables)
