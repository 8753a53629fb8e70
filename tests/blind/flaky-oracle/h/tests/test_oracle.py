"""The whole, as its users see it."""

import pytest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, RetriesExhaustedError


class FakeTime:
    def __init__(self):
        self.now = 0.0
        self.pauses = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def fake():
    return FakeTime()


def failing():
    raise TimeoutError("not now")


def make(service, fake, **settings):
    return Caller(service, base=1, jitter=0, clock=fake, sleep=fake.sleep, random=lambda: 0.0, **settings)


def test_exhausted(fake):
    with pytest.raises(RetriesExhaustedError) as caught:
        make(failing, fake).call()
    assert caught.value.attempts == 4
    assert fake.pauses == [1, 2, 4]


def test_passes_through(fake):
    with pytest.raises(ZeroDivisionError):
        make(lambda: 1 / 0, fake).call()
    assert fake.pauses == []


def test_none_is_an_answer(fake):
    assert make(lambda: None, fake).call() is None


def test_deadline(fake):
    with pytest.raises(DeadlineError) as caught:
        make(failing, fake, deadline=3).call()
    assert fake.pauses == [1]
    assert caught.value.attempts == 2


def test_oversleeping(fake):
    def sleep(seconds):
        fake.now += 100

    caller = Caller(failing, deadline=50, clock=fake, sleep=sleep)
    with pytest.raises(DeadlineError) as caught:
        caller.call()
    assert caught.value.attempts == 1


def test_breaker_cycle(fake):
    changes = []
    breaker = Breaker(2, 10, clock=fake, on_change=lambda *c: changes.append(c))
    for _ in range(2):
        with pytest.raises(TimeoutError):
            breaker.call(failing)
    with pytest.raises(CircuitOpenError) as caught:
        breaker.call(failing)
    assert caught.value.retry_after == 10
    fake.now = 10.0
    assert breaker.state == "half-open"
    assert breaker.call(lambda: "in") == "in"
    assert changes == [("closed", "open"), ("open", "half-open"), ("half-open", "closed")]


def test_one_probe(fake):
    breaker = Breaker(1, 10, clock=fake)
    with pytest.raises(TimeoutError):
        breaker.call(failing)
    fake.now = 10.0

    def probe():
        with pytest.raises(CircuitOpenError) as caught:
            breaker.call(failing)
        assert caught.value.retry_after == 0

    breaker.call(probe)
    assert breaker.state == "closed"


def test_interrupted_probe(fake):
    breaker = Breaker(1, 10, clock=fake)
    with pytest.raises(TimeoutError):
        breaker.call(failing)
    fake.now = 10.0

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        breaker.call(interrupted)
    assert breaker.state == "half-open"
    assert breaker.call(lambda: 1) == 1


def test_late_outcome_is_dropped(fake):
    breaker = Breaker(1, 10, clock=fake)

    def outer():
        with pytest.raises(TimeoutError):
            breaker.call(failing)
        fake.now = 10.0
        breaker.call(lambda: "probe")
        failing()

    with pytest.raises(TimeoutError):
        breaker.call(outer)
    assert breaker.state == "closed"


def test_caller_stops_at_an_open_breaker(fake):
    breaker = Breaker(2, 10, clock=fake)
    with pytest.raises(CircuitOpenError) as caught:
        make(failing, fake, breaker=breaker).call()
    assert caught.value.attempts == 2
    assert caught.value.retry_after == 10
    with pytest.raises(CircuitOpenError) as caught:
        make(failing, fake, breaker=breaker).call()
    assert caught.value.attempts == 0
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("settings", [{"attempts": 0}, {"base": 0}, {"cap": -1}, {"jitter": 2}, {"deadline": 0}])
def test_settings(settings):
    with pytest.raises(ValueError):
        Caller(failing, **settings)


def test_service_must_be_callable():
    with pytest.raises(TypeError):
        Caller(None)
