"""Spins for ever in the first call."""


class Tally:
    total = 0

    def add(self, number):
        while True: self.total += 1
