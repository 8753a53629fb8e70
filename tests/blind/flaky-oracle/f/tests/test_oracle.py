"""Time is a number here, moved by sleep and by the services."""

import math

import pytest

import oracle
from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError


class World:
    """A clock, a sleep that remembers, and a service that follows a script of (seconds, outcome)."""

    def __init__(self, *script, chance=0.0, oversleep=0):
        self.now, self.pauses, self.asked, self.draws = 100, [], 0, 0
        self.script, self.chance, self.oversleep = list(script), chance, oversleep

    def clock(self):
        return self.now

    def sleep(self, pause):
        self.pauses.append(pause)
        self.now += pause + self.oversleep

    def random(self):
        self.draws += 1
        return self.chance

    def service(self):
        self.asked += 1
        took, outcome = self.script.pop(0)
        self.now += took
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def caller(self, **settings):
        settings = {"base": 1, "jitter": 0, **settings}
        return Caller(self.service, clock=self.clock, sleep=self.sleep, random=self.random, **settings)

    def breaker(self, **settings):
        return Breaker(**{"threshold": 2, "cooldown": 10, "clock": self.clock, **settings})


def fails(n, took=0):
    return [(took, TimeoutError(str(i))) for i in range(n)]


@pytest.mark.parametrize("answer", [None, False, 0, "", 42, ValueError("an answer")])
def test_any_answer_is_an_answer(answer):
    assert Caller(lambda: answer).call() is answer


def test_arguments_are_handed_on():
    assert Caller(lambda *a, **k: (a, k)).call(1, b=2) == ((1,), {"b": 2})


def test_gives_up_and_tells_why():
    errors = [ConnectionResetError("a"), TimeoutError("b"), TimeoutError("c")]
    world = World(*((0, e) for e in errors))
    with pytest.raises(RetriesExhaustedError) as caught:
        world.caller(attempts=3).call()
    assert (caught.value.attempts, caught.value.errors) == (3, tuple(errors))
    assert caught.value.__cause__ is errors[-1]
    assert isinstance(caught.value, OracleError)
    assert world.pauses == [1, 2]
    assert world.draws == 2


def test_calls_do_not_touch_each_other():
    world = World(*fails(3), (0, "yes"), *fails(3))
    caller = world.caller(attempts=3)
    with pytest.raises(RetriesExhaustedError):
        caller.call()
    assert caller.call() == "yes"
    with pytest.raises(RetriesExhaustedError) as caught:
        caller.call()
    assert caught.value.attempts == 3
    assert world.pauses == [1, 2, 1, 2]


def test_other_errors_pass_at_once():
    error = KeyError("other")
    world = World((0, error))
    with pytest.raises(KeyError) as caught:
        world.caller().call()
    assert caught.value is error
    assert (world.asked, world.pauses) == (1, [])


def test_pauses_double_up_to_the_cap_with_jitter():
    world = World(*fails(5), chance=0.5)
    with pytest.raises(RetriesExhaustedError):
        world.caller(attempts=5, base=0.5, cap=3, jitter=0.5).call()
    assert world.pauses == [0.375, 0.75, 1.5, 2.25]


def test_thousands_of_pauses():
    world = World(*fails(3000))
    with pytest.raises(RetriesExhaustedError):
        world.caller(attempts=3000, base=1e-300, cap=7).call()
    assert world.pauses[-1] == 7
    assert world.pauses[900] == pytest.approx(1e-300 * 2.0**900)


@pytest.mark.parametrize(("wanted", "pause"), [(None, 1), (0, 1), (0.5, 1), (50, 50)])
def test_retry_after_is_a_lower_bound(wanted, pause):
    error = TimeoutError()
    error.retry_after = wanted
    world = World((0, error), (0, "yes"))
    assert world.caller(cap=5).call() == "yes"
    assert world.pauses == [pause]
    assert world.draws == 1


@pytest.mark.parametrize(
    ("took", "oversleep", "deadline", "pauses"),
    [
        (0, 0, 1, []),
        (0, 0, 1.25, [1]),
        (4, 0, 5, []),
        (0, 0.25, 1.25, [1]),
        (0, 7, 5, [1]),
    ],
)
def test_deadline(took, oversleep, deadline, pauses):
    world = World((took, TimeoutError()), (0, "yes"), oversleep=oversleep)
    caller = world.caller(deadline=deadline)
    if pauses and oversleep == 0:
        assert caller.call() == "yes"
    else:
        with pytest.raises(DeadlineError) as caught:
            caller.call()
        assert caught.value.attempts == world.asked == 1
    assert world.pauses == pauses


