"""Checks of what is handed in."""


def at_least(name, value, least):
    """The value, if it is not below least; NaN never is enough."""
    if not value >= least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return value


def above_zero(name, value):
    """The value, if it is above zero; NaN never is."""
    if not value > 0:
        raise ValueError(f"{name} must be above 0, not {value}")
    return value
