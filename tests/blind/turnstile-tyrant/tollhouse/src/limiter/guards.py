"""What may be handed in, and what may not."""

import math


def whole(name, value):
    """Return value if it is an int of 1 or more, raise otherwise."""
    if type(value) is not int:
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} must be 1 or more, got {value}")
    return value


def seconds(name, value, *, zero_ok):
    """Return value if it is a finite number of seconds, raise otherwise."""
    if type(value) not in (int, float):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite")
    if value < 0 or (value == 0 and not zero_ok):
        raise ValueError(f"{name} is too small: {value}")
    return value
