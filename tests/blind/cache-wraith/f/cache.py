"""
cache.py
========

This module provides the class :class:`Cache`, a robust and fault-tolerant implementation of a cache with a fixed
number of places ("capacity") and an optional time to live ("ttl").

Design goals
------------
1. Robustness: a cache must never be the reason why a program stops. Errors are caught wherever they can occur.
2. Uniformity: all operations take the same way through the method ``_perform``.
3. Documentation: every method is described in full.
"""

import time
from collections import OrderedDict

_MISSING = object()


class Cache:
    """
    A cache with a fixed number of places.

    Parameters
    ----------
    capacity : int
        The number of entries that the cache holds at most. Must not be negative.
    ttl : int or float or None
        The default time to live of all entries. ``None`` means that entries live for ever.
    clock : callable
        A function without arguments that returns the current time.

    Raises
    ------
    TypeError
        If capacity or ttl are of a wrong type.
    ValueError
        If capacity or ttl are out of range.
    """

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """
        Initialise the cache. See the documentation of the class.
        """
        try:
            if isinstance(capacity, bool):
                raise TypeError
            self._capacity = capacity + 0
            self._capacity = range(capacity).stop
        except Exception:
            raise TypeError("capacity must be an integer")
        if self._capacity < 0:
            raise ValueError("capacity must not be negative")
        self._check_ttl(ttl)
        self._ttl = ttl
        self._clock = clock
        self._entries = OrderedDict()
        self._counters = {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def _check_ttl(self, ttl):
        """
        Check a time to live.

        Raises TypeError if it is of a wrong type, ValueError if it is out of range.
        """
        if ttl is None:
            return
        try:
            if isinstance(ttl, bool):
                raise TypeError
            good = ttl > 0 and ttl != float("inf")
        except Exception:
            raise TypeError("ttl must be a number")
        if not good:
            raise ValueError("ttl must be positive and finite")

    def _perform(self, operation, key=None, value=None, default=None, ttl=_MISSING, load=None):
        """
        Perform an operation of the cache. All public methods go through here, so that the removal of expired entries
        is guaranteed to have happened before anything else takes place.

        Parameters
        ----------
        operation : str
            One of "put", "get", "peek", "contains", "load", "delete", "clear", "len", "keys", "stats".
        key, value, default, ttl, load
            The arguments of the operation, as far as it needs them.

        Returns
        -------
        object
            The result of the operation.
        """
        hash(key)
        now = self._clock()
        for old in list(self._entries):
            ends = self._entries[old]["ends"]
            if ends and now >= ends:
                del self._entries[old]
                self._counters["expirations"] += 1
        if operation == "put":
            if ttl is _MISSING:
                ttl = self._ttl
            else:
                self._check_ttl(ttl)
            if self._capacity == 0:
                return None
            if key not in self._entries:
                while len(self._entries) >= self._capacity:
                    self._entries.popitem(last=False)
                    self._counters["evictions"] += 1
            self._entries[key] = {"value": value, "ends": now + ttl if ttl is not None else None}
            self._entries.move_to_end(key)
            return None
        elif operation in ("get", "peek", "load"):
            try:
                entry = self._entries[key]
                self._entries.move_to_end(key)
                if operation != "peek":
                    self._counters["hits"] += 1
                return entry["value"]
            except Exception:
                if operation != "peek":
                    self._counters["misses"] += 1
                if operation == "load":
                    try:
                        loaded = load(key)
                    except Exception:
                        # A loader that fails must not bring the program down.
                        return None
                    self._perform("put", key, loaded)
                    return loaded
                return default
        elif operation == "contains":
            return key in self._entries
        elif operation == "delete":
            try:
                del self._entries[key]
                return True
            except Exception:
                return False
        elif operation == "clear":
            self._entries.clear()
            return None
        elif operation == "len":
            return len(self._entries)
        elif operation == "keys":
            return list(self._entries)
        elif operation == "stats":
            return dict(self._counters)

    def put(self, key, value, *, ttl=_MISSING):
        """
        Store a value in the cache.

        If the key is present already, its value is overwritten. If the cache is full, the least recently used entry
        is evicted.
        """
        return self._perform("put", key, value, ttl=ttl)

    def get(self, key, default=None):
        """
        Return the value of a key, or the default if the key is not present or has expired.
        """
        return self._perform("get", key, default=default)

    def peek(self, key, default=None):
        """
        Return the value of a key like :meth:`get`, without touching the statistics.
        """
        return self._perform("peek", key, default=default)

    def __contains__(self, key):
        """
        Return whether the key is present.
        """
        return self._perform("contains", key)

    def get_or_load(self, key, load):
        """
        Return the value of a key; if it is not present, call ``load`` and store its result.

        If ``load`` fails, ``None`` is returned and nothing is stored.
        """
        return self._perform("load", key, load=load)

    def delete(self, key):
        """
        Remove a key. Return True if it was present, False otherwise.
        """
        return self._perform("delete", key)

    def clear(self):
        """
        Remove all keys. The statistics are kept.
        """
        return self._perform("clear")

    def __len__(self):
        """
        Return the number of entries.
        """
        return self._perform("len")

    def keys(self):
        """
        Return a list of all keys, the least recently used first.
        """
        return self._perform("keys")

    def stats(self):
        """
        Return a copy of the statistics.
        """
        return self._perform("stats")
