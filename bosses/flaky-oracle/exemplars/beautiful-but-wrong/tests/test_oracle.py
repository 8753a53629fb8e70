"""What policies, gauges and callers promise."""

import pytest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, HopelessError, Policy, RetriesExhaustedError, remaining


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def sleep(now):
    def sleep(seconds):
        now[0] += seconds

    return sleep


def failing():
    raise ConnectionError("down")


def hopeless():
    raise KeyError("question")


@pytest.mark.parametrize(("number", "limit"), [(1, 1), (2, 2), (3, 4), (4, 5), (4000, 5)])
def test_pauses_double(number, limit):
    assert Policy(4, 1, 5, 0).pause(number, 0.5, None) == limit


def test_full_jitter():
    policy = Policy(4, 1, 5, 1)
    assert policy.pause(3, 0, None) == 0
    assert policy.pause(3, 0.5, None) == 2
    assert policy.pause(1, 0, 99) == 5


def test_pauses_end_with_the_deadline():
    assert remaining(None, 3, 9) == 9
    assert remaining(10, 3, 9) == 7
    assert remaining(10, 30, 9) == 0


def test_the_deadline(now, sleep):
    caller = Caller(failing, attempts=99, jitter=0, base=1, deadline=5, clock=lambda: now[0], sleep=sleep)
    with pytest.raises(DeadlineError) as caught:
        caller.call()
    assert now == [5]
    assert caught.value.attempts == 3


def test_exhausted(sleep):
    with pytest.raises(RetriesExhaustedError) as caught:
        Caller(failing, attempts=2, sleep=sleep).call()
    assert len(caught.value.errors) == 2


def test_hopeless_questions_are_told_as_such():
    with pytest.raises(HopelessError) as caught:
        Caller(hopeless).call()
    assert isinstance(caught.value.__cause__, KeyError)


def test_the_gauge(now):
    breaker = Breaker(2, 10, clock=lambda: now[0])
    for expected in ("closed", "open"):
        with pytest.raises(ConnectionError):
            breaker.call(failing)
        assert breaker.state == expected
    with pytest.raises(CircuitOpenError) as caught:
        breaker.call(max, 1, 2)
    assert caught.value.retry_after == 10
    now[0] = 10
    assert breaker.state == "half-open"
    assert breaker.call(max, 1, 2) == 2
    assert breaker.state == "closed"


def test_successes_drain_the_gauge():
    breaker = Breaker(3)
    for function in (failing, failing, int, failing):
        try:
            breaker.call(function)
        except ConnectionError:
            continue
    assert breaker.state == "closed"
    with pytest.raises(ConnectionError):
        breaker.call(failing)
    assert breaker.state == "open"


@pytest.mark.parametrize("setting", [{"base": 0}, {"cap": -1}, {"jitter": 2}, {"attempts": 0}, {"deadline": 0}])
def test_senseless_settings(setting):
    with pytest.raises(ValueError):
        Caller(print, **setting)
