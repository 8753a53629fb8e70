"""The limiter: windows by key, and one lock for all of them."""

import threading
import time

from .checks import seconds, whole
from .window import Window


class RateLimiter:
    """Each key may have ``limit`` units in use; a unit is in use for ``period`` seconds."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        self._limit = whole("limit", limit)
        self._period = seconds("period", period)
        self._clock = clock
        self._sleep = sleep
        self._limits = {}
        self._windows = {}
        self._guard = threading.RLock()

    def try_acquire(self, key, cost=1):
        """Take the units if they are free, and say whether they were."""
        with self._guard:
            now = self._tidy()
            if self._missing(key, cost) > 0:
                return False
            self._windows.setdefault(key, Window()).add(now, cost)
            return True

    def acquire(self, key, cost=1, timeout=None):
        """Wait for the units and take them; False if that would take too long."""
        if timeout is not None:
            seconds("timeout", timeout, zero=True)
        start = self._clock()
        while not self.try_acquire(key, cost):
            wait = self.retry_after(key, cost)
            if timeout is not None and self._clock() + wait >= start + timeout:
                return False
            self._sleep(wait)
        return True

    def available(self, key):
        """The units of the key that are free."""
        with self._guard:
            self._tidy()
            return max(0, self._free(key))

    def retry_after(self, key, cost=1):
        """Seconds until so many units are free."""
        with self._guard:
            now = self._tidy()
            missing = self._missing(key, cost)
            if missing <= 0:
                return 0
            return self._windows[key].given_when_freed(missing) + self._period - now

    def set_limit(self, key, limit):
        """Give a key its own limit, or take it away with None."""
        hash(key)
        with self._guard:
            if limit is not None:
                self._limits[key] = whole("limit", limit)
            elif key in self._limits:
                del self._limits[key]

    def __len__(self):
        """Keys with units in use."""
        with self._guard:
            self._tidy()
            return len(self._windows)

    def _tidy(self):
        """Close the windows that have become empty; gives the time. Call it with the guard held."""
        now = self._clock()
        for key, window in list(self._windows.items()):
            window.forget(now - self._period)
            if not window.used:
                del self._windows[key]
        return now

    def _free(self, key):
        """Units that can still be taken; below zero if the limit was lowered."""
        window = self._windows.get(key)
        return self._limits.get(key, self._limit) - (window.used if window else 0)

    def _missing(self, key, cost):
        """How many units a call of this cost lacks; zero or less if none."""
        if whole("cost", cost) > self._limits.get(key, self._limit):
            raise ValueError("cost: more than the limit of the key")
        return cost - self._free(key)
