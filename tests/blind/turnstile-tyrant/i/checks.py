"""Which arguments make sense."""

from math import isfinite


def check_units(value, most=None):
    """TypeError unless value is an int; ValueError unless it is 1 or more, and at most `most`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"not an int: {value!r}")
    if value < 1 or (most is not None and value > most):
        raise ValueError(f"out of range: {value!r}")


def check_time(value, positive):
    """TypeError unless value is a number; ValueError unless it is finite, and positive or else not negative."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"not a number: {value!r}")
    if not isfinite(value) or value < 0 or (positive and value == 0):
        raise ValueError(f"out of range: {value!r}")
