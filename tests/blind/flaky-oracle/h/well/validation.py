"""Checks of settings. A NaN fails each of them, since every comparison with it is false."""


def require_at_least_one(name: str, value: int) -> int:
    """Return value if it is 1 or more."""
    return _require(value >= 1, name, value, "at least 1")


def require_positive(name: str, value: float) -> float:
    """Return value if it is above 0."""
    return _require(value > 0, name, value, "above 0")


def require_fraction(name: str, value: float) -> float:
    """Return value if it is from 0 to 1."""
    return _require(0 <= value <= 1, name, value, "from 0 to 1")


def _require(holds, name, value, rule):
    if not holds:
        raise ValueError(f"{name} must be {rule}, not {value!r}")
    return value
