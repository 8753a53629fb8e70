"""A rate limiter as a fold over grants."""

import math
import threading
import time
from itertools import count


def natural(n):
    """n, if it is an int from 1 on."""
    match n:
        case bool():
            raise TypeError("a bool is no number")
        case int() if n >= 1:
            return n
        case int():
            raise ValueError(f"{n} is below 1")
        case _:
            raise TypeError(f"{n!r} is no int")


def duration(x, least=0):
    """x, if it is a finite number from `least` on."""
    match x:
        case bool():
            raise TypeError("a bool is no number")
        case int() | float() if math.isfinite(x) and x >= least:
            return x
        case int() | float():
            raise ValueError(f"{x} is no duration")
        case _:
            raise TypeError(f"{x!r} is no number")


def used(grants):
    """Units in some grants."""
    return sum(cost for _, cost in grants)


def alive(state, now):
    """What is left of a state at an instant: no ended grants, no keys without any."""
    left = ((key, tuple(g for g in grants if g[0] > now)) for key, grants in state.items())
    return {key: grants for key, grants in left if grants}


def grant(state, key, end, cost):
    """A state with one grant more."""
    return {**state, key: (*state.get(key, ()), (end, cost))}


def first_end(grants, now):
    """Seconds until the first of some grants ends."""
    return min(end for end, _ in grants) - now


def ends_enough(grants, missing, now):
    """Seconds until so many units of the grants have ended."""
    def ends():
        freed = 0
        for end, cost in grants:
            freed += cost
            if freed >= missing:
                yield end - now
    return next(ends())


def transactor(clock):
    """A function that runs step(state, now) -> (state, answer) under a lock of its own, and gives the answer."""
    lock, cell = threading.Lock(), [{}]

    def transact(step):
        with lock:
            now = clock()
            cell[0], answer = step(alive(cell[0], now), now)
            return answer

    return transact


class RateLimiter:
    """So many units for each key in any span of one period."""

    def __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep):
        """Make a limiter that nobody has used."""
        self._limit = natural(limit)
        self._period = duration(period, math.ulp(0.0))
        self._clock, self._sleep = clock, sleep
        self._own = {}
        self._transact = transactor(clock)

    def _limit_of(self, key):
        return self._own.get(key, self._limit)

    def _fair(self, key, cost):
        if natural(cost) > self._limit_of(key):
            raise ValueError(f"{cost} is more than the limit of {key!r}")
        return cost

    def _missing(self, state, key, cost):
        return used(state.get(key, ())) + cost - self._limit_of(key)

    def try_acquire(self, key, cost=1):
        """Take the units if they are free; whether they were."""
        cost = self._fair(key, cost)

        def step(state, now):
            if self._missing(state, key, cost) > 0:
                return state, False
            return grant(state, key, now + self._period, cost), True

        return self._transact(step)

    def acquire(self, key, cost=1, timeout=None):
        """Take the units as soon as they are free; False if that is later than the timeout."""
        cost = self._fair(key, cost)
        start = self._clock()
        deadline = math.inf if timeout is None else start + duration(timeout)

        def step(state, now):
            if self._missing(state, key, cost) <= 0:
                return grant(state, key, now + self._period, cost), (0, now)
            return state, (first_end(state[key], now), now)

        for _ in count():
            match self._transact(step):
                case (0, _):
                    return True
                case (wait, now) if now + wait > deadline:
                    return False
                case (wait, _):
                    self._sleep(wait)

    def available(self, key):
        """How many units of the key are free."""
        return self._transact(lambda state, now: (state, max(0, self._limit_of(key) - used(state.get(key, ())))))

    def retry_after(self, key, cost=1):
        """Seconds until the cost is free if nobody takes anything."""
        cost = self._fair(key, cost)

        def step(state, now):
            missing = self._missing(state, key, cost)
            return state, ends_enough(state[key], missing, now) if missing > 0 else 0

        return self._transact(step)

    def set_limit(self, key, limit):
        """Give the key a limit of its own, or take it away with None."""
        match limit:
            case None:
                self._own.pop(key, None)
            case _:
                self._own[key] = natural(limit)

    def __len__(self):
        """How many keys have units in use."""
        return self._transact(lambda state, now: (state, len(state)))
