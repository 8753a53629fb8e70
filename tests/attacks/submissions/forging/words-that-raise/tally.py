"""Raises exceptions that raise when they are turned into words, each time of another kind."""


class Hostile(Exception):
    turns = iter([ValueError, KeyboardInterrupt, SystemExit, GeneratorExit, RecursionError] * 100)

    def __str__(self):
        raise next(Hostile.turns)

    __repr__ = __str__

    @property
    def args(self):
        raise next(Hostile.turns)


class Tally:
    def __init__(self, limit=None):
        raise Hostile("x")
