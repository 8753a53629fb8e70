"""Amounts as whole numbers of the smallest unit, which Python never rounds."""

from decimal import Decimal

from .errors import InvalidAmountError

DIGITS = 12


def units(amount):
    """How many of the smallest unit an amount is."""
    if not isinstance(amount, Decimal) or not amount.is_finite() or not amount:
        raise InvalidAmountError(f"{amount!r} is not a finite Decimal other than zero")
    return exact_units(amount)


def exact_units(value):
    """The same for any finite Decimal, zero included."""
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits))) * 10 ** max(0, exponent + DIGITS)
    number //= 10 ** max(0, -exponent - DIGITS)
    return -number if sign else number


def as_decimal(number):
    """The Decimal for so many units."""
    digits = tuple(int(digit) for digit in str(abs(number)))
    return Decimal((int(number < 0), digits, -DIGITS))
