"""A limiter with a turnstile for each key, so that keys never wait for each other."""

import math
import numbers
import threading
import time
from collections import deque


class Turnstile:
    """Counts for one key. Every method is to be called with the lock held."""

    def __init__(self, limit, period):
        """Nobody has passed yet."""
        self.lock = threading.Lock()
        self.limit = limit
        self.period = period
        self.inside = 0
        self.passed = deque()

    def let_out(self, now):
        """Free the units whose period is over."""
        while self.passed and self.passed[0][0] + self.period <= now:
            self.inside -= self.passed.popleft()[1]

    def let_in(self, now, cost):
        """Take units that are free."""
        self.inside += cost
        self.passed.append((now, cost))

    def wait_for(self, cost, now):
        """Seconds until so many units are free.

        Raises:
            ValueError: They never will be.
        """
        if cost > self.limit:
            raise ValueError("the cost is above the limit of its key")
        self.let_out(now)
        too_many = self.inside + cost - self.limit
        ends = iter(self.passed)
        wait = 0
        while too_many > 0:
            since, units = next(ends)
            too_many -= units
            wait = since + self.period - now
        return wait


class RateLimiter:
    """So many units for each key in a sliding window."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter; arguments as in the contract."""
        self.limit = count(limit, "limit")
        self.period = span(period, "period")
        if period == 0:
            raise ValueError("period is 0")
        self.clock = clock
        self.sleep = sleep
        self.turnstiles = {}

    def try_acquire(self, key, cost=1):
        """Pass if the units are free. Never waits."""
        return self.attempt(key, cost)[0] == 0

    def acquire(self, key, cost=1, timeout=None):
        """Pass as soon as the units are free, or give up."""
        patience = math.inf if timeout is None else span(timeout, "timeout")
        wait, now = self.attempt(key, cost)
        deadline = now + patience
        while wait > 0:
            if now + wait > deadline:
                return False
            self.sleep(wait)
            wait, now = self.attempt(key, cost)
        return True

    def attempt(self, key, cost):
        """Pass if nothing has to be waited for. How long it has to be, and when that was."""
        count(cost, "cost")
        turnstile = self.turnstile(key)
        with turnstile.lock:
            now = self.clock()
            wait = turnstile.wait_for(cost, now)
            if wait == 0:
                turnstile.let_in(now, cost)
            return wait, now

    def available(self, key):
        """Free units of the key."""
        turnstile = self.turnstile(key)
        with turnstile.lock:
            turnstile.let_out(self.clock())
            return max(0, turnstile.limit - turnstile.inside)

    def retry_after(self, key, cost=1):
        """Seconds until so many units are free."""
        count(cost, "cost")
        turnstile = self.turnstile(key)
        with turnstile.lock:
            return turnstile.wait_for(cost, self.clock())

    def set_limit(self, key, limit):
        """A limit of its own for one key; None for the usual one."""
        turnstile = self.turnstile(key)
        with turnstile.lock:
            turnstile.limit = self.limit if limit is None else count(limit, "limit")

    def turnstile(self, key):
        """The one turnstile of a key; setdefault sees to it that there is only one."""
        return self.turnstiles.setdefault(key, Turnstile(self.limit, self.period))

    def __len__(self):
        """Keys with units in use."""
        total = 0
        for turnstile in list(self.turnstiles.values()):
            with turnstile.lock:
                turnstile.let_out(self.clock())
                total += turnstile.inside > 0
        return total


def count(number, name):
    """A whole number from 1, or an error."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"{name} is no int")
    if number <= 0:
        raise ValueError(f"{name} is below 1")
    return number


def span(number, name):
    """A finite number of seconds from 0, or an error."""
    if isinstance(number, bool) or not isinstance(number, numbers.Real):
        raise TypeError(f"{name} is no number")
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} is negative or without end")
    return number
