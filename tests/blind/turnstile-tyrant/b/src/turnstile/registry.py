"""The buckets of all keys in use."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Hashable

from turnstile.bucket import Bucket


class Registry:
    """Makes buckets when they are needed, and lets go of them when they are empty."""

    def __init__(self) -> None:
        """Make a registry without buckets."""
        self._lock = threading.Lock()
        self._buckets: dict[Hashable, Bucket] = {}
        self._ends: deque[tuple[float, Hashable]] = deque()

    def find(self, key: Hashable) -> Bucket | None:
        """The bucket of a key, if there is one."""
        with self._lock:
            return self._buckets.get(key)

    def obtain(self, key: Hashable) -> Bucket:
        """The bucket of a key, made if need be."""
        with self._lock:
            return self._buckets.setdefault(key, Bucket())

    def note(self, key: Hashable, end: float) -> None:
        """Remember to look at a key when its units have ended."""
        with self._lock:
            self._ends.append((end, key))

    def sweep(self, now: float) -> None:
        """Let go of the buckets that are empty by now."""
        with self._lock:
            while self._ends and self._ends[0][0] <= now:
                self._release(self._ends.popleft()[1], now)

    def snapshot(self) -> list[Bucket]:
        """All buckets."""
        with self._lock:
            return list(self._buckets.values())

    def _release(self, key: Hashable, now: float) -> None:
        bucket = self._buckets.get(key)
        if bucket is None:
            return
        with bucket.lock:
            bucket.expire(now)
            if not bucket.used:
                del self._buckets[key]
