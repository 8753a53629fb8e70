"""The tree of an expression, and its value."""

import math
import operator
from dataclasses import dataclass
from typing import Any

from sphinx.errors import EvaluationError

COMPUTE = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "^": operator.pow,
}
ONE, ANY = (1,), range(1, 10**6)
OWN = {
    "abs": (abs, ONE),
    "sqrt": (math.sqrt, ONE),
    "floor": (math.floor, ONE),
    "min": (lambda *values: min(values), ANY),
    "max": (lambda *values: max(values), ANY),
}


def compute(function, operands, position, what):
    """Compute, or say where it can't be done."""
    try:
        result = function(*operands)
    except (ZeroDivisionError, OverflowError, ValueError) as error:
        raise EvaluationError(position, f"{what}: {error}") from error
    return real(result, position, what)


def real(result, position, what):
    """The result as a float, if it is one."""
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError(position, f"{what} is no real number")
    return float(result)


@dataclass
class Number:
    """7.5"""

    text: str
    position: int

    def value(self, variables, functions):
        """The number."""
        return real(float(self.text), self.position, self.text)

    def names(self):
        """None."""
        return set()


@dataclass
class Name:
    """x"""

    text: str
    position: int

    def value(self, variables, functions):
        """The variable's value."""
        if self.text not in variables:
            raise EvaluationError(self.position, f"no variable {self.text}")
        return float(variables[self.text])

    def names(self):
        """Its own."""
        return {self.text}


@dataclass
class Sign:
    """-a"""

    text: str
    inner: Any

    def value(self, variables, functions):
        """The inner value with its sign."""
        inner = self.inner.value(variables, functions)
        return -inner if self.text == "-" else inner

    def names(self):
        """Those of the inner part."""
        return self.inner.names()


@dataclass
class Operation:
    """a + b"""

    text: str
    position: int
    left: Any
    right: Any

    def value(self, variables, functions):
        """Left, then right, then both."""
        operands = [side.value(variables, functions) for side in (self.left, self.right)]
        return compute(COMPUTE[self.text], operands, self.position, self.text)

    def names(self):
        """Those of both sides."""
        return self.left.names() | self.right.names()


@dataclass
class Call:
    """f(a, b)"""

    text: str
    position: int
    arguments: list

    def value(self, variables, functions):
        """What the function gives for the arguments."""
        values = [argument.value(variables, functions) for argument in self.arguments]
        if self.text in functions:
            return functions[self.text](*values)
        function, counts = OWN.get(self.text, (None, ()))
        if len(values) not in counts:
            raise EvaluationError(self.position, f"{self.text} can't be called with {len(values)} arguments")
        return compute(function, values, self.position, self.text)

    def names(self):
        """Those of all arguments."""
        return set().union(*(argument.names() for argument in self.arguments))


class Expression:
    """A parsed text."""

    def __init__(self, root):
        self._root = root

    def evaluate(self, variables=None, functions=None):
        """The value; an EvaluationError if there is none."""
        return self._root.value(variables or {}, functions or {})

    def variables(self):
        """The names of the variables, sorted."""
        return sorted(self._root.names())
