import pytest

from oracle import Backoff, Breaker, Caller, CircuitOpenError, DeadlineError, RetriesExhaustedError


class Time:
    def __init__(self):
        self.now = 1000.0
        self.pauses = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def time():
    return Time()


def scripted(time, *steps):
    """A service that takes so many seconds and then answers or raises."""
    steps = iter(steps)

    def service():
        seconds, outcome = next(steps)
        time.now += seconds
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return service


def ask(time, service, **settings):
    return Caller(service, clock=time, sleep=time.sleep, random=lambda: 0.0, **settings).call()


@pytest.mark.parametrize("failed, limit", [(1, 0.5), (2, 1), (3, 2), (4, 3), (5000, 3)])
def test_limits_double_up_to_the_cap(failed, limit):
    assert Backoff(0.5, 3, 0).limit(failed) == limit


def test_jitter_takes_its_part_off():
    assert Backoff(8, 100, 0.5).pause(1, 0.25, TimeoutError()) == 7


def test_retry_after_is_heeded():
    error = TimeoutError()
    error.retry_after = 40
    assert Backoff(1, 10, 0).pause(1, 0, error) == 40


def test_answer_after_two_failures(time):
    assert ask(time, scripted(time, (0, TimeoutError()), (0, ConnectionError()), (0, "yes")), base=1) == "yes"
    assert time.pauses == [1, 2]


def test_exhausted_tells_the_story(time):
    errors = [TimeoutError(1), ConnectionError(2)]
    with pytest.raises(RetriesExhaustedError) as caught:
        ask(time, scripted(time, *[(0, error) for error in errors]), attempts=2)
    assert caught.value.attempts == 2
    assert caught.value.errors == tuple(errors)
    assert caught.value.__cause__ is errors[1]


def test_other_errors_pass(time):
    with pytest.raises(ZeroDivisionError):
        ask(time, scripted(time, (0, ZeroDivisionError())))


def test_no_pause_that_reaches_the_deadline(time):
    with pytest.raises(DeadlineError) as caught:
        ask(time, scripted(time, (1, TimeoutError())), base=1, deadline=2)
    assert time.pauses == [] and caught.value.attempts == 1


@pytest.mark.parametrize("seconds", [3, 3.25])
def test_an_answer_at_the_deadline_is_too_late(time, seconds):
    with pytest.raises(DeadlineError) as caught:
        ask(time, scripted(time, (seconds, "late")), deadline=3)
    assert caught.value.attempts == 1 and caught.value.errors == ()


def test_an_answer_just_in_time(time):
    assert ask(time, scripted(time, (2.75, "early")), deadline=3) == "early"


def test_a_late_second_answer_names_the_first_error(time):
    error = TimeoutError()
    with pytest.raises(DeadlineError) as caught:
        ask(time, scripted(time, (0, error), (9, "late")), base=1, deadline=5)
    assert caught.value.attempts == 2 and caught.value.__cause__ is error


def fail(breaker, error=None):
    def function():
        raise error or OSError()

    with pytest.raises(BaseException):
        breaker.call(function)


def test_breaker_goes_round(time):
    seen = []
    breaker = Breaker(2, 10, on_change=lambda *change: seen.append(change), clock=time)
    fail(breaker)
    fail(breaker)
    with pytest.raises(CircuitOpenError) as caught:
        breaker.call(pytest.fail)
    assert caught.value.retry_after == 10
    time.now += 10
    assert breaker.state == "half-open"
    assert breaker.call(lambda: 5) == 5
    assert breaker.state == "closed"
    assert seen == [("closed", "open"), ("open", "half-open"), ("half-open", "closed")]


def test_bad_probe_opens_again(time):
    breaker = Breaker(1, 10, clock=time)
    fail(breaker)
    time.now += 10
    fail(breaker)
    time.now += 9
    assert breaker.state == "open"


def test_interrupted_probe_leaves_no_trace(time):
    breaker = Breaker(1, 10, clock=time)
    fail(breaker)
    time.now += 10
    fail(breaker, KeyboardInterrupt())
    assert breaker.call(lambda: "in") == "in"


def test_late_outcome_of_an_earlier_era(time):
    breaker = Breaker(1, 10, clock=time)

    def outer():
        fail(breaker)
        time.now += 10
        breaker.call(lambda: None)
        raise OSError

    fail_outer = pytest.raises(OSError)
    with fail_outer:
        breaker.call(outer)
    assert breaker.state == "closed"


def test_caller_stops_when_the_breaker_opens(time):
    breaker = Breaker(1, 10, clock=time)
    with pytest.raises(CircuitOpenError) as caught:
        ask(time, scripted(time, (0, TimeoutError())), breaker=breaker)
    assert time.pauses == [] and caught.value.attempts == 1


@pytest.mark.parametrize("name", ["base", "cap", "jitter", "deadline"])
@pytest.mark.parametrize("value", [-1, float("nan")])
def test_senseless_settings(name, value):
    with pytest.raises(ValueError):
        Caller(print, **{name: value})
