import pytest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, RetriesExhaustedError


class Service:
    def __init__(self, failures):
        self.failures = failures
        self.now = 0.0
        self.pauses = []

    def __call__(self):
        if self.failures:
            self.failures -= 1
            raise ConnectionError("down")
        return "up"

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds

    def caller(self, **settings):
        return Caller(self, base=1, cap=5, jitter=0, clock=lambda: self.now, sleep=self.sleep, **settings)


def test_it_asks_again():
    service = Service(4)
    assert service.caller(attempts=5).call() == "up"
    assert service.pauses == [1, 2, 4, 5]


def test_it_gives_up():
    service = Service(9)
    with pytest.raises(RetriesExhaustedError) as caught:
        service.caller(attempts=3).call()
    assert caught.value.attempts == 3
    assert service.pauses == [1, 2]


def test_it_has_no_time():
    service = Service(9)
    with pytest.raises(DeadlineError):
        service.caller(deadline=3).call()
    assert service.pauses == [1]


def test_other_errors_are_not_its_business():
    def wrong():
        raise ValueError("wrong question")

    with pytest.raises(ValueError, match="wrong question"):
        Caller(wrong).call()


def test_breaker_opens_and_recovers():
    service = Service(2)
    breaker = Breaker(2, 10, clock=lambda: service.now)
    caller = service.caller(breaker=breaker)
    with pytest.raises(CircuitOpenError) as caught:
        caller.call()
    assert caught.value.retry_after == 10
    assert breaker.state == "open"
    service.now += 10
    assert breaker.state == "half-open"
    assert caller.call() == "up"
    assert breaker.state == "closed"


def test_nonsense_is_refused():
    with pytest.raises(ValueError):
        Caller(print, base=-1)
