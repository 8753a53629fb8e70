"""Money as whole numbers of the smallest unit; Python never rounds an int."""

from decimal import Decimal

PLACES = 12


def to_units(amount):
    """How many of the smallest unit a finite Decimal is."""
    sign, digits, exponent = amount.as_tuple()
    number = int("".join(map(str, digits)))
    shift = exponent + PLACES
    number = number * 10**shift if shift >= 0 else number // 10**-shift
    return -number if sign else number


def to_decimal(units):
    """The Decimal that is so many of the smallest unit."""
    return Decimal(f"{units}e-{PLACES}")
