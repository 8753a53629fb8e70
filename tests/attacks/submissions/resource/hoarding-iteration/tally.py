"""Gives a little more than it should with every step, for a trial that keeps it all."""


class Tally:
    def __init__(self, limit=None):
        self.total = 0

    def add(self, number):
        return self

    def __iter__(self):
        while True:
            yield "x" * 1_000_000
