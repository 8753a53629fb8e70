"""Valid expressions and their values."""

import re

import pytest

pytestmark = pytest.mark.clause("EXPRESSIONS")

LONGEST_SHOWN = 80


def values(texts, variables):
    """Evaluate each text; what can't be evaluated is shown by the name of its error."""
    import sphinx

    told = []
    for text in texts:
        try:
            told.append(sphinx.evaluate(text, variables))
        except Exception as error:
            told.append(type(error).__name__)
    return told


def shown(text, variables=None):
    """A text as it is quoted in a message, cut where it gets long, and the variables that it names."""
    cut = repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}... ({len(text)} characters)"
    used = {name: value for name, value in (variables or {}).items() if re.search(rf"(?<!\w){name}(?!\w)", text)}
    return f"{cut} with {used}" if used else cut


def is_close(found, value):
    """Whether a text gave this value, whatever type a number has."""
    return isinstance(found, int | float) and abs(found - value) <= 1e-9 * max(1, abs(value))


def holds(player, expected, variables=None):
    """Each text has its value."""
    told = player.drive(values, list(expected), variables)
    for text, found in zip(expected, told, strict=True):
        assert is_close(found, expected[text]), (
            f"evaluate({shown(text, variables)}): expected {float(expected[text])}; got {found}."
        )


@pytest.mark.group("plain")
@pytest.mark.advice(
    "Read a number; while an operator follows, read another one and apply the operator to floats. Skip blanks "
    "before each, and allow a lone number."
)
def test_four_operators(player):
    """Two numbers with an operator are computed."""
    holds(player, {"1+2": 3, "7 - 9": -2, "4 * 2.5": 10, "7/2": 3.5, "7 % 4": 3, "3": 3})


@pytest.mark.group("plain")
@pytest.mark.advice(
    "Read the operands of + and - with a function that loops over *, / and %. Let that one read its own with a "
    "tighter one."
)
def test_points_before_lines(player):
    """Products are computed before sums."""
    expected = {"2 + 3 * 4": 14, "2 * 3 + 4": 10, "20 - 6 / 3": 18, "1 + 7 % 4": 4, "1 + 2 * 3 - 8 / 4": 5}
    holds(player, expected)


@pytest.mark.group("plain")
@pytest.mark.advice(
    "In each row, loop while one of its operators follows. Combine the result so far with the next operand, read "
    "by the next tighter row."
)
def test_from_left_to_right(player):
    """Equally strong operators are computed from left to right."""
    expected = {"10 - 4 - 3": 3, "12 / 3 * 2": 8, "2 * 7 % 4": 2, "100 / 5 / 2": 10, "1 - 2 + 3": 2}
    holds(player, expected)


@pytest.mark.group("plain")
@pytest.mark.advice(
    "Where an operand begins with a parenthesis, read a whole expression with the function for + and -, then "
    "demand the closing parenthesis."
)
def test_parentheses(player):
    """Parentheses come first, even nested ones."""
    expected = {"(2 + 3) * 4": 20, "10 - (4 - 3)": 9, "((7))": 7, "2 * (3 + (4 - 1)) / (1 + 1)": 6, "2 ^ (1 + 2)": 8}
    holds(player, expected)


@pytest.mark.group("plain")
@pytest.mark.clause("MODULE", "EXPRESSIONS")
@pytest.mark.advice(
    "After a name, look at the next token: a parenthesis makes it a call whose arguments are whole expressions, "
    "anything else a variable."
)
def test_variables_and_calls(player):
    """Variables and functions are used."""
    expected = {"x": 4, "x * y + 1": 3, "max(1, x, 3)": 4, "sqrt(x) + abs(0 - 3)": 5, "min(floor(2.9), 7)": 2}
    holds(player, expected, {"x": 4, "y": 0.5})


