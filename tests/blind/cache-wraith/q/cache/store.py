"""The storage engine: entries, their order and their ends, at a given moment."""

from dataclasses import dataclass
from itertools import count
from typing import Any, Hashable

from .ports import EvictionPolicy, ExpiryIndex, Observer


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored value and the token of this storing."""

    value: Any
    token: int


class Store:
    """Every method takes the moment of the operation; the store itself has no clock."""

    def __init__(self, capacity: int, policy: EvictionPolicy, ends: ExpiryIndex, observer: Observer) -> None:
        self._capacity = capacity
        self._policy = policy
        self._ends = ends
        self._observer = observer
        self._entries: dict[Hashable, Entry] = {}
        self._tokens = count()

    def find(self, key: Hashable, moment: float) -> Entry | None:
        """The live entry of the key."""
        self.expire(moment)
        return self._entries.get(key)

    def touch(self, key: Hashable) -> None:
        """Note a use."""
        self._policy.touch(key)

    def save(self, key: Hashable, value: Any, ttl: float | None, moment: float) -> None:
        """Store a value, making room if needed."""
        known = self.find(key, moment) is not None
        if self._capacity == 0:
            return
        if not known and len(self._entries) >= self._capacity:
            self.remove(self._policy.victim())
            self._observer.notify("evictions")
        entry = Entry(value, next(self._tokens))
        self._entries[key] = entry
        self._policy.touch(key)
        if ttl is not None:
            self._ends.schedule(moment + ttl, entry.token, key)

    def remove(self, key: Hashable) -> None:
        """Remove an entry that is there."""
        del self._entries[key]
        self._policy.forget(key)

    def expire(self, moment: float) -> None:
        """Remove all entries whose life has ended by the moment."""
        for token, key in self._ends.due(moment):
            entry = self._entries.get(key)
            if entry is not None and entry.token == token:
                self.remove(key)
                self._observer.notify("expirations")

    def keys(self, moment: float) -> list[Hashable]:
        """Live keys, the next victim first."""
        self.expire(moment)
        return self._policy.order()
