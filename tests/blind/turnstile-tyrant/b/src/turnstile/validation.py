"""What arguments make sense."""

import math


def whole(name: str, value: object) -> int:
    """The value, if it is an int and 1 or more."""
    if type(value) is bool or not isinstance(value, int):
        raise TypeError(f"{name} must be an int")
    if value < 1:
        raise ValueError(f"{name} must be at least 1")
    return value


def seconds(name: str, value: object) -> float:
    """The value, if it is a finite number and not negative."""
    if type(value) is bool or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be an int or a float")
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} must be finite and not negative")
    return value


def span(name: str, value: object) -> float:
    """The value, if it is a finite number above 0."""
    if seconds(name, value) == 0:
        raise ValueError(f"{name} must not be 0")
    return value