@pytest.mark.group("binding")
@pytest.mark.advice(
    "Read an atom. If ^ follows, read its exponent with the function for signs, which reads powers in turn: 2 ^ (3 "
    "^ 2)."
)
def test_powers_go_from_right_to_left(player):
    """Powers of powers are computed from the right."""
    expected = {"2 ^ 3 ^ 2": 512, "(2 ^ 3) ^ 2": 64, "2 * 3 ^ 2": 18, "2 ^ 2 * 3": 12, "4 ^ 0.5": 2}
    holds(player, expected)


@pytest.mark.group("binding")
@pytest.mark.advice(
    "Put signs in a row between products and powers. The base of a power is an atom; its exponent is read by the "
    "function for signs."
)
def test_a_sign_before_a_power(player):
    """A power binds more tightly than the sign before it, and takes one after it."""
    expected = {"-2 ^ 2": -4, "(-2) ^ 2": 4, "2 ^ -1": 0.5, "2 ^ -2 ^ 2": 0.0625, "-3 ^ -1": -1 / 3, "5 - 2 ^ 2": 1}
    holds(player, expected)


@pytest.mark.group("binding")
@pytest.mark.advice(
    "Read the operands of *, / and % in one loop with the function for signs, which negates only the power after "
    "it. Compute % with Python's %."
)
def test_a_sign_before_a_product(player):
    """A sign binds more tightly than a product."""
    expected = {"-7 % 3": 2, "7 % -3": -2, "2 * -3": -6, "-7 % 3 * 2": 4, "-(7 % 3)": -1, "1 - -7 % 3": -1}
    holds(player, expected)


@pytest.mark.group("binding")
@pytest.mark.advice(
    "After a sign, let the function for signs call itself, and negate for each minus. Read every operand of a "
    "product, and every exponent, with it."
)
def test_many_signs(player):
    """Signs may follow one another, anywhere an operand is allowed."""
    expected = {"--2": 2, "-+-+2": 2, "1 - - - 2": -1, "+3": 3, "2 ^ - - 2": 4, "abs(-x)": 4, "-x ^ 2": -16}
    holds(player, expected, {"x": 4})


@pytest.mark.group("fine_print")
@pytest.mark.advice("Match a number with the pattern [0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)? and convert it with float().")
def test_forms_of_numbers(player):
    """Numbers may have a point, an exponent and leading zeros."""
    expected = {"007": 7, "0.25": 0.25, "1e3": 1000, "1.5E-3": 0.0015, "2e+2": 200, "1e3-1": 999, "10.50": 10.5}
    holds(player, expected)


@pytest.mark.group("fine_print")
@pytest.mark.advice(
    "Match names with [A-Za-z_][A-Za-z0-9_]* and keep their case. Skip blanks before each token: a parenthesis "
    "after a name makes it a function."
)
def test_names_and_blanks(player):
    """Names may hold digits and underscores; case matters; blanks may come between."""
    variables = {"_x1": 2, "Rate": 3, "rate": 5, "e": 7, "max": 11}
    expected = {"_x1*Rate-rate": 1, "\t 2\n*  e \n": 14, "max ( 1 ,\n2 )+max": 13, "  4": 4, "e1e1 + 1": 100}
    holds(player, expected, variables | {"e1e1": 99})


@pytest.mark.group("fine_print")
@pytest.mark.clause("MODULE")
@pytest.mark.advice(
    "Compute the tree again in each evaluate(variables=None, functions=None). Let variables() return "
    "sorted(set(names)), case kept, no functions."
)
def test_a_parsed_expression_lasts(player):
    """A parsed expression lists its variables and can be evaluated again and again."""
    text = "b * a + f(B) - a ^ 2 + 0 * b"
    made = player.module("sphinx").parse(text)
    names = made.variables()
    assert isinstance(names, list), f"parse({text!r}).variables(): expected a list; got {names!r}."
    assert names == ["B", "a", "b"], f"parse({text!r}).variables(): expected ['B', 'a', 'b']; got {names}."
    half = {"f": lambda x: x / 2}
    told = [made.evaluate({"a": n, "b": 2, "B": 8}, half) for n in (1, 3, 1)]
    assert told == [5, 1, 5], (
        f"parse({text!r}) evaluated with b=2, B=8 and a=1, 3, 1, one after the other: expected [5, 1, 5]; got {told}."
    )
    named = made.evaluate(functions=half, variables={"a": 1, "b": 2, "B": 8})
    assert named == 5, f"parse({text!r}).evaluate(functions=..., variables=...) with a=1: expected 5; got {named}."
    none = player.module("sphinx").parse("1 + 1").variables()
    assert none == [], f"parse('1 + 1').variables(): expected []; got {none}."


