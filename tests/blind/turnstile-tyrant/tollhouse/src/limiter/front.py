"""The class that others use."""

import threading
import time
from contextlib import contextmanager

from .book import Book
from .guards import seconds, whole


class RateLimiter:
    """At most ``limit`` units per key within any ``period`` seconds.

    All methods may be called by any number of threads.
    """

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Check the numbers and open an empty book."""
        self._book = Book(whole("limit", limit), seconds("period", period, zero_ok=False))
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()

    @contextmanager
    def _today(self):
        """Lock, look at the clock, strike out what is over; gives the book and the time."""
        with self._lock:
            now = self._clock()
            self._book.turn_page(now)
            yield self._book, now

    def _pass(self, key, cost):
        """Take the units if they are free. Gives (seconds until they are, 0 if taken; the time it was)."""
        with self._today() as (book, now):
            book.fair_cost(key, cost)
            wait = book.free_at(key, cost, now) - now
            if wait <= 0:
                book.write(key, cost, now)
            return wait, now

    def try_acquire(self, key, cost=1):
        """Take the units and return True, or return False and take nothing."""
        with self._today() as (book, now):
            book.fair_cost(key, cost)
            if book.free(key) < cost:
                return False
            book.write(key, cost, now)
            return True

    def acquire(self, key, cost=1, timeout=None):
        """Wait for the units; False as soon as it is sure that they come too late."""
        if timeout is not None:
            seconds("timeout", timeout, zero_ok=True)
        deadline = None
        while True:
            wait, now = self._pass(key, cost)
            if wait <= 0:
                return True
            if timeout is not None:
                if deadline is None:
                    deadline = now + timeout
                if now + wait > deadline:
                    return False
            self._sleep(wait)

    def available(self, key):
        """How many units of the key are free."""
        with self._today() as (book, _):
            return max(0, book.free(key))

    def retry_after(self, key, cost=1):
        """Seconds until the cost would pass if nobody else came."""
        with self._today() as (book, now):
            book.fair_cost(key, cost)
            return book.free_at(key, cost, now) - now

    def set_limit(self, key, limit):
        """Give a key its own limit, or None for the common one."""
        with self._lock:
            hash(key)
            self._book.set_own(key, limit)

    def __len__(self):
        """How many keys have units in use."""
        with self._today() as (book, _):
            return len(book)
