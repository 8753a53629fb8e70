"""The class that other programs use."""

import time
from typing import Any, Callable, Hashable

from .policies import CountingObserver, DeadlineHeap, LeastRecentlyUsed
from .ports import Clock, Observer
from .store import Store
from .validation import require_capacity, require_ttl


class _Inherit:
    """Type of the marker for 'the ttl of the cache'."""


_INHERIT = _Inherit()


class Cache:
    """A thin facade: reads the clock once for each operation and hands the moment to the store."""

    def __init__(self, capacity: int, ttl: float | None = None, clock: Clock = time.monotonic) -> None:
        """Wire the parts together."""
        self._ttl = require_ttl(ttl)
        self._clock = clock
        self._observer: Observer = CountingObserver()
        self._store = Store(require_capacity(capacity), LeastRecentlyUsed(), DeadlineHeap(), self._observer)

    def put(self, key: Hashable, value: Any, *, ttl: float | None | _Inherit = _INHERIT) -> None:
        """Store a value with its life."""
        self._save(key, value, self._life(ttl), self._clock())

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The live value, which is used; or the default."""
        entry = self._use(key, self._clock())
        return default if entry is None else entry.value

    def peek(self, key: Hashable, default: Any = None) -> Any:
        """The live value, untouched; or the default."""
        entry = self._store.find(key, self._clock())
        return default if entry is None else entry.value

    def __contains__(self, key: Hashable) -> bool:
        """Whether the key is live."""
        return self._store.find(key, self._clock()) is not None

    def get_or_load(self, key: Hashable, load: Callable[[Hashable], Any]) -> Any:
        """The live value, or what load returns, which is then stored."""
        moment = self._clock()
        entry = self._use(key, moment)
        if entry is not None:
            return entry.value
        value = load(key)
        self._save(key, value, self._ttl, moment)
        return value

    def delete(self, key: Hashable) -> bool:
        """Remove a live entry; whether there was one."""
        found = key in self
        if found:
            self._store.remove(key)
        return found

    def clear(self) -> None:
        """Remove all live entries."""
        for key in self.keys():
            self._store.remove(key)

    def __len__(self) -> int:
        """The number of live entries."""
        return len(self.keys())

    def keys(self) -> list[Hashable]:
        """Live keys, the least recently used first."""
        return self._store.keys(self._clock())

    def stats(self) -> dict[str, int]:
        """Counts up to now."""
        self._store.expire(self._clock())
        return self._observer.snapshot()

    def _life(self, ttl):
        return self._ttl if isinstance(ttl, _Inherit) else require_ttl(ttl)

    def _save(self, key, value, ttl, moment):
        self._store.save(key, value, ttl, moment)

    def _use(self, key, moment):
        entry = self._store.find(key, moment)
        if entry is None:
            self._observer.notify("misses")
        else:
            self._observer.notify("hits")
            self._store.touch(key)
        return entry