@pytest.mark.group("fine_print")
@pytest.mark.clause("MODULE", "EXPRESSIONS")
@pytest.mark.advice(
    "At each call, look in functions first, then among the five. Pass the arguments in the order read, also none, "
    "and keep no function afterwards."
)
def test_functions_of_ones_own(player):
    """Functions can be passed in, even without arguments, and replace built-in ones."""
    sphinx = player.module("sphinx")
    mine = {"three": lambda: 3.0, "area": lambda a, b: a * b, "abs": lambda x: x + 100}
    told = sphinx.evaluate("area(three(), 2 + three()) - abs(x)", variables={"x": 1}, functions=mine)
    assert told == -86, (
        "evaluate('area(three(), 2 + three()) - abs(x)') with x=1 and functions area(a, b) = a * b, three() = 3,"
        f" abs(x) = x + 100: expected -86; got {told}."
    )
    again = sphinx.evaluate("abs(0 - 1)")
    assert again == 1, f"evaluate('abs(0 - 1)') after one with an abs of its own: expected 1; got {again}."
    listed = sphinx.evaluate("f(1, x, 3)", {"x": 2}, {"f": lambda a, b, c: 100 * a + 10 * b + c})
    assert listed == 123, (
        f"evaluate('f(1, x, 3)') with x=2 and f(a, b, c) = 100 * a + 10 * b + c: expected 123; got {listed}."
    )


@pytest.mark.group("fine_print")
@pytest.mark.clause("MODULE")
@pytest.mark.advice(
    "In each evaluate, compute the tree again with a new dict, {**BUILT_IN, **(functions or {})}. Keep neither this "
    "dict nor a value."
)
def test_functions_hold_for_one_evaluation(player):
    """A function that is passed in counts for that evaluation alone."""
    made = player.module("sphinx").parse("abs(0 - 1)")
    told = [made.evaluate(), made.evaluate(functions={"abs": lambda x: x + 100}), made.evaluate()]
    assert told == [1, 99, 1], (
        "parse('abs(0 - 1)') evaluated without functions, with abs(x) = x + 100, and without again:"
        f" expected [1, 99, 1]; got {told}."
    )


@pytest.mark.group("fine_print")
@pytest.mark.advice(
    "Use math.floor instead of int(), and give min and max a list, as in min(arguments), so that one argument is "
    "enough."
)
def test_the_five_functions(player):
    """The five functions take negative numbers, and min and max any number of them."""
    expected = {"floor(-2.5)": -3, "floor(-2)": -2, "abs(-2.5)": 2.5, "sqrt(0)": 0, "min(7)": 7, "max(-7)": -7}
    expected |= {"min(3, 1, 2, 5)": 1, "max(3, 1, 5, 2)": 5}
    holds(player, expected)


def handed_over():
    """The types of some values, and what became of the two dicts."""
    import sphinx

    def kind_of(value):
        return "float" if issubclass(type(value), float) else type(value).__name__

    taken = []
    variables, functions = {"x": 2, "y": 3}, {"f": lambda value: taken.append(value) or value}
    told = [
        sphinx.evaluate(text, variables, functions) for text in ["x", "x + y", "x ^ y", "-x", "floor(x)", "7", "f(x)"]
    ]
    return {
        "values": [kind_of(value) for value in told],
        "taken": [kind_of(value) for value in taken],
        "variables": sorted(variables),
        "functions": sorted(functions),
    }


