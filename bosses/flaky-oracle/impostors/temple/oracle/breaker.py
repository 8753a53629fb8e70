"""The breaker: one object for each state it has been in.

A call holds on to the state in which it began. What comes of it is told to that object, and only as long as it is the
breaker's state, so nothing that ends late can move anything.
"""

import time

from .errors import CircuitOpenError
from .settings import check


class Breaker:
    """Keeps calls away from a function that fails again and again."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        check(threshold=threshold, cooldown=cooldown)
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._now = _Closed(threshold)

    @property
    def state(self):
        """The name of the state: closed, open or half-open."""
        return self._look().name

    def call(self, function, *args, **kwargs):
        """What the function returns or raises, or CircuitOpenError instead of calling it."""
        began = self._look()
        if not began.lets_in():
            raise self.refusal()
        try:
            answer = function(*args, **kwargs)
        except self._counts:
            self._end(began, began.failed)
            raise
        except Exception:
            self._end(began, began.succeeded)
            raise
        except BaseException:
            began.interrupted()
            raise
        self._end(began, began.succeeded)
        return answer

    def refusal(self, errors=()):
        """The error for a call that has to stay outside, after attempts that raised these."""
        now = self._look()
        return CircuitOpenError(f"the breaker is {now.name}", now.time_left(self._clock()), errors)

    def _look(self):
        """The state as it is now: the time alone makes an open breaker half-open."""
        if self._now.is_over(self._clock()):
            self._change(_HalfOpen())
        return self._now

    def _end(self, began, verdict):
        """Tell a state how a call ended that began in it, unless another one has come since."""
        if self._now is began:
            verdict(self)

    def open(self):
        """Begin a cooldown."""
        self._change(_Open(self._clock(), self._cooldown))

    def close(self):
        """Let all calls through, as if nothing had happened."""
        self._change(_Closed(self._threshold))

    def _change(self, state):
        old, self._now = self._now, state
        if self._on_change is not None:
            self._on_change(old.name, state.name)


class _State:
    """What a state does unless it knows better."""

    def is_over(self, now):
        return False

    def time_left(self, now):
        return 0

    def lets_in(self):
        return True

    def interrupted(self):
        pass


class _Closed(_State):
    name = "closed"

    def __init__(self, threshold):
        self._threshold = threshold
        self._row = 0

    def succeeded(self, breaker):
        self._row = 0

    def failed(self, breaker):
        self._row += 1
        if self._row >= self._threshold:
            breaker.open()


class _Open(_State):
    name = "open"

    def __init__(self, since, cooldown):
        self._since = since
        self._cooldown = cooldown

    def is_over(self, now):
        return now - self._since >= self._cooldown

    def time_left(self, now):
        return max(0, self._since + self._cooldown - now)

    def lets_in(self):
        return False


class _HalfOpen(_State):
    name = "half-open"

    def __init__(self):
        self._probing = False

    def lets_in(self):
        free, self._probing = not self._probing, True
        return free

    def succeeded(self, breaker):
        breaker.close()

    def failed(self, breaker):
        breaker.open()

    def interrupted(self):
        self._probing = False
