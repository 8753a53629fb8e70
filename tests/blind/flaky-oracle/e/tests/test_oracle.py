import pytest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, RetriesExhaustedError


def service_that(fake_time, *outcomes, takes=0):
    outcomes = list(outcomes)

    def service():
        fake_time.now += takes
        outcome = outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return service


def make(fake_time, *outcomes, takes=0, **settings):
    service = service_that(fake_time, *outcomes, takes=takes)
    settings = {"base": 1, "jitter": 0, **settings}
    return Caller(service, clock=fake_time.clock, sleep=fake_time.sleep, **settings)


def test_a_second_attempt_gets_the_answer(fake_time):
    assert make(fake_time, TimeoutError(), 42).call() == 42
    assert fake_time.pauses == [1]


def test_exhausted(fake_time):
    errors = [TimeoutError(), ConnectionError()]
    with pytest.raises(RetriesExhaustedError) as caught:
        make(fake_time, *errors, attempts=2).call()
    assert caught.value.errors == tuple(errors)
    assert caught.value.attempts == 2
    assert caught.value.__cause__ is errors[1]


def test_not_retryable(fake_time):
    with pytest.raises(ValueError):
        make(fake_time, ValueError()).call()


@pytest.mark.parametrize(("chance", "pauses"), [(0, [1, 2, 3]), (0.5, [0.75, 1.5, 2.25])])
def test_pauses(fake_time, chance, pauses):
    caller = make(fake_time, *[TimeoutError()] * 3, 1, cap=3, jitter=0.5, random=lambda: chance)
    caller.call()
    assert fake_time.pauses == pauses


def test_retry_after(fake_time):
    error = TimeoutError()
    error.retry_after = 60
    make(fake_time, error, 1).call()
    assert fake_time.pauses == [60]


def test_an_answer_in_time(fake_time):
    assert make(fake_time, TimeoutError(), "in time", takes=1, deadline=4).call() == "in time"


def test_an_answer_after_the_deadline_is_too_late(fake_time):
    with pytest.raises(DeadlineError) as caught:
        make(fake_time, "late", takes=5, deadline=4).call()
    assert caught.value.attempts == 1
    assert caught.value.errors == ()


def test_an_answer_at_the_deadline_is_too_late(fake_time):
    with pytest.raises(DeadlineError):
        make(fake_time, TimeoutError(), "late", takes=1, deadline=3).call()


def test_a_failure_after_the_deadline_is_too_late_even_if_it_is_the_last(fake_time):
    with pytest.raises(DeadlineError) as caught:
        make(fake_time, TimeoutError(), takes=5, attempts=1, deadline=4).call()
    assert caught.value.attempts == 1


def test_no_pause_past_the_deadline(fake_time):
    with pytest.raises(DeadlineError):
        make(fake_time, *[TimeoutError()] * 4, deadline=3).call()
    assert fake_time.pauses == [1]


def fail(breaker):
    with pytest.raises(TimeoutError):
        breaker.call(_failing)


def _failing():
    raise TimeoutError


def test_breaker(fake_time):
    changes = []
    breaker = Breaker(2, 10, clock=fake_time.clock, on_change=lambda *c: changes.append(c))
    fail(breaker)
    assert breaker.state == "closed"
    fail(breaker)
    with pytest.raises(CircuitOpenError) as caught:
        breaker.call(_failing)
    assert caught.value.retry_after == 10
    fake_time.now = 9
    assert breaker.state == "open"
    fake_time.now = 10
    assert breaker.state == "half-open"
    fail(breaker)
    assert breaker.state == "open"
    fake_time.now = 20
    assert breaker.call(lambda: 1) == 1
    assert breaker.state == "closed"
    assert len(changes) == 5


def test_one_probe(fake_time):
    breaker = Breaker(1, 10, clock=fake_time.clock)
    fail(breaker)
    fake_time.now = 10

    def probe():
        with pytest.raises(CircuitOpenError):
            breaker.call(_failing)

    breaker.call(probe)
    assert breaker.state == "closed"


def test_both(fake_time):
    breaker = Breaker(2, 10, clock=fake_time.clock)
    with pytest.raises(CircuitOpenError) as caught:
        make(fake_time, *[TimeoutError()] * 4, breaker=breaker).call()
    assert caught.value.attempts == 2


@pytest.mark.parametrize("settings", [{"attempts": 0}, {"base": -1}, {"jitter": 1.5}, {"deadline": 0}])
def test_settings(settings):
    with pytest.raises(ValueError):
        Caller(print, **settings)
