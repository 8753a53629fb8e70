"""What an argument has to be, and the errors for those that are not."""

import math


class WrongKindError(TypeError):
    """An argument is of a type that makes no sense here."""


class OutOfRangeError(ValueError):
    """An argument is of the right type, but no call can use its value."""


def units(name, value):
    """The value, if it is a number of units: an int from 1."""
    _demand_kind(name, value, int)
    _demand(value >= 1, name, value, "is below 1")
    return value


def seconds(name, value, zero_is_fine):
    """The value, if it is a finite span of time; an empty one only where that is said to be fine."""
    _demand_kind(name, value, int, float)
    _demand(math.isfinite(value), name, value, "is not finite")
    _demand(value > 0 or (zero_is_fine and value == 0), name, value, "is too small")
    return value


def cost(value, limit):
    """The value, if a key with this limit can ever be granted so much."""
    _demand(units("cost", value) <= limit, "cost", value, f"is above the limit of {limit}")
    return value


def _demand_kind(name, value, *kinds):
    if type(value) is bool or not isinstance(value, kinds):
        raise WrongKindError(f"{name} {value!r} is no {' or '.join(kind.__name__ for kind in kinds)}")


def _demand(fine, name, value, complaint):
    if not fine:
        raise OutOfRangeError(f"{name} {value!r} {complaint}")
