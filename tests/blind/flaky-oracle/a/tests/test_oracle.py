from itertools import islice

import pytest

from oracle import Breaker, Caller, CircuitOpenError, RetriesExhaustedError, jittered, limits


def raising(error):
    def service():
        raise error

    return service


def test_limits():
    assert list(islice(limits(1, 5), 5)) == [1, 2, 4, 5, 5]


def test_jitter():
    assert list(jittered([4, 8], 0.5, lambda: 0.5)) == [3, 6]


def test_gives_up():
    pauses = []
    caller = Caller(raising(TimeoutError()), base=1, jitter=0, clock=lambda: 0, sleep=pauses.append)
    with pytest.raises(RetriesExhaustedError) as caught:
        caller.call()
    assert caught.value.attempts == 4
    assert pauses == [1, 2, 4]


def test_breaker_opens():
    breaker = Breaker(1, clock=lambda: 0)
    with pytest.raises(TimeoutError):
        breaker.call(raising(TimeoutError()))
    assert breaker.state == "open"
    with pytest.raises(CircuitOpenError):
        breaker.call(print)
