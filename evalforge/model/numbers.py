"""Scores as exact numbers: 0.1 + 0.2 must meet a threshold of 0.3."""

import math
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator


def exact(value: float) -> Fraction:
    """The number a person wrote, not the binary float next to it."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def plain(value: Fraction) -> int | float:
    """An exact number as JSON shows it: an int where it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def is_finite(value: float) -> bool:
    """Whether one can reckon with a number: a whole one may have more digits than a float can hold."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _finite(value: float) -> float:
    if not is_finite(value):
        raise ValueError("a score must be a finite number")
    return plain(exact(value))


Score = Annotated[int | float, AfterValidator(_finite)]
"""A level's score: any finite number, typically 0, 1 or 2."""
