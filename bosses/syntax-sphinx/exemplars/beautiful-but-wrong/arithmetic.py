"""What operators and functions do, and what they refuse."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

Function = Callable[..., float]

INFIX: dict[str, tuple[int, Function]] = {
    "+": (1, operator.add),
    "-": (1, operator.sub),
    "*": (2, operator.mul),
    "/": (2, operator.truediv),
    "%": (2, operator.mod),
    "^": (4, operator.pow),
}
"""Each operator's binding power and meaning."""

PREFIX: dict[str, Function] = {"-": operator.neg, "+": operator.pos}
PREFIX_POWER = 3


def _least(*values: float) -> float:
    return min(values)


def _greatest(*values: float) -> float:
    return max(values)


FUNCTIONS: dict[str, Function] = {
    "abs": abs,
    "sqrt": math.sqrt,
    "floor": math.floor,
    "min": _least,
    "max": _greatest,
}


class Impossible(ArithmeticError):
    """Something that can't be computed."""


def compute(function: Function, *operands: float) -> float:
    """The finite, real result of a function of ours.

    Raises:
        Impossible: There is none.
    """
    try:
        result = function(*operands)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise Impossible(str(error)) from error
    if isinstance(result, complex) or not math.isfinite(result):
        raise Impossible("the result is no real number")
    return float(result)
