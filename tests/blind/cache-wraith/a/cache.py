"""A cache made of closures: a shelf is a dict, everything else is a function over it.

The dict is kept in the order of use, because whatever is used is taken out and laid in again at the end.
"""

import time
from collections import Counter
from math import inf
from types import SimpleNamespace
from typing import Any, NamedTuple

OWN = object()
NOTHING = object()


class Entry(NamedTuple):
    """A value and the instant at which it ends (infinity: never)."""

    value: Any
    ends: float


def fair_ttl(ttl):
    """The ttl as it is, or an error if it is no life."""
    match ttl:
        case None:
            return None
        case bool():
            raise TypeError("ttl is a bool")
        case int() | float() if 0 < ttl < inf:
            return ttl
        case int() | float():
            raise ValueError(f"no life lasts {ttl}")
        case _:
            raise TypeError(f"ttl is a {type(ttl).__name__}")


def fair_capacity(capacity):
    """The capacity as it is, or an error if it is none."""
    match capacity:
        case bool():
            raise TypeError("capacity is a bool")
        case int() if capacity >= 0:
            return capacity
        case int():
            raise ValueError("capacity is negative")
        case _:
            raise TypeError(f"capacity is a {type(capacity).__name__}")


def make_shelf(capacity, ttl, clock):
    """The functions of a cache, closed over one shelf."""
    capacity, own = fair_capacity(capacity), fair_ttl(ttl)
    shelf, counts = {}, Counter(hits=0, misses=0, evictions=0, expirations=0)

    def is_live(entry, now):
        return now < entry.ends

    def living():
        now = clock()
        return (key for key, entry in shelf.items() if is_live(entry, now))

    def find(key):
        entry = shelf.get(key)
        if entry is None:
            return NOTHING
        if is_live(entry, clock()):
            return entry.value
        drop(key)
        return NOTHING

    def drop(key, reason="expirations"):
        counts[reason] += 1
        del shelf[key]

    def make_room(now):
        oldest = next(iter(shelf))
        drop(oldest, "evictions" if is_live(shelf[oldest], now) else "expirations")

    def put(key, value, *, ttl=OWN):
        """Store a value; the least recently used entry makes room."""
        life = own if ttl is OWN else fair_ttl(ttl)
        known = find(key) is not NOTHING
        if capacity == 0:
            return
        now = clock()
        if known:
            del shelf[key]
        elif len(shelf) == capacity:
            make_room(now)
        shelf[key] = Entry(value, inf if life is None else now + life)

    def use(key):
        value = find(key)
        if value is NOTHING:
            counts["misses"] += 1
        else:
            counts["hits"] += 1
            shelf[key] = shelf.pop(key)
        return value

    def get(key, default=None):
        """The value, which is used by that, or the default."""
        value = use(key)
        return default if value is NOTHING else value

    def peek(key, default=None):
        """The value or the default, and nobody notices."""
        value = find(key)
        return default if value is NOTHING else value

    def get_or_load(key, load):
        """The value, or else what load makes of the key."""
        value = use(key)
        if value is NOTHING:
            value = load(key)
            put(key, value)
        return value

    def delete(key):
        """Remove a live entry; was there one?"""
        found = find(key) is not NOTHING
        if found:
            del shelf[key]
        return found

    def clear():
        """Remove everything but the counts."""
        counts["expirations"] += len(shelf) - size()
        shelf.clear()

    def keys():
        """Live keys, the least recently used first."""
        return list(living())

    def size():
        return sum(1 for _ in living())

    def stats():
        """The counts so far."""
        return dict(counts, expirations=counts["expirations"] + len(shelf) - size())

    return SimpleNamespace(put=put, get=get, peek=peek, get_or_load=get_or_load, delete=delete, clear=clear, keys=keys,
                           stats=stats, size=size, find=find)


class Cache:
    """The face of a shelf. Python looks for `len` and `in` on the class, so these two stand here."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        """Make a shelf and take over its functions."""
        self._shelf = make_shelf(capacity, ttl, clock)
        for name in "put get peek get_or_load delete clear keys stats".split():
            setattr(self, name, getattr(self._shelf, name))

    def __len__(self):
        return self._shelf.size()

    def __contains__(self, key):
        return self._shelf.find(key) is not NOTHING
