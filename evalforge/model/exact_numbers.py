"""Scores as exact numbers: 0.1 + 0.2 must meet a threshold of 0.3."""

import math
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator


def to_fraction(value: float) -> Fraction:
    """The number as a person wrote it: ``to_fraction(0.1)`` is 1/10, not the nearest binary float."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def to_number(value: Fraction) -> int | float:
    """An exact number for JSON: an int if it is whole, else a float."""
    return value.numerator if value.denominator == 1 else float(value)


def is_finite(value: float) -> bool:
    """Whether a number is finite; an int with more digits than a float can hold is not."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _finite(value: float) -> float:
    if not is_finite(value):
        raise ValueError("a score must be a finite number")
    return to_number(to_fraction(value))


Score = Annotated[int | float, AfterValidator(_finite)]
"""A level's score: any finite number, typically 0, 1 or 2."""
