"""Raises StopIteration and its kin wherever something is asked, in loops and outside."""


class Tally:
    def __init__(self, limit=None):
        self.asked = 0

    def add(self, number):
        raise StopIteration(number)

    def __iter__(self):
        return self

    def __next__(self):
        raise StopAsyncIteration

    def summary(self):
        raise GeneratorExit

    def entries(self):
        raise StopIteration([0] * 5)
