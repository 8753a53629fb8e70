import pytest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, RetriesExhaustedError


class Service:
    def __init__(self, fail):
        self.fail = fail
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.calls <= self.fail:
            raise ConnectionError("down")
        return "answer"


def make(fail, **kw):
    sleeps = []
    service = Service(fail)
    return Caller(service, sleep=sleeps.append, clock=lambda: 0, jitter=0, **kw), service, sleeps


def test_success():
    caller, service, sleeps = make(0)
    assert caller.call() == "answer"
    assert sleeps == []


def test_retry():
    caller, service, sleeps = make(2)
    assert caller.call() == "answer"
    assert service.calls == 3
    assert sleeps == [0.1, 0.2]


def test_exhausted():
    caller, service, sleeps = make(10)
    with pytest.raises(RetriesExhaustedError) as info:
        caller.call()
    assert info.value.attempts == 4


def test_deadline():
    caller, service, sleeps = make(10, deadline=0.15)
    with pytest.raises(DeadlineError):
        caller.call()


def test_breaker_opens():
    breaker = Breaker(2, 10, clock=lambda: 0)
    caller, service, sleeps = make(10, breaker=breaker)
    with pytest.raises(CircuitOpenError):
        caller.call()
    assert service.calls == 2
    assert breaker.state == "open"


def test_breaker_comes_back():
    now = [0]
    breaker = Breaker(1, 10, clock=lambda: now[0])
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 / 0)
    now[0] = 11
    assert breaker.state == "half-open"
    assert breaker.call(lambda: 5) == 5
    assert breaker.state == "closed"
