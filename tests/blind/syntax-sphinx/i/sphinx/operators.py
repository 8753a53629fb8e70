"""The operators, and the one place in which they compute."""

import enum
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sphinx.errors import EvaluationError


class Row(enum.IntEnum):
    """The rows of the grammar, loosest first."""

    SUM = 1
    PRODUCT = 2
    SIGN = 3
    POWER = 4


@dataclass(frozen=True, slots=True)
class Operator:
    """A binary operator."""

    symbol: str
    row: Row
    function: Callable[[float, float], float]

    def apply(self, left: float, right: float, position: int) -> float:
        """The result, or an EvaluationError at the operator's position."""
        try:
            result = self.function(left, right)
        except (ZeroDivisionError, OverflowError) as error:
            raise EvaluationError(str(error), position) from error
        if isinstance(result, complex) or not math.isfinite(result):
            raise EvaluationError(f"{self.symbol} has no finite real result", position)
        return result


OPERATORS: Mapping[str, Operator] = {
    each.symbol: each
    for each in (
        Operator("+", Row.SUM, operator.add),
        Operator("-", Row.SUM, operator.sub),
        Operator("*", Row.PRODUCT, operator.mul),
        Operator("/", Row.PRODUCT, operator.truediv),
        Operator("%", Row.PRODUCT, operator.mod),
        Operator("^", Row.POWER, operator.pow),
    )
}
SIGNS: Mapping[str, Callable[[float], float]] = {"-": operator.neg, "+": operator.pos}
