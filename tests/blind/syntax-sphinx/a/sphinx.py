"""Expressions as closures.

The grammar, loosest row first:

    sum      = product {("+" | "-") product}
    product  = sign {("*" | "/" | "%") sign}
    sign     = ("-" | "+") sign | power
    power    = atom ["^" sign]
    atom     = number | name | name "(" [sum {"," sum}] ")" | "(" sum ")"

Every row is a function from a source to an evaluator, and an evaluator is a function from an environment to a float.
"""

import math
import operator
import re
from functools import partial
from types import SimpleNamespace

DEEPEST = 100


class ExpressionError(ValueError):
    """An expression that has no value; position is the index of the trouble."""

    def __init__(self, message, position):
        super().__init__(f"{message} (at character {position})")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""


SCANNER = re.compile(
    r"(?P<blank>[ \t\r\n]+)"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>[-+*/%^(),])"
    r"|(?P<stray>.)",
    re.ASCII,
)

SUMS = {"+": operator.add, "-": operator.sub}
PRODUCTS = {"*": operator.mul, "/": operator.truediv, "%": operator.mod}
SIGNS = {"+": operator.pos, "-": operator.neg}


def variadic(function):
    """A function of one or more numbers."""
    return lambda first, *rest: function((first, *rest))


BUILT_IN = {
    "abs": lambda x: abs(x),
    "sqrt": lambda x: math.sqrt(x),
    "floor": lambda x: float(math.floor(x)),
    "min": variadic(min),
    "max": variadic(max),
}


def scan(text):
    """The tokens of a text, one at a time: (kind, text, position)."""
    for match in SCANNER.finditer(text):
        if match.lastgroup != "blank":
            yield match.lastgroup, match.group(), match.start()
    yield "end", "", len(text)


def source(text):
    """A view on the tokens: peek at the next one, or take it."""
    tokens = scan(text)
    state = SimpleNamespace(ahead=next(tokens), depth=0, names=set())

    def peek():
        return state.ahead

    def take():
        token = state.ahead
        state.ahead = next(tokens, token)
        return token

    def expect(sign):
        kind, found, position = peek()
        if found != sign:
            raise ParseError(f"{found or 'the end'!r} instead of {sign or 'the end'!r}", position)
        return take()

    def deeper(rule):
        state.depth += 1
        if state.depth > DEEPEST:
            raise ParseError("nested too deep", peek()[2])
        result = rule(this)
        state.depth -= 1
        return result

    this = SimpleNamespace(peek=peek, take=take, expect=expect, deeper=deeper, names=state.names)
    return this


def compute(function, position, left, right):
    """The result of an operator, or an EvaluationError where it stands."""
    try:
        result = function(left, right)
    except ArithmeticError as error:
        raise EvaluationError(str(error), position) from None
    match result:
        case float() if math.isfinite(result):
            return result
        case _:
            raise EvaluationError(f"{result} is no number", position)


def left_associative(operators, operand):
    """A row of the grammar that is read from left to right."""

    def row(tokens):
        first = operand(tokens)
        steps = []
        while tokens.peek()[1] in operators:
            _, sign, position = tokens.take()
            steps.append((partial(compute, operators[sign], position), operand(tokens)))
        if not steps:
            return first

        def value(environment):
            result = first(environment)
            for step, right in steps:
                result = step(result, right(environment))
            return result

        return value

    return row


def parse_sign(tokens):
    """sign = ("-" | "+") sign | power"""
    match tokens.peek():
        case ("sign", ("-" | "+") as sign, _):
            tokens.take()
            operand = tokens.deeper(parse_sign)
            return lambda environment: SIGNS[sign](operand(environment))
    return parse_power(tokens)


def parse_power(tokens):
    """power = atom ["^" sign]"""
    base = parse_atom(tokens)
    if tokens.peek()[1] != "^":
        return base
    step = partial(compute, operator.pow, tokens.take()[2])
    exponent = tokens.deeper(parse_sign)
    return lambda environment: step(base(environment), exponent(environment))


def parse_atom(tokens):
    """A number, a name, a call, or anything in parentheses."""
    match tokens.peek():
        case ("number", digits, position):
            tokens.take()
            return number(float(digits), position)
        case ("name", name, position):
            tokens.take()
            if tokens.peek()[1] == "(":
                return call(name, position, parse_arguments(tokens))
            tokens.names.add(name)
            return variable(name, position)
        case (_, "(", _):
            tokens.take()
            inner = tokens.deeper(parse_sum)
            tokens.expect(")")
            return inner
        case (_, found, position):
            raise ParseError(f"{found or 'the end'!r} can't stand here", position)


def parse_arguments(tokens):
    """The arguments of a call, with their parentheses."""
    tokens.expect("(")
    arguments = []
    if tokens.peek()[1] != ")":
        arguments.append(tokens.deeper(parse_sum))
        while tokens.peek()[1] == ",":
            tokens.take()
            arguments.append(tokens.deeper(parse_sum))
    tokens.expect(")")
    return arguments


def number(value, position):
    """Evaluates to a constant, if a float can hold it."""

    def constant(environment):
        if math.isinf(value):
            raise EvaluationError("too large", position)
        return value

    return constant


def variable(name, position):
    """Evaluates to what the environment says."""

    def look_up(environment):
        variables, _ = environment
        if name not in variables:
            raise EvaluationError(f"no variable {name}", position)
        return float(variables[name])

    return look_up


def call(name, position, arguments):
    """Evaluates to what a function makes of its arguments."""

    def apply(environment):
        _, functions = environment
        if name in functions:
            function = functions[name]
        elif name in BUILT_IN:
            function = guarded(name, position)
        else:
            raise EvaluationError(f"no function {name}", position)
        return float(function(*(argument(environment) for argument in arguments)))

    return apply


def guarded(name, position):
    """A built-in function whose refusals are EvaluationErrors."""

    def function(*values):
        try:
            return BUILT_IN[name](*values)
        except (TypeError, ValueError) as error:
            raise EvaluationError(f"{name}: {error}", position) from None

    return function


parse_product = left_associative(PRODUCTS, parse_sign)
parse_sum = left_associative(SUMS, parse_product)


def parse(text):
    """An expression object, or a ParseError."""
    tokens = source(text)
    value = parse_sum(tokens)
    tokens.expect("")
    return SimpleNamespace(
        evaluate=lambda variables=None, functions=None: value((variables or {}, functions or {})),
        variables=lambda: sorted(tokens.names),
    )


def evaluate(text, variables=None, functions=None):
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
