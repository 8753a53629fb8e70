"""
limiter
=======

This module provides :class:`RateLimiter`, a thread-safe sliding-window rate limiter.

Algorithm
---------

For each key the limiter keeps a list of pairs of a time and a cost. When a call comes in, pairs that are older than one
period are removed from all lists, and the costs of the remaining pairs are added up. If there is room the new pair is
added and the call is let through.

Thread safety
-------------

All public methods hold one re-entrant lock from their beginning to their end.
"""

import math
import threading
import time


class RateLimiter:
    """
    A thread-safe sliding-window rate limiter.

    Parameters
    ----------
    limit : int
        The number of units each key may have in use at once.
    period : int or float
        The number of seconds a unit stays in use.
    clock : callable, optional
        A function that returns the time.
    sleep : callable, optional
        A function that waits for a number of seconds.

    Raises
    ------
    TypeError
        If limit or period have the wrong type.
    ValueError
        If limit or period have a value that makes no sense.
    """

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """
        Create a limiter. See the class for the parameters.
        """
        if isinstance(limit, bool) or not isinstance(limit, int):
            raise TypeError("limit must be an int")
        if limit < 1:
            raise ValueError("limit must be positive")
        if isinstance(period, bool) or not isinstance(period, (int, float)):
            raise TypeError("period must be a number")
        if not math.isfinite(period) or period <= 0:
            raise ValueError("period must be finite and positive")
        self.limit = limit
        self.period = period
        self.clock = clock
        self.sleep = sleep
        self.lock = threading.RLock()
        self.grants = {}
        self.limits = {}

    def _clean(self, now):
        """
        Remove the pairs that are older than one period, and the keys that have none left.

        Parameters
        ----------
        now : int or float
            The current time.
        """
        for key in list(self.grants):
            self.grants[key] = [(t, cost) for t, cost in self.grants[key] if now - t <= self.period]
            if not self.grants[key]:
                del self.grants[key]

    def _get_limit(self, key):
        """
        Find the limit of a key.

        Parameters
        ----------
        key : hashable
            The key.

        Returns
        -------
        int
            Its own limit, or the one of the limiter.
        """
        limit = self.limits.get(key)
        return self.limit if limit is None else limit

    def _check_cost(self, key, cost):
        """
        Check that a cost makes sense for a key.

        Parameters
        ----------
        key : hashable
            The key.
        cost : int
            The cost.

        Raises
        ------
        TypeError
            If cost is not an int.
        ValueError
            If cost is below 1 or above the limit of the key.
        """
        if isinstance(cost, bool) or not isinstance(cost, int):
            raise TypeError("cost must be an int")
        if cost < 1 or cost > self._get_limit(key):
            raise ValueError("cost must be between 1 and the limit")

    def try_acquire(self, key, cost=1):
        """
        Take units of a key, if they are free.

        Parameters
        ----------
        key : hashable
            The key.
        cost : int, optional
            The number of units.

        Returns
        -------
        bool
            True if the units were taken.
        """
        with self.lock:
            self._check_cost(key, cost)
            now = self.clock()
            self._clean(now)
            used = sum(cost for _, cost in self.grants.get(key, []))
            if used + cost > self._get_limit(key):
                return False
            self.grants.setdefault(key, []).append((now, cost))
            return True

    def acquire(self, key, cost=1, timeout=None):
        """
        Take units of a key, and wait for them if need be.

        Parameters
        ----------
        key : hashable
            The key.
        cost : int, optional
            The number of units.
        timeout : int or float, optional
            The number of seconds to wait at most. None means for ever.

        Returns
        -------
        bool
            True if the units were taken, False if that would have needed more time than timeout.
        """
        with self.lock:
            if timeout is not None:
                if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
                    raise TypeError("timeout must be a number")
                if not math.isfinite(timeout) or timeout < 0:
                    raise ValueError("timeout must be finite and not negative")
            while not self.try_acquire(key, cost):
                wait = self.retry_after(key, cost)
                if timeout is not None and wait > timeout:
                    return False
                try:
                    self.sleep(wait)
                except Exception:
                    # The sleep was interrupted. Look again.
                    pass
            return True

    def available(self, key):
        """
        Tell how many units of a key are free.

        Parameters
        ----------
        key : hashable
            The key.

        Returns
        -------
        int
            The number of free units.
        """
        with self.lock:
            self._clean(self.clock())
            used = sum(cost for _, cost in self.grants.get(key, []))
            return max(0, self._get_limit(key) - used)

    def retry_after(self, key, cost=1):
        """
        Tell how long it takes until units of a key are free.

        Parameters
        ----------
        key : hashable
            The key.
        cost : int, optional
            The number of units.

        Returns
        -------
        int or float
            The number of seconds.
        """
        with self.lock:
            self._check_cost(key, cost)
            now = self.clock()
            self._clean(now)
            free = self._get_limit(key) - sum(cost for _, cost in self.grants.get(key, []))
            if cost <= free:
                return 0
            for t, units in self.grants[key]:
                free += units
                if cost <= free:
                    # The smallest step above, since the unit is in use up to and with t + period.
                    return max(t + self.period - now, 0.001)
            return self.period

    def set_limit(self, key, limit):
        """
        Give a key a limit of its own.

        Parameters
        ----------
        key : hashable
            The key.
        limit : int or None
            The limit. None means that of the limiter.
        """
        with self.lock:
            if limit is not None:
                if isinstance(limit, bool) or not isinstance(limit, int):
                    raise TypeError("limit must be an int or None")
                if limit < 1:
                    raise ValueError("limit must be positive")
            self.limits[key] = limit

    def __len__(self):
        """
        Count the keys that have units in use.

        Returns
        -------
        int
            The number of keys.
        """
        with self.lock:
            try:
                self._clean(self.clock())
                return len(self.grants)
            except Exception:
                return 0
