"""Raises an exception with a message of ten megabytes, a name of ten thousand letters, and a chain of causes."""

Endless = type("Endless" + "s" * 10_000, (ValueError,), {})


class Tally:
    def __init__(self, limit=None):
        error = Endless("x" * 10_000_000)
        for number in range(2000):
            following = KeyError(number)
            following.__cause__ = error
            error = following
        raise Endless("y" * 10_000_000) from error
