"""What capacities and lives may be."""

INFINITY = float("inf")


def kind_of(value):
    """The name of a value's own class; True is a bool and no int."""
    return type(value).__name__


def is_number(value, *kinds):
    """Whether a value is of one of these kinds, booleans aside."""
    return isinstance(value, kinds) and not isinstance(value, bool)


def capacity_from(value):
    """A capacity, or the error that it deserves."""
    if not is_number(value, int):
        raise TypeError(f"a capacity is an int, not {kind_of(value)}")
    if value < 0:
        raise ValueError(f"a capacity is 0 or more, not {value}")
    return value


def life_from(value):
    """A life, None for ever, or the error that it deserves."""
    if value is None:
        return None
    if not is_number(value, int, float):
        raise TypeError(f"a life is a number or None, not {kind_of(value)}")
    if not 0 < value < INFINITY:
        raise ValueError(f"a life is finite and above 0, not {value}")
    return value
