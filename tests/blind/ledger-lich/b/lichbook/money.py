"""Exact arithmetic, whatever decimal context is in force."""

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

ZERO = Decimal(0)
_CONTEXT = Context(prec=500, Emax=MAX_EMAX, Emin=MIN_EMIN)


def add(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum of two amounts."""
    return _CONTEXT.add(left, right)


def total(amounts: Iterable[Decimal]) -> Decimal:
    """The exact sum of all amounts."""
    result = ZERO
    for amount in amounts:
        result = add(result, amount)
    return result


def is_amount(thing: object) -> bool:
    """Whether the thing is an amount: a finite Decimal other than zero."""
    return isinstance(thing, Decimal) and thing.is_finite() and not thing.is_zero()
