"""Checks of arguments. Each returns what it was given, or raises."""

import math


def check_capacity(capacity):
    """A capacity is an int of zero or more."""
    if isinstance(capacity, bool) or not isinstance(capacity, int):
        raise TypeError(f"capacity must be an int, not {type(capacity).__name__}")
    if capacity < 0:
        raise ValueError(f"capacity must be zero or more, not {capacity}")
    return capacity


def check_ttl(ttl):
    """A ttl is None or a finite number above zero."""
    if ttl is None:
        return ttl
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)):
        raise TypeError(f"ttl must be a number or None, not {type(ttl).__name__}")
    if not 0 < ttl < math.inf:
        raise ValueError(f"ttl must be finite and above zero, not {ttl}")
    return ttl


def check_key(key):
    """A key can be hashed."""
    hash(key)
    return key
