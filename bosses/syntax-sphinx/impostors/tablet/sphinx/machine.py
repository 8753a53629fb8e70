"""Steps, as closures over a stack of numbers, and the loop that runs them."""

import math
import operator

from sphinx.errors import EvaluationError

COMPUTE = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "^": operator.pow,
}
LIBRARY = {
    "abs": (abs, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "floor": (math.floor, 1, 1),
    "min": (lambda *values: min(values), 1, math.inf),
    "max": (lambda *values: max(values), 1, math.inf),
}


def run(steps, variables, functions):
    """Run the steps and return the one number that is left."""
    stack = []
    for step in steps:
        step(stack, variables, functions)
    return stack.pop()


def number(token):
    """Push a number."""

    def step(stack, variables, functions):
        stack.append(real(float(token.text), token))

    return step


def variable(token):
    """Push the value of a variable."""

    def step(stack, variables, functions):
        if token.text not in variables:
            raise EvaluationError(token.position, f"there is no variable {token.text}")
        stack.append(float(variables[token.text]))

    return step


def sign(token):
    """Apply a sign to the topmost number."""

    def step(stack, variables, functions):
        if token.text == "-":
            stack[-1] = -stack[-1]

    return step


def binary(token):
    """Replace the two topmost numbers by what an operator makes of them."""

    def step(stack, variables, functions):
        right = stack.pop()
        stack[-1] = computed(COMPUTE[token.text], (stack[-1], right), token)

    return step


def call(token, count):
    """Replace as many numbers by what a function makes of them."""

    def step(stack, variables, functions):
        first = len(stack) - count
        arguments = stack[first:]
        del stack[first:]
        if token.text in functions:
            stack.append(functions[token.text](*arguments))
        else:
            stack.append(from_library(token, arguments))

    return step


def from_library(token, arguments):
    """Call a function that is always there."""
    if token.text not in LIBRARY:
        raise EvaluationError(token.position, f"there is no function {token.text}")
    function, fewest, most = LIBRARY[token.text]
    if not fewest <= len(arguments) <= most:
        raise EvaluationError(token.position, f"{token.text} can't be called with {len(arguments)} arguments")
    return computed(function, arguments, token)


def computed(function, operands, token):
    """Compute, and blame the token if that fails."""
    try:
        result = function(*operands)
    except (ArithmeticError, ValueError) as error:
        raise EvaluationError(token.position, f"{token.text} fails ({error})") from error
    return real(result, token)


def real(result, token):
    """Return a result as a float, if a float can hold it."""
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError(token.position, f"{token.text} has no real value")
    return float(result)
