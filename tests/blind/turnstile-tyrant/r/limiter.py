"""A sliding-window limiter, made of functions that share a closure."""

import math
import time
from itertools import accumulate
from threading import Lock
from typing import NamedTuple


class Grant(NamedTuple):
    end: float
    cost: int


class Look(NamedTuple):
    """What one look under the lock has found."""

    now: float
    taken: bool
    end: float


def whole(what, value, most=math.inf):
    """The value, if it is an int from 1 up to most."""
    match value:
        case bool():
            raise TypeError(f"{what} is an int, not a bool")
        case int() if 1 <= value <= most:
            return value
        case int():
            raise ValueError(f"{what} is out of range: {value}")
        case _:
            raise TypeError(f"{what} is an int")


def seconds(what, value, fair):
    """The value, if it is a finite number that is fair."""
    match value:
        case bool():
            raise TypeError(f"{what} is a number of seconds, not a bool")
        case int() | float() if math.isfinite(value) and fair(value):
            return value
        case int() | float():
            raise ValueError(f"{what} is out of range: {value}")
        case _:
            raise TypeError(f"{what} is a number of seconds")


def in_use(grants):
    return sum(grant.cost for grant in grants)


def alive(book, now):
    """The book without grants that have ended, and without keys that have none."""
    kept = {key: tuple(grant for grant in grants if now < grant.end) for key, grants in book.items()}
    return {key: grants for key, grants in kept.items() if grants}


def free_at(grants, limit, cost, now):
    """When that much is free, if nobody takes anything meanwhile."""
    missing = cost - (limit - in_use(grants))
    if missing <= 0:
        return now
    freed = accumulate(grant.cost for grant in grants)
    return next(grant.end for grant, total in zip(grants, freed) if total >= missing)


def keeper(period, clock, limit_of):
    """Functions to look at the book of one limiter, and to take from it."""
    lock = Lock()
    book = {}

    def read(inspect):
        """What inspect says of the living book and the time, under the lock."""
        nonlocal book
        with lock:
            now = clock()
            book = alive(book, now)
            return inspect(book, now)

    def look(key, cost, take):
        hash(key)

        def inspect(book, now):
            limit = limit_of(key)
            end = free_at(book.get(key, ()), limit, whole("cost", cost, limit), now)
            if take and end == now:
                book[key] = book.get(key, ()) + (Grant(now + period, cost),)
            return Look(now, end == now, end)

        return read(inspect)

    def used(key):
        return read(lambda book, now: in_use(book.get(key, ())))

    return look, used, lambda: read(lambda book, now: len(book))


def pauses(look, timeout):
    """The pauses to make until look takes its units. Returns whether it did."""
    first = seen = look()
    while not seen.taken:
        if timeout is not None and seen.end > first.now + timeout:
            return False
        yield seen.end - seen.now
        seen = look()
    return True


class RateLimiter:
    """Lets each key have so many units in use, each for one period."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter that nobody has used."""
        self._limit = whole("limit", limit)
        self._limits = {}
        self._sleep = sleep
        period = seconds("period", period, lambda value: value > 0)
        self._look, self._used, self._count = keeper(period, clock, self._limit_of)

    def _limit_of(self, key):
        return self._limits.get(key, self._limit)

    def try_acquire(self, key, cost=1):
        """Take the units if they are free; whether they were."""
        return self._look(key, cost, take=True).taken

    def acquire(self, key, cost=1, timeout=None):
        """Take the units as soon as they are free; False if that is not within the timeout."""
        if timeout is not None:
            seconds("timeout", timeout, lambda value: value >= 0)
        steps = pauses(lambda: self._look(key, cost, take=True), timeout)
        while True:
            try:
                pause = next(steps)
            except StopIteration as end:
                return end.value
            self._sleep(pause)

    def available(self, key):
        """How many units of the key are free."""
        hash(key)
        return max(0, self._limit_of(key) - self._used(key))

    def retry_after(self, key, cost=1):
        """Seconds until the units would be free."""
        seen = self._look(key, cost, take=False)
        return seen.end - seen.now

    def set_limit(self, key, limit):
        """Give a key a limit of its own, or take it away with None."""
        hash(key)
        match limit:
            case None:
                self._limits.pop(key, None)
            case _:
                self._limits[key] = whole("limit", limit)

    def __len__(self):
        """How many keys have units in use."""
        return self._count()
