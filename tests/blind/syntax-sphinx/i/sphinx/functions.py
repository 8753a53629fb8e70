"""The functions that are always there."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sphinx.errors import EvaluationError


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A function with the number of arguments it takes; None is any number from one."""

    function: Callable[..., float]
    arity: int | None = 1

    def call(self, name: str, arguments: Sequence[float], position: int) -> float:
        """The result, or an EvaluationError at the position of the name."""
        if not arguments or (self.arity is not None and len(arguments) != self.arity):
            raise EvaluationError(f"{name} does not take {len(arguments)} arguments", position)
        try:
            return float(self.function(*arguments))
        except ValueError as error:
            raise EvaluationError(f"{name}: {error}", position) from error


BUILT_INS: dict[str, BuiltIn] = {
    "abs": BuiltIn(abs),
    "sqrt": BuiltIn(math.sqrt),
    "floor": BuiltIn(math.floor),
    "min": BuiltIn(lambda *numbers: min(numbers), None),
    "max": BuiltIn(lambda *numbers: max(numbers), None),
}
