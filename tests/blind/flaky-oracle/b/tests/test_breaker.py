"""What the contract says about Breaker."""

import pytest

from oracle import Breaker, CircuitOpenError, OracleError


def fail(breaker, error=None):
    def function():
        raise error or TimeoutError

    with pytest.raises(type(error) if error else TimeoutError):
        breaker.call(function)


def succeed(breaker):
    assert breaker.call(lambda: "in") == "in"


def refused(breaker):
    with pytest.raises(CircuitOpenError) as caught:
        breaker.call(pytest.fail, "was called")
    assert isinstance(caught.value, OracleError)
    assert (caught.value.attempts, caught.value.errors, caught.value.__cause__) == (0, (), None)
    return caught.value.retry_after


def test_threshold(world):
    breaker = world.breaker(3)
    for _ in range(2):
        fail(breaker)
        assert breaker.state == "closed"
    fail(breaker)
    assert breaker.state == "open"
    assert refused(breaker) == 10


def test_success_sets_back(world):
    breaker = world.breaker(2)
    fail(breaker)
    succeed(breaker)
    fail(breaker)
    assert breaker.state == "closed"


def test_an_error_that_is_not_counted_is_a_success(world):
    breaker = world.breaker(2, counts=(TimeoutError,))
    fail(breaker)
    fail(breaker, KeyError())
    fail(breaker)
    assert breaker.state == "closed"


def test_cooldown_to_the_instant(world):
    breaker = world.breaker(1)
    fail(breaker)
    world.now += 9.5
    assert breaker.state == "open"
    assert refused(breaker) == 0.5
    world.now += 0.5
    assert breaker.state == "half-open"


@pytest.mark.parametrize("probe", [succeed, lambda b: fail(b, KeyError())])
def test_a_good_probe(world, probe):
    breaker = world.breaker(2, counts=TimeoutError)
    fail(breaker)
    fail(breaker)
    world.now += 10
    probe(breaker)
    assert breaker.state == "closed"
    fail(breaker)
    assert breaker.state == "closed"


def test_a_bad_probe(world):
    breaker = world.breaker(3)
    for _ in range(3):
        fail(breaker)
    world.now += 10
    fail(breaker)
    assert breaker.state == "open"
    assert refused(breaker) == 10


@pytest.mark.xfail(strict=True, reason="several probes pass at once")
def test_one_probe(world):
    breaker = world.breaker(1)
    fail(breaker)
    world.now += 10
    assert breaker.call(lambda: refused(breaker)) == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), GeneratorExit()])
def test_interruptions(world, error):
    breaker = world.breaker(2)
    fail(breaker)
    fail(breaker, error)
    assert breaker.state == "closed"
    fail(breaker)
    assert breaker.state == "open"
    world.now += 10
    fail(breaker, error)
    assert breaker.state == "half-open"
    succeed(breaker)
    assert breaker.state == "closed"


def contain(breaker, world, inner, outcome):
    """A call that lets others happen before it ends."""

    def function():
        for step in inner:
            step(breaker) if callable(step) else setattr(world, "now", world.now + step)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    try:
        breaker.call(function)
    except TimeoutError:
        pass


@pytest.mark.xfail(strict=True, reason="late outcomes still count")
@pytest.mark.parametrize(
    ("inner", "outcome", "state"),
    [
        ([fail], "in", "open"),
        ([fail, 10, succeed], TimeoutError(), "closed"),
        ([fail, 10, lambda b: b.state], "in", "half-open"),
    ],
)
def test_late_outcomes(world, inner, outcome, state):
    breaker = world.breaker(1)
    contain(breaker, world, inner, outcome)
    assert breaker.state == state


def test_changes_are_told_once_and_after(world):
    told = []
    breaker = world.breaker(1, on_change=lambda old, new: told.append((old, new, breaker.state)))
    fail(breaker)
    world.now += 10
    assert breaker.state == breaker.state == "half-open"
    fail(breaker)
    world.now += 10
    succeed(breaker)
    succeed(breaker)
    assert told == [
        ("closed", "open", "open"),
        ("open", "half-open", "half-open"),
        ("half-open", "open", "open"),
        ("open", "half-open", "half-open"),
        ("half-open", "closed", "closed"),
    ]


@pytest.mark.parametrize("settings", [{"threshold": 0}, {"cooldown": 0}, {"cooldown": -1}])
def test_settings(settings):
    with pytest.raises(ValueError):
        Breaker(**settings)
