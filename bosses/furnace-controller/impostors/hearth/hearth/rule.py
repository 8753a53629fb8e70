"""The rule. It knows numbers and orders, no files and no streams."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class Order(NamedTuple):
    """What the furnace is to do: the word for people, the exit status for machines."""

    word: str
    status: int


HEAT = Order("HEAT", 10)
STABLE = Order("STABLE", 0)
COOL = Order("COOL", 11)


def mean(values: Sequence[Fraction]) -> Fraction:
    """The arithmetic mean, exact."""
    return sum(values, Fraction(0)) / len(values)


def order_for(average: Fraction, target: Fraction, tolerance: Fraction) -> Order:
    """The order for an average: nothing is to be done from edge to edge of the tolerance."""
    too_hot = average > target + tolerance
    too_cold = average < target - tolerance
    return (STABLE, COOL, HEAT)[too_hot - too_cold]
