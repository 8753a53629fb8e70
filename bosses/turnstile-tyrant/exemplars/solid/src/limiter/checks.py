"""What may be given as an argument."""

from math import inf


def whole(what, number):
    """A whole number from 1."""
    if type(number) is not int:
        raise TypeError(f"{what}: a whole number is needed")
    if number < 1:
        raise ValueError(f"{what}: must be at least 1")
    return number


def seconds(what, number, zero=False):
    """A span of time; zero only if that is said."""
    if type(number) not in (int, float):
        raise TypeError(f"{what}: a number of seconds is needed")
    if not 0 <= number < inf or (number == 0 and not zero):
        raise ValueError(f"{what}: {number} is out of range")
    return number
