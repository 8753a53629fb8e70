"""Checks of arguments."""

import math
from typing import Any


def require_capacity(value: Any) -> int:
    """A capacity, or TypeError or ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"capacity: expected an int, got {value!r}")
    if value < 0:
        raise ValueError(f"capacity: expected 0 or more, got {value!r}")
    return value


def require_ttl(value: Any) -> float | None:
    """A life, or TypeError or ValueError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"ttl: expected a number or None, got {value!r}")
    if not 0 < value < math.inf:
        raise ValueError(f"ttl: expected a finite number above 0, got {value!r}")
    return value
