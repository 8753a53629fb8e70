"""All operators and the functions that are always there."""

import math
import operator
from collections import namedtuple

Operator = namedtuple("Operator", "binds apply arity from_right", defaults=(False,))

BINARY = {
    "+": Operator(1, operator.add, 2),
    "-": Operator(1, operator.sub, 2),
    "*": Operator(2, operator.mul, 2),
    "/": Operator(2, operator.truediv, 2),
    "%": Operator(2, operator.mod, 2),
    "^": Operator(4, operator.pow, 2, True),
}
SIGNS = {
    "+": Operator(3, operator.pos, 1, True),
    "-": Operator(3, operator.neg, 1, True),
}


def _one(function):
    def checked(*arguments):
        if len(arguments) != 1:
            raise TypeError("takes one argument")
        return float(function(arguments[0]))

    return checked


def _some(function):
    def checked(*arguments):
        if not arguments:
            raise TypeError("takes at least one argument")
        return function(arguments)

    return checked


BUILT_IN = {"abs": _one(abs), "sqrt": _one(math.sqrt), "floor": _one(math.floor), "min": _some(min), "max": _some(max)}
