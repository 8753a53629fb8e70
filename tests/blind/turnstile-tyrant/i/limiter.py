"""A rate limiter: so many units for each key in a window of one period."""

import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from checks import check_time, check_units


@dataclass
class Window:
    """The open window of a key: when all its units are free again, and how many are in use until then."""

    end: float
    used: int = 0


class RateLimiter:
    """Lets each key have so many units in every window."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter that nobody has used."""
        check_units(limit)
        check_time(period, positive=True)
        self._limit = limit
        self._period = period
        self._clock = clock
        self._sleep = sleep
        self._lock = Lock()
        self._windows = {}
        self._order = deque()
        self._own_limits = {}

    def try_acquire(self, key, cost=1):
        """Take the units if they are free; whether they were."""
        with self._at_present() as now:
            self._check_cost(key, cost)
            return self._take(key, cost, now)

    def acquire(self, key, cost=1, timeout=None):
        """Take the units as soon as they are free; False if they can't be free within the timeout."""
        if timeout is not None:
            check_time(timeout, positive=False)
        start = None
        while True:
            with self._at_present() as now:
                self._check_cost(key, cost)
                if self._take(key, cost, now):
                    return True
                free_at = self._windows[key].end
            start = now if start is None else start
            if timeout is not None and free_at > start + timeout:
                return False
            self._sleep(free_at - now)

    def available(self, key):
        """How many units of the key are free."""
        with self._at_present():
            return max(0, self._free(key))

    def retry_after(self, key, cost=1):
        """Seconds until the units are free; 0 if they are."""
        with self._at_present() as now:
            self._check_cost(key, cost)
            return 0 if cost <= self._free(key) else self._windows[key].end - now

    def set_limit(self, key, limit):
        """Give the key a limit of its own; None takes it away."""
        if limit is not None:
            check_units(limit)
        with self._lock:
            if limit is None:
                self._own_limits.pop(key, None)
            else:
                self._own_limits[key] = limit

    def __len__(self):
        """How many keys have units in use."""
        with self._at_present():
            return len(self._windows)

    @contextmanager
    def _at_present(self):
        """Hold the lock, close the windows that are over, and tell the time."""
        with self._lock:
            now = self._clock()
            while self._order and self._windows[self._order[0]].end <= now:
                del self._windows[self._order.popleft()]
            yield now

    def _limit_of(self, key):
        """The limit of a key. The lock must be held."""
        return self._own_limits.get(key, self._limit)

    def _check_cost(self, key, cost):
        """Refuse what the key can never have. The lock must be held."""
        check_units(cost, most=self._limit_of(key))

    def _free(self, key):
        """Limit less units in use. The lock must be held."""
        window = self._windows.get(key)
        return self._limit_of(key) - (window.used if window else 0)

    def _take(self, key, cost, now):
        """Take the units if they are free; whether they were. The lock must be held."""
        if cost > self._free(key):
            return False
        if key not in self._windows:
            self._windows[key] = Window(now + self._period)
            self._order.append(key)
        self._windows[key].used += cost
        return True
