"""Answers with a million empty lists, which are small on the way and large on arrival."""


class Tally:
    def __init__(self, limit=None):
        self.total = [[] for _ in range(1_200_000)]

    def add(self, number):
        return self.total

    def entries(self):
        return "x" * 15_000_000

    def summary(self):
        return self.total
