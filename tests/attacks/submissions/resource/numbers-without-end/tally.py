"""Answers with a fraction of a hundred thousand digits that has not been reduced, and with a power of ten to a billion."""

from decimal import Decimal
from fractions import Fraction


class Tally:
    def __init__(self, limit=None):
        self.total = Decimal("1e999999999")

    def add(self, number):
        huge = object.__new__(Fraction)
        huge._numerator, huge._denominator = 3**250_000, 2**400_000 * 9
        return huge

    def entries(self):
        return [self.total]

    def summary(self):
        return {"count": self.total, "total": self.add(0)}
