"""A cache that holds a fixed number of entries, each for its time."""

import time


class Cache:
    """The least recently used entry makes room; an expired one is gone.

    For now it is a shelf without places: whatever you put on it falls down.
    """

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """Make an empty cache."""
        self._capacity = capacity
        self._ttl = ttl
        self._clock = clock

    def put(self, key, value):
        """Store a value."""

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return default
