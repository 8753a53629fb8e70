"""
limiter
=======

A thread-safe rate limiter with a sliding window.

The limiter remembers for each key at which times units were taken. A unit is in use for one
period after it was taken, and free again after that. All methods are protected by one lock, so
that a limiter can be shared by any number of threads.

Example
-------

>>> limiter = RateLimiter(2, 10)
>>> limiter.try_acquire("ox")
True
"""

import math
import threading
import time
from collections import defaultdict, deque


class RateLimiter:
    """
    Lets each key have a limited number of units in use at once.

    Parameters
    ----------
    limit : int
        How many units each key may have in use. Must be 1 or more.
    period : int or float
        How many seconds a unit stays in use. Must be finite and above 0.
    clock : callable, optional
        Returns the present time in seconds.
    sleep : callable, optional
        Waits for the given number of seconds.

    Raises
    ------
    TypeError
        If an argument is of the wrong type.
    ValueError
        If an argument is out of range.
    """

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """
        Create a limiter that nobody has used.

        See the class for the parameters.
        """
        self._lock = threading.RLock()
        self._limit = self._check_int(limit, "limit")
        try:
            if isinstance(period, bool):
                raise TypeError("period must be a number")
            valid = period > 0 and math.isfinite(period)
        except Exception:
            raise TypeError("period must be a number")
        if not valid:
            raise ValueError("period must be above 0")
        self._period = period
        self._clock = clock
        self._sleep = sleep
        self._limits = {}
        self._taken = defaultdict(deque)

    def _check_int(self, value, name):
        """
        Check that a value is a whole number of 1 or more.

        Parameters
        ----------
        value : object
            The value to be checked.
        name : str
            What the value is called in messages.

        Returns
        -------
        int
            The value itself.
        """
        if not isinstance(value, int):
            raise TypeError("%s must be an int" % name)
        if value < 1:
            raise ValueError("%s must be 1 or more" % name)
        return value

    def _check_cost(self, key, cost):
        """
        Check that a cost is a whole number from 1 to the limit of the key.
        """
        self._check_int(cost, "cost")
        if cost > self._limit_of(key):
            raise ValueError("cost is above the limit")

    def _limit_of(self, key):
        """
        Return the limit of a key: its own one if there is one, else that of the limiter.
        """
        try:
            return self._limits[key]
        except KeyError:
            return self._limit

    def _clean(self, key, now):
        """
        Remove all units of the key that are not in use any more.

        Must be called with the lock held.

        Returns
        -------
        collections.deque
            The times at which the units in use were taken, the earliest first.
        """
        taken = self._taken[key]
        while taken and taken[0] + self._period <= now:
            taken.popleft()
        return taken

    def try_acquire(self, key, cost=1):
        """
        Take units if they are free.

        Parameters
        ----------
        key : hashable
            Whose units to take.
        cost : int, optional
            How many units to take.

        Returns
        -------
        bool
            Whether the units were free. If not, none was taken.
        """
        with self._lock:
            self._check_cost(key, cost)
            now = self._clock()
            taken = self._clean(key, now)
            if len(taken) + cost > self._limit_of(key):
                return False
            taken.extend([now] * cost)
            return True

    def acquire(self, key, cost=1, timeout=None):
        """
        Take units as soon as they are free.

        Parameters
        ----------
        key : hashable
            Whose units to take.
        cost : int, optional
            How many units to take.
        timeout : int, float or None, optional
            How many seconds to wait at most. None means for ever.

        Returns
        -------
        bool
            True if the units were taken, False if they can't be within the timeout.
        """
        self._check_timeout(timeout)
        start = self._clock()
        while not self.try_acquire(key, cost):
            wait = self.retry_after(key, cost)
            if timeout is not None and self._clock() + wait > start + timeout:
                return False
            try:
                self._sleep(wait)
            except Exception:
                # the sleep was interrupted: give up
                return False
        return True

    def _check_timeout(self, timeout):
        """
        Check that a timeout is None or a finite number of 0 or more.
        """
        if timeout is None:
            return
        try:
            valid = math.isfinite(timeout)
        except Exception:
            raise TypeError("timeout must be a number")
        if not valid or timeout < 0:
            raise ValueError("timeout must be 0 or more")

    def available(self, key):
        """
        Tell how many units of a key are free.

        Returns
        -------
        int
            The limit of the key less its units in use, never below 0.
        """
        with self._lock:
            taken = self._clean(key, self._clock())
            return max(0, self._limit_of(key) - len(taken))

    def retry_after(self, key, cost=1):
        """
        Tell how long it takes until units are free, if nobody takes any meanwhile.

        Returns
        -------
        int or float
            Seconds; 0 if the units are free now.
        """
        with self._lock:
            self._check_cost(key, cost)
            now = self._clock()
            taken = self._clean(key, now)
            missing = len(taken) + cost - self._limit_of(key)
            if missing <= 0:
                return 0
            return taken[missing - 1] + self._period - now

    def set_limit(self, key, limit):
        """
        Give a key a limit of its own.

        Parameters
        ----------
        key : hashable
            The key.
        limit : int or None
            The new limit; None for that of the limiter.
        """
        with self._lock:
            if limit is None:
                self._limits.pop(key, None)
            else:
                self._limits[key] = self._check_int(limit, "limit")

    def __len__(self):
        """
        Tell how many keys have units in use.
        """
        with self._lock:
            now = self._clock()
            return sum(1 for key in list(self._taken) if self._clean(key, now))
