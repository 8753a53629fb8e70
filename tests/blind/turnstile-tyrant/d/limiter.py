"""A rate limiter: so many units for each key in any span of one period."""

import math
import threading
import time
from collections import deque
from contextlib import contextmanager


def _check_int(name, value):
    """TypeError unless value is an int, ValueError unless it is 1 or more."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be 1 or more, not {value!r}")


def _check_seconds(name, value, zero):
    """TypeError unless value is a number, ValueError unless it is finite and above (or at) zero."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise ValueError(f"{name} can't be {value!r}")


class RateLimiter:
    """Lets each key have so many units in use, each for one period."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter that nobody has used."""
        _check_int("limit", limit)
        _check_seconds("period", period, zero=False)
        self._limit = limit
        self._period = period
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._grants = deque()  # (end, key, cost), in order of end
        self._used = {}  # key -> units in use, never 0
        self._limits = {}  # key -> its own limit

    def try_acquire(self, key, cost=1):
        """Take the units if they are free; whether they were."""
        with self._now() as now:
            return self._wait_for(key, cost, now, take=True) == 0

    def acquire(self, key, cost=1, timeout=None):
        """Take the units as soon as they are free; False if that is after the timeout."""
        if timeout is not None:
            _check_seconds("timeout", timeout, zero=True)
        deadline = None
        while True:
            with self._now() as now:
                wait = self._wait_for(key, cost, now, take=True)
            if wait == 0:
                return True
            if timeout is not None:
                if deadline is None:
                    deadline = now + timeout
                if now + wait > deadline:
                    return False
            self._sleep(wait)

    def available(self, key):
        """How many units of the key are free."""
        with self._now():
            return max(0, self._free(key))

    def retry_after(self, key, cost=1):
        """Seconds until the cost is free if nobody else takes anything."""
        with self._now() as now:
            return self._wait_for(key, cost, now, take=False)

    def set_limit(self, key, limit):
        """Give a key a limit of its own, or with None the common one."""
        if limit is not None:
            _check_int("limit", limit)
        with self._lock:
            if limit is None:
                self._limits.pop(key, None)
            else:
                self._limits[key] = limit

    def __len__(self):
        """How many keys have units in use."""
        with self._now():
            return len(self._used)

    @contextmanager
    def _now(self):
        """Hold the lock and know the time; what has ended by then is free."""
        with self._lock:
            now = self._clock()
            while self._grants and self._grants[0][0] <= now:
                _, key, cost = self._grants.popleft()
                self._used[key] -= cost
                if not self._used[key]:
                    del self._used[key]
            yield now

    def _free(self, key):
        """With the lock: limit less units in use, which is negative after a limit was lowered."""
        return self._limits.get(key, self._limit) - self._used.get(key, 0)

    def _wait_for(self, key, cost, now, take):
        """With the lock: seconds until the cost is free; if that is 0, it may be taken."""
        _check_int("cost", cost)
        if cost > self._limits.get(key, self._limit):
            raise ValueError(f"{cost!r} is more than the limit")
        missing = cost - self._free(key)
        if missing > 0:
            return self._freed_at(key, missing) - now
        if take:
            self._grants.append((now + self._period, key, cost))
            self._used[key] = self._used.get(key, 0) + cost
        return 0

    def _freed_at(self, key, units):
        """With the lock: when so many units of the key will have ended."""
        for end, other, cost in self._grants:
            if other == key:
                units -= cost
                if units <= 0:
                    return end
        raise AssertionError("more units were asked for than are in use")