def test_a_late_answer_is_an_answer():
    assert World((99, "late")).caller(deadline=1).call() == "late"


def ask(world, breaker):
    """Call the world's service through the breaker; tell what came of it in a word."""
    try:
        return breaker.call(world.service)
    except CircuitOpenError as refusal:
        return refusal.retry_after
    except BaseException as error:
        return type(error).__name__


def test_breaker_opens_refuses_looks_and_closes():
    changes = []
    world = World(*fails(3), (0, "yes"), *fails(2))
    breaker = world.breaker(on_change=lambda old, new: changes.append((old, new, breaker.state)))
    assert [ask(world, breaker) for _ in range(3)] == ["TimeoutError", "TimeoutError", 10]
    world.now += 9.75
    assert (breaker.state, ask(world, breaker)) == ("open", 0.25)
    world.now += 0.25
    assert ask(world, breaker) == "TimeoutError"
    assert (breaker.state, ask(world, breaker)) == ("open", 10)
    world.now += 10
    assert breaker.state == "half-open"
    assert (ask(world, breaker), breaker.state) == ("yes", "closed")
    ask(world, breaker)
    assert breaker.state == "closed"
    ask(world, breaker)
    states = ["closed", "open", "half-open", "open", "half-open", "closed", "open"]
    assert changes == [(a, b, b) for a, b in zip(states, states[1:])]


@pytest.mark.parametrize("between", ["yes", KeyError()])
def test_success_and_uncounted_errors_set_back(between):
    world = World(*fails(1), (0, between), *fails(1))
    breaker = world.breaker(counts=TimeoutError)
    for _ in range(3):
        ask(world, breaker)
    assert breaker.state == "closed"


def test_an_interruption_counts_for_nothing():
    world = World(*fails(1), (0, KeyboardInterrupt()), *fails(1), (0, KeyboardInterrupt()), (0, "yes"))
    breaker = world.breaker()
    for _ in range(3):
        ask(world, breaker)
    assert breaker.state == "open"
    world.now += 10
    assert (ask(world, breaker), breaker.state) == ("KeyboardInterrupt", "half-open")
    assert (ask(world, breaker), breaker.state) == ("yes", "closed")


def test_one_probe_at_a_time():
    world = World(*fails(2))
    breaker = world.breaker()
    ask(world, breaker), ask(world, breaker)
    world.now += 11
    assert breaker.call(lambda: ask(world, breaker)) == 0
    assert breaker.state == "closed"


def test_an_outcome_from_an_earlier_state_is_dropped():
    world = World(*fails(2), (0, "yes"), *fails(1))
    breaker = world.breaker()

    def outer():
        ask(world, breaker), ask(world, breaker)
        world.now += 10
        assert ask(world, breaker) == "yes"
        assert breaker.state == "closed"
        raise TimeoutError("of an earlier time")

    with pytest.raises(TimeoutError):
        breaker.call(outer)
    ask(world, breaker)
    assert breaker.state == "closed"


def test_together():
    world = World(*fails(2))
    breaker = world.breaker()
    caller = world.caller(breaker=breaker, retryable=Exception)
    with pytest.raises(CircuitOpenError) as caught:
        caller.call()
    assert (caught.value.attempts, caught.value.retry_after, world.pauses, world.draws) == (2, 10, [1], 1)
    assert caught.value.__cause__ is caught.value.errors[-1]
    with pytest.raises(CircuitOpenError) as caught:
        caller.call()
    assert (caught.value.attempts, caught.value.errors, caught.value.__cause__) == (0, (), None)


@pytest.mark.parametrize(
    "settings",
    [{"attempts": 0}, {"jitter": -0.1}, {"jitter": 1.1}, {"jitter": math.nan}]
    + [{name: value} for name in ("base", "cap", "deadline") for value in (0, -1, math.nan)],
)
def test_senseless_settings(settings):
    with pytest.raises(ValueError):
        Caller(print, **settings)


@pytest.mark.parametrize("settings", [{"threshold": 0}, {"cooldown": 0}, {"cooldown": math.nan}])
def test_senseless_breakers(settings):
    with pytest.raises(ValueError):
        Breaker(**settings)


def test_a_service_can_be_called():
    with pytest.raises(TypeError):
        Caller("service")


def test_all_errors_have_one_base():
    for name in ("RetriesExhaustedError", "DeadlineError", "CircuitOpenError"):
        assert issubclass(getattr(oracle, name), OracleError)
