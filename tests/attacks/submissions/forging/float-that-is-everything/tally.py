"""Answers with not-a-number, infinities, True for 1 and complex numbers, for comparisons that were written in a hurry."""

import math


class Tally:
    def __init__(self, limit=None):
        self.total = math.nan

    def add(self, number):
        return math.inf if number > 0 else -math.inf

    def entries(self):
        return [True, math.nan, complex(1, 0), -0.0, 1e308]

    def summary(self):
        return {"count": True, "total": math.nan}

    def __iter__(self):
        return iter(self.entries())
