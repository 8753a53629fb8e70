"""Asking a service that is not always in, put together from small functions."""

import random
import time
from functools import partial


class OracleError(Exception):
    """The base of all errors of this module."""

    def __init__(self, message="", errors=(), retry_after=None):
        """Keep what was raised; the last of it is the cause."""
        super().__init__(message)
        self.errors = tuple(errors)
        self.attempts = len(self.errors)
        self.retry_after = retry_after
        self.__cause__ = next(reversed(self.errors), None)


class RetriesExhaustedError(OracleError):
    """No attempt is left."""


class DeadlineError(OracleError):
    """No time is left."""


class CircuitOpenError(OracleError):
    """The breaker said no."""


def refuse_unless(holds, name, value):
    """Raise ValueError unless the setting makes sense."""
    if not holds:
        raise ValueError(f"{name}={value!r}")


def limits(base, cap):
    """Yield base, doubled each time, up to cap, for ever."""
    limit = min(base, cap)
    while True:
        yield limit
        limit = min(limit * 2, cap)


def jittered(stream, jitter, chance):
    """Yield each of the limits, shortened by chance."""
    return (limit * (1 - jitter * chance()) for limit in stream)


def at_least(pause, error):
    """Stretch the pause to what the error asks for."""
    wanted = getattr(error, "retry_after", None)
    return pause if wanted is None else max(pause, wanted)


def outcome_of(attempt, retryable):
    """Turn an attempt into a pair that says what came of it."""
    try:
        return "answer", attempt()
    except CircuitOpenError as refusal:
        return "refused", refusal
    except retryable as error:
        return "failed", error


def time_left(clock, deadline):
    """Return a function that tells whether there will be time left after a pause."""
    if deadline is None:
        return lambda pause=0: True
    end = clock() + deadline
    return lambda pause=0: clock() + pause < end


class Caller:
    """Asks a service on your behalf."""

    def __init__(
        self,
        service,
        *,
        attempts=4,
        base=0.1,
        cap=10.0,
        jitter=0.5,
        retryable=(ConnectionError, TimeoutError),
        deadline=None,
        breaker=None,
        clock=time.monotonic,
        sleep=time.sleep,
        random=random.random,
    ):
        """Close over the settings."""
        if not callable(service):
            raise TypeError(f"{service!r} can't be called")
        refuse_unless(attempts >= 1, "attempts", attempts)
        refuse_unless(base > 0, "base", base)
        refuse_unless(cap > 0, "cap", cap)
        refuse_unless(0 <= jitter <= 1, "jitter", jitter)
        refuse_unless(deadline is None or deadline > 0, "deadline", deadline)
        through = partial(breaker.call, service) if breaker else service
        is_open = (lambda: breaker.state == "open") if breaker else (lambda: False)

        def call(*args, **kwargs):
            errors = []
            in_time = time_left(clock, deadline)
            pauses = jittered(limits(base, cap), jitter, random)
            for left, pause in zip(reversed(range(attempts)), pauses):
                match outcome_of(partial(through, *args, **kwargs), retryable):
                    case "answer", answer:
                        return answer
                    case "refused", refusal:
                        raise CircuitOpenError("refused", errors, refusal.retry_after)
                    case "failed", error:
                        errors.append(error)
                pause = at_least(pause, error)
                match left:
                    case 0:
                        raise RetriesExhaustedError(f"gave up after {attempts}", errors)
                    case _ if is_open():
                        raise CircuitOpenError("open by now", errors, breaker.back_in())
                    case _ if not in_time(pause):
                        raise DeadlineError("no time for a pause", errors)
                sleep(pause)
                if not in_time():
                    raise DeadlineError("overslept", errors)

        self._call = call

    def call(self, *args, **kwargs):
        """Return the service's answer, or raise what the contract says."""
        return self._call(*args, **kwargs)


class Breaker:
    """Lets calls through, or not."""

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """Close over the settings and the little state there is."""
        refuse_unless(threshold >= 1, "threshold", threshold)
        refuse_unless(cooldown > 0, "cooldown", cooldown)
        current, failures, reopens, probing = "closed", 0, None, False

        def become(new):
            nonlocal current, failures, probing
            old, current, failures, probing = current, new, 0, False
            if on_change:
                on_change(old, new)

        def state():
            if current == "open" and clock() >= reopens:
                become("half-open")
            return current

        def back_in():
            return max(0, reopens - clock()) if state() == "open" else 0

        def succeeded():
            nonlocal failures
            failures = 0
            if current != "closed":
                become("closed")

        def failed():
            nonlocal failures, reopens
            failures += 1
            if current == "half-open" or failures >= threshold:
                reopens = clock() + cooldown
                become("open")

        def call(function, *args, **kwargs):
            nonlocal probing
            match state(), probing:
                case ("open", _) | (_, True):
                    raise CircuitOpenError("refused", (), back_in())
                case "half-open", False:
                    probing = True
            try:
                answer = function(*args, **kwargs)
            except Exception as error:
                failed() if isinstance(error, counts) else succeeded()
                raise
            succeeded()
            return answer

        self._call, self._state, self.back_in = call, state, back_in

    @property
    def state(self):
        """One of "closed", "open" and "half-open"."""
        return self._state()

    def call(self, function, *args, **kwargs):
        """Call the function, unless it is refused."""
        return self._call(function, *args, **kwargs)