@pytest.mark.group("fine_print")
@pytest.mark.clause("MODULE", "EXPRESSIONS")
@pytest.mark.advice(
    "Wrap each variable and each result of a function in float(). Copy functions into a new dict before you add "
    "the five."
)
def test_values_are_floats(player):
    """Every value is a float, even from ints, and what is passed in isn't changed."""
    told = player.drive(handed_over)
    case = "evaluate() of x, x + y, x ^ y, -x, floor(x), 7 and f(x) with the ints x=2 and y=3: expected"
    assert set(told["values"]) == {"float"}, f"{case} floats; got {told['values']}."
    assert told["taken"] == ["float"], f"{case} f to be given a float; it was given {told['taken']}."
    assert told["variables"] == ["x", "y"], f"{case} the dict of variables unchanged; it holds {told['variables']}."
    assert told["functions"] == ["f"], f"{case} the dict of functions unchanged; it holds {told['functions']}."


@pytest.mark.group("fine_print")
@pytest.mark.clause("LIMITS")
@pytest.mark.advice(
    "Parse and evaluate a row in a loop: one node with a list of operators and operands, not a node within a node "
    "for each. Count no depth for it."
)
def test_a_long_sum(player):
    """A sum of thousands of terms is an expression like any other."""
    terms = [f"{n % 7} * x" if n % 3 else f"{n % 5}" for n in range(5000)]
    value = sum(2 * (n % 7) if n % 3 else n % 5 for n in range(5000))
    holds(player, {" + ".join(terms): value}, {"x": 2})


@pytest.mark.group("fine_print")
@pytest.mark.clause("LIMITS")
@pytest.mark.advice(
    "Count one level for each parenthesis, sign, power or call, lower the count on leaving, and refuse only above "
    "60. Apply every sign."
)
def test_sixty_deep(player):
    """Sixty nested parentheses, signs, powers and calls are accepted."""
    deep = 60
    texts = ["(" * deep + "7" + ")" * deep, "-" * deep + "7", "7" + "^1" * deep, "abs(" * deep + "7" + ")" * deep]
    texts += ["1*(" * deep + "7" + ")" * deep]
    holds(player, dict.fromkeys(texts, 7))


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


def parts(node):
    """A tree and all the trees within it."""
    yield node
    for child in node[1:]:
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, tuple):
                yield from parts(part)


def has_exact_value(node, variables):
    """Whether a tree has a value, and no remainder that rounding could turn into another."""
    try:
        value = value_of(node, variables)
    except (ArithmeticError, TypeError):
        return False
    return "%" not in str(node) or float(value).is_integer()


@pytest.mark.group("random")
@pytest.mark.advice(
    "Print the shown text from your tree with all its parentheses. Compare them with the contract's table, mainly "
    "where signs, ^ and % meet."
)
def test_random_expressions(player, rng):
    """Random expressions have the value of the tree they were made from."""
    variables = {"a": 3, "b": -2.5, "c": 0.5}
    trees = {}
    while len(trees) < 150:
        node = tree(rng, rng.randint(2, 5))
        if has_exact_value(node, variables):
            trees[written(node, rng)] = node
    told = player.drive(values, list(trees), variables)
    wrong = [
        node for node, found in zip(trees.values(), told, strict=True) if not is_close(found, value_of(node, variables))
    ]
    # Of what is wrong, the parts are tried too: the shortest that has another value says most.
    smaller = {
        written(part, rng): value_of(part, variables)
        for node in wrong[:10]
        for part in parts(node)
        if has_exact_value(part, variables)
    }
    holds(player, {text: smaller[text] for text in sorted(smaller, key=len)}, variables)
    whole = {text: value_of(node, variables) for text, node in trees.items() if node in wrong}
    holds(player, whole, variables)
