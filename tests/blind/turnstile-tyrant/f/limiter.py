"""A rate limiter with a sliding window for each key."""

import collections
import math
import threading
import time

Grant = collections.namedtuple("Grant", "key cost end")


def require_count(value):
    """Return an int of 1 or more; raise TypeError or ValueError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("an int is needed")
    if value < 1:
        raise ValueError("1 or more is needed")
    return value


def require_seconds(value):
    """Return a finite int or float of 0 or more; raise TypeError or ValueError for anything else."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError("a number is needed")
    if math.isnan(value) or math.isinf(value) or value < 0:
        raise ValueError("a finite number of 0 or more is needed")
    return value


class Tally:
    """What is in use, as far as one thread can know. It has to be brought up to date first."""

    def __init__(self):
        """Begin with nothing in use."""
        self.units = collections.Counter()
        self._grants = collections.deque()

    def update(self, now):
        """Drop all grants that have ended."""
        while self._grants and self._grants[0].end <= now:
            grant = self._grants.popleft()
            self.units[grant.key] -= grant.cost
            if self.units[grant.key] == 0:
                del self.units[grant.key]

    def add(self, grant):
        """Put the units of a grant in use."""
        self._grants.append(grant)
        self.units[grant.key] += grant.cost

    def end_of(self, key, units):
        """The instant at which so many of the key's units in use have ended."""
        for grant in self._grants:
            if grant.key == key:
                units -= grant.cost
                if units <= 0:
                    return grant.end
        raise ValueError("so many units are not in use")


class RateLimiter:
    """So many units for each key, each in use for one period."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter with nothing in use."""
        self._limit = require_count(limit)
        self._period = require_seconds(period)
        if period == 0:
            raise ValueError("a period of 0 is no period")
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.RLock()
        self._limits = {}
        self._tally = Tally()

    def try_acquire(self, key, cost=1):
        """Take units if they are free. True if they were."""
        with self._lock:
            now = self._update()
            if self._seconds_until(key, cost, now) > 0:
                return False
            self._tally.add(Grant(key, cost, now + self._period))
            return True

    def acquire(self, key, cost=1, timeout=None):
        """Take units as soon as they are free. False if the timeout is over before."""
        if timeout is not None:
            require_seconds(timeout)
        with self._lock:
            start = self._clock()
        while True:
            with self._lock:
                if self.try_acquire(key, cost):
                    return True
                now = self._update()
                wait = self._seconds_until(key, cost, now)
            if timeout is not None and now + wait >= start + timeout:
                return False
            self._sleep(wait)

    def available(self, key):
        """The number of units that are free."""
        with self._lock:
            self._update()
            return max(0, self._limit_of(key) - self._tally.units[key])

    def retry_after(self, key, cost=1):
        """Seconds until try_acquire would succeed."""
        with self._lock:
            return self._seconds_until(key, cost, self._update())

    def set_limit(self, key, limit):
        """Give a key its own limit, or take it away with None."""
        with self._lock:
            if limit is None:
                self._limits.pop(key, None)
            else:
                self._limits[key] = require_count(limit)

    def __len__(self):
        """The number of keys with units in use."""
        with self._lock:
            self._update()
            return len(self._tally.units)

    def _update(self):
        """Bring the tally up to date and return the time. Needs the lock."""
        now = self._clock()
        self._tally.update(now)
        return now

    def _limit_of(self, key):
        return self._limits.get(key, self._limit)

    def _seconds_until(self, key, cost, now):
        """Seconds until the cost, which is checked here, is free. Needs the lock and an updated tally."""
        if require_count(cost) > self._limit_of(key):
            raise ValueError("the key can never have as much")
        missing = self._tally.units[key] + cost - self._limit_of(key)
        return self._tally.end_of(key, missing) - now if missing > 0 else 0
