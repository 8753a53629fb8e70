"""Raises GeneratorExit at its import and from every call."""

if __name__ != "tally":
    raise GeneratorExit("at once")


class Tally:
    def __init__(self, limit=None):
        raise GeneratorExit
