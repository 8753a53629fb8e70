"""Runs a program of steps on a stack of values.

A step is (kind, payload, position). Kinds: number, variable, apply (an Operator), call (name and how many arguments).
"""

import math

from .errors import EvaluationError
from .operators import BUILT_IN


class Expression:
    """A program that was made from a text."""

    def __init__(self, steps):
        self._steps = tuple(steps)

    def variables(self):
        """The names of all variables, sorted."""
        return sorted({payload for kind, payload, _ in self._steps if kind == "variable"})

    def evaluate(self, variables=None, functions=None):
        """The value with these variables and functions."""
        variables, functions = variables or {}, functions or {}
        stack = []
        for kind, payload, position in self._steps:
            if kind == "number":
                stack.append(finite(payload, position))
            elif kind == "variable":
                if payload not in variables:
                    raise EvaluationError(f"no variable {payload}", position)
                stack.append(float(variables[payload]))
            elif kind == "apply":
                operands = pop(stack, payload.arity)
                stack.append(applied(payload, operands, position))
            else:
                name, count = payload
                stack.append(called(name, functions, pop(stack, count), position))
        return stack.pop()


def pop(stack, count):
    """The last values of a stack, in the order they were pushed."""
    taken = stack[len(stack) - count :]
    del stack[len(stack) - count :]
    return taken


def finite(value, position):
    """The value, unless it is none that a caller could use."""
    if isinstance(value, complex) or not math.isfinite(value):
        raise EvaluationError("no finite real number", position)
    return value


def applied(operator, operands, position):
    """What an operator makes of its operands."""
    try:
        value = operator.apply(*operands)
    except ArithmeticError as error:
        raise EvaluationError(str(error), position) from error
    return finite(value, position)


def called(name, functions, arguments, position):
    """What a function gives back. Exceptions of functions that were handed in are their own business."""
    if name in functions:
        return functions[name](*arguments)
    if name not in BUILT_IN:
        raise EvaluationError(f"no function {name}", position)
    try:
        return BUILT_IN[name](*arguments)
    except (TypeError, ValueError) as error:
        raise EvaluationError(f"{name}: {error}", position) from error
