"""The limiter itself: arguments, limits, the clock and the lock around the book."""

import contextlib
import threading
import time

from . import checks
from .book import Book


class RateLimiter:
    """Lets each key have ``limit`` units in use; each unit is in use for ``period`` seconds."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        self._limit = checks.units("limit", limit)
        self._book = Book(checks.seconds("period", period, zero_is_fine=False))
        self._clock = clock
        self._sleep = sleep
        self._special = {}
        self._lock = threading.Lock()

    def try_acquire(self, key, cost=1):
        """Whether the units were free; if so, they are taken."""
        with self._instant() as now:
            missing = self._missing(key, cost, now)
            if missing > 0:
                return False
            self._book.give(key, cost, now)
            return True

    def acquire(self, key, cost=1, timeout=None):
        """Wait until the units are taken (True), or can't be within the timeout (False)."""
        if timeout is not None:
            checks.seconds("timeout", timeout, zero_is_fine=True)
        latest = None if timeout is None else self._clock() + timeout
        while True:
            with self._instant() as now:
                free_at = self._free_at(key, cost, now)
                if free_at == now:
                    self._book.give(key, cost, now)
                    return True
            if latest is not None and free_at > latest:
                return False
            self._sleep(free_at - now)

    def available(self, key):
        """The free units of the key."""
        with self._instant() as now:
            return max(self._limit_of(key) - self._book.in_use(key, now), 0)

    def retry_after(self, key, cost=1):
        """Seconds until the units are free, 0.0 if they are."""
        with self._instant() as now:
            return float(self._free_at(key, cost, now) - now)

    def set_limit(self, key, limit):
        """Put the key on a limit of its own, or with None back on the common one."""
        if limit is not None:
            checks.units("limit", limit)
        with self._lock:
            self._special.update({key: limit})
            if limit is None:
                del self._special[key]

    def __len__(self):
        """The number of keys with units in use."""
        with self._instant():
            return len(self._book)

    @contextlib.contextmanager
    def _instant(self):
        """One instant, in which nothing changes but by the caller: the time, with the book brought up to it."""
        with self._lock:
            now = self._clock()
            self._book.strike_out(now)
            yield now

    def _limit_of(self, key):
        return self._special.get(key, self._limit)

    def _missing(self, key, cost, now):
        """How many units the call lacks; none if that is 0 or less."""
        limit = self._limit_of(key)
        return checks.cost(cost, limit) - (limit - self._book.in_use(key, now))

    def _free_at(self, key, cost, now):
        missing = self._missing(key, cost, now)
        return self._book.freed_at(key, missing) if missing > 0 else now
