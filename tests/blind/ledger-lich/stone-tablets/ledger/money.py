"""Exact money: amounts as whole numbers of the smallest unit, 10**-12."""

from decimal import Context, Decimal

from .errors import InvalidAmountError

PLACES = 12
# Wide enough for any amount, and independent of whatever context the caller has set.
WIDE = Context(prec=200, traps=[])


def units(amount):
    """An amount as a whole number of units."""
    if not isinstance(amount, Decimal):
        raise InvalidAmountError(f"{amount!r} is a {type(amount).__name__}, not a Decimal")
    if not amount.is_finite() or not amount:
        raise InvalidAmountError(f"{amount} is no amount")
    return int(amount.scaleb(PLACES, WIDE))


def money(number):
    """A number of units as a Decimal."""
    return Decimal(number).scaleb(-PLACES, WIDE)
