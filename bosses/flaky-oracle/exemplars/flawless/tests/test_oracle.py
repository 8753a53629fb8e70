"""What caller and breaker promise, on a clock that is a number."""

import pytest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError

OK = object()


class World:
    """Time, sleep, chance and a service, all played from lists."""

    def __init__(self, *outcomes, rolls=(), took=0, oversleep=0):
        self.now = 500.0
        self.outcomes = list(outcomes)
        self.rolls = list(rolls)
        self.took = took
        self.oversleep = oversleep
        self.pauses = []
        self.asked = 0

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds + self.oversleep

    def random(self):
        return self.rolls.pop(0) if self.rolls else 0.0

    def service(self, *args, **kwargs):
        self.asked += 1
        self.now += self.took
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def caller(self, **settings):
        settings = {"base": 1, "cap": 8, "jitter": 0, **settings}
        return Caller(self.service, clock=self.clock, sleep=self.sleep, random=self.random, **settings)

    def breaker(self, **settings):
        return Breaker(**{"threshold": 2, "cooldown": 10, "clock": lambda: self.now, **settings})


def down(count):
    return [TimeoutError(str(number)) for number in range(count)]


def late(retry_after):
    error = ConnectionError("busy")
    error.retry_after = retry_after
    return error


class TestCalls:
    @pytest.mark.parametrize("answer", [None, False, 0, OK])
    def test_any_answer_is_an_answer(self, answer):
        world = World(*down(1), answer)
        assert world.caller().call() is answer
        assert world.pauses == [1]

    def test_arguments_reach_the_service(self):
        assert Caller(lambda *args, **kwargs: (args, kwargs)).call(1, two=2) == ((1,), {"two": 2})

    def test_an_error_that_is_not_retryable_passes(self):
        error = ValueError("no")
        world = World(*down(1), error)
        with pytest.raises(ValueError, match="no") as caught:
            world.caller().call()
        assert caught.value is error
        assert world.asked == 2

    def test_retryable_may_be_one_class(self):
        world = World(KeyError("k"), OK)
        assert world.caller(retryable=LookupError).call() is OK

    def test_what_is_no_instance_of_retryable_is_not_repeated(self):
        for error in (PermissionError("no"), OSError("no")):
            world = World(error, OK)
            with pytest.raises(OSError) as caught:
                world.caller().call()
            assert caught.value is error
            assert world.asked == 1

    def test_what_interrupted_one_call_is_nothing_to_the_next(self):
        world = World(*down(3), ValueError(), *down(3), OK)
        caller = world.caller()
        with pytest.raises(ValueError):
            caller.call()
        assert caller.call() is OK

    def test_every_call_begins_anew(self):
        world = World(*down(3), OK, *down(3), OK)
        caller = world.caller()
        assert caller.call() is OK
        assert caller.call() is OK
        assert world.pauses == [1, 2, 4, 1, 2, 4]

    def test_giving_up_tells_everything(self):
        errors = down(4)
        world = World(*errors, OK)
        with pytest.raises(RetriesExhaustedError) as caught:
            world.caller().call()
        assert (caught.value.attempts, caught.value.errors) == (4, tuple(errors))
        assert caught.value.__cause__ is errors[-1]
        assert "4" in str(caught.value)
        assert world.pauses == [1, 2, 4]
        with pytest.raises(RetriesExhaustedError):
            World(*down(2)).caller(attempts=1).call()


class TestPauses:
    def test_the_limit_doubles_up_to_the_cap(self):
        world = World(*down(6), OK)
        world.caller(attempts=7, base=0.5, cap=7).call()
        assert world.pauses == [0.5, 1, 2, 4, 7, 7]

    def test_after_thousands_of_attempts_the_limit_is_the_cap(self):
        world = World(*down(3000), OK)
        world.caller(attempts=3001, base=0.5, cap=7).call()
        assert world.pauses[-1] == 7

    def test_a_small_base_is_doubled_as_often_as_a_float_can_bear(self):
        world = World(*down(990), OK)
        world.caller(attempts=991, base=1e-300, cap=1e300).call()
        assert world.pauses[-1] == pytest.approx(1e-300 * 2**989)

    def test_jitter_takes_away_a_share(self):
        world = World(*down(3), OK, rolls=[0.5, 0, 0.75, 0.5])
        world.caller(jitter=0.5).call()
        assert world.pauses == [0.75, 2, 2.5]
        assert world.rolls == [0.5]

    def test_jitter_takes_away_from_the_cap(self):
        world = World(*down(5), OK, rolls=[0, 0, 0, 0, 0.5])
        world.caller(attempts=6, jitter=0.5).call()
        assert world.pauses == [1, 2, 4, 8, 6]

    def test_a_wish_is_heeded_beyond_the_cap(self):
        world = World(late(20), late(None), late(3), OK, rolls=[0.5, 0, 0, 0.5])
        world.caller().call()
        assert world.pauses == [20, 2, 4]
        assert world.rolls == [0.5]


class TestDeadline:
    @pytest.mark.parametrize(("deadline", "pauses"), [(1, []), (3, [1]), (3.25, [1, 2]), (7.5, [1, 2, 4])])
    def test_no_pause_ends_at_or_after_it(self, deadline, pauses):
        world = World(*down(9))
        with pytest.raises(DeadlineError) as caught:
            world.caller(deadline=deadline, attempts=9).call()
        assert world.pauses == pauses
        assert caught.value.attempts == len(pauses) + 1

    @pytest.mark.parametrize(("oversleep", "asked"), [(3.75, 2), (4, 1), (5, 1)])
    def test_no_attempt_begins_after_a_sleep_too_long(self, oversleep, asked):
        world = World(*down(9), oversleep=oversleep)
        with pytest.raises(DeadlineError) as caught:
            world.caller(deadline=5).call()
        assert world.asked == asked
        assert caught.value.__cause__ is caught.value.errors[-1]

    def test_the_service_takes_time_too(self):
        world = World(*down(2), OK, took=2)
        with pytest.raises(DeadlineError):
            world.caller(deadline=7).call()
        assert world.pauses == [1]

    def test_every_call_has_a_deadline_of_its_own(self):
        world = World(*down(1), OK, *down(1), OK)
        caller = world.caller(deadline=5)
        assert caller.call() is OK
        world.now += 100
        assert caller.call() is OK

    def test_a_late_answer_is_an_answer(self):
        world = World(OK, took=99)
        assert world.caller(deadline=7).call() is OK


class Calls:
    """A breaker, and calls that end as told."""

    def __init__(self, **settings):
        self.world = World()
        self.changes = []
        self.breaker = self.world.breaker(on_change=self.note, **settings)

    def note(self, old, new):
        assert self.breaker.state == new
        self.changes.append((old, new))

    def end(self, outcome, inner=()):
        def function():
            for step in inner:
                self.end(step)
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        try:
            return self.breaker.call(function)
        except CircuitOpenError:
            return "refused"
        except BaseException as error:
            assert error is outcome
        return "raised"

    def open(self):
        for error in down(2):
            self.end(error)
        assert self.breaker.state == "open"

    def wait(self):
        """The seconds that a refusal names."""
        with pytest.raises(CircuitOpenError) as caught:
            self.breaker.call(print)
        return caught.value.retry_after

    def half_open(self):
        self.open()
        self.world.now += 10
        assert self.breaker.state == "half-open"


class TestBreaker:
    def test_failures_in_a_row_open_it(self):
        calls = Calls()
        for outcome in (OSError(), OK, OSError()):
            calls.end(outcome)
        assert calls.breaker.state == "closed"
        assert calls.end(OSError()) == "raised"
        assert calls.breaker.state == "open"
        assert calls.end(OK) == "refused"
        assert calls.changes == [("closed", "open")]

    def test_the_instant_of_the_cooldown(self):
        calls = Calls()
        calls.open()
        calls.world.now += 9.75
        assert calls.breaker.state == "open"
        with pytest.raises(CircuitOpenError) as caught:
            calls.breaker.call(print)
        assert caught.value.retry_after == 0.25
        assert (caught.value.attempts, caught.value.errors, caught.value.__cause__) == (0, (), None)
        calls.world.now += 0.25
        assert calls.end(OK) is OK
        assert calls.changes == [("closed", "open"), ("open", "half-open"), ("half-open", "closed")]

    def test_a_bad_probe_opens_it_again(self):
        calls = Calls()
        calls.half_open()
        calls.end(OSError())
        assert calls.wait() == 10
        calls.world.now += 10
        assert calls.end(OK) is OK
        calls.end(OSError())
        assert calls.breaker.state == "closed"

    def test_the_cooldown_counts_from_the_failure(self):
        calls = Calls(threshold=1)

        def slow():
            calls.world.now += 4
            raise OSError

        with pytest.raises(OSError):
            calls.breaker.call(slow)
        calls.world.now += 9.75
        assert calls.breaker.state == "open"

    def test_one_probe_at_a_time(self):
        calls = Calls()
        calls.half_open()
        with pytest.raises(CircuitOpenError) as caught:
            calls.breaker.call(lambda: calls.breaker.call(print))
        assert caught.value.retry_after == 0
        assert calls.breaker.state == "open"

    def test_what_does_not_count_is_a_success(self):
        calls = Calls(counts=(OSError, KeyError))
        for outcome in (OSError(), ValueError(), KeyError()):
            calls.end(outcome)
        assert calls.breaker.state == "closed"
        calls.end(OSError())
        calls.world.now += 10
        calls.end(ValueError())
        assert calls.breaker.state == "closed"

    def test_an_interruption_counts_for_nothing(self):
        calls = Calls()
        calls.end(OSError())
        calls.end(KeyboardInterrupt())
        calls.end(OSError())
        assert calls.breaker.state == "open"
        calls.world.now += 10
        calls.end(KeyboardInterrupt())
        assert calls.breaker.state == "half-open"
        assert calls.end(OK) is OK
        assert calls.breaker.state == "closed"

    @pytest.mark.parametrize("outcome", [OK, OSError(), KeyboardInterrupt()])
    def test_a_late_outcome_moves_nothing(self, outcome):
        calls = Calls()
        calls.end(outcome, inner=down(2))
        assert calls.breaker.state == "open"
        assert calls.changes == [("closed", "open")]

    @pytest.mark.parametrize("outcome", [OK, OSError()])
    def test_a_late_outcome_is_nothing_to_another_closed_time(self, outcome):
        calls = Calls()

        def old():
            calls.half_open()
            calls.end(OK)
            calls.end(OSError())
            if outcome is not OK:
                raise outcome

        try:
            calls.breaker.call(old)
        except OSError as error:
            assert error is outcome
        assert calls.breaker.state == "closed"
        calls.end(OSError())
        assert calls.breaker.state == "open"

    def test_a_late_failure_does_not_prolong_the_cooldown(self):
        calls = Calls()

        def old():
            calls.open()
            calls.world.now += 6
            raise OSError

        with pytest.raises(OSError):
            calls.breaker.call(old)
        assert calls.wait() == 4
        calls.world.now += 4
        assert calls.breaker.state == "half-open"

    def test_an_old_interruption_does_not_free_the_probe(self):
        calls = Calls()
        seen = []

        def probe():
            seen.append(calls.end(OK))
            return OK

        def old():
            calls.half_open()
            seen.append(calls.breaker.call(probe))
            calls.end(OSError())
            raise OSError

        with pytest.raises(OSError):
            calls.breaker.call(old)
        assert seen == ["refused", OK]
        assert calls.breaker.state == "closed"

    def test_the_oldest_failure_of_all(self):
        calls = Calls()
        calls.end(OSError())
        calls.end(OK)
        assert calls.end(OSError(), inner=[OSError()]) == "raised"
        assert calls.breaker.state == "open"


class TestTogether:
    def test_an_open_breaker_ends_the_call_without_a_pause(self):
        world = World(*down(9))
        breaker = world.breaker()
        with pytest.raises(CircuitOpenError) as caught:
            world.caller(breaker=breaker, deadline=99).call()
        assert (world.asked, world.pauses, caught.value.attempts) == (2, [1], 2)
        assert caught.value.retry_after == 10
        assert caught.value.__cause__ is caught.value.errors[1]
        with pytest.raises(CircuitOpenError) as caught:
            world.caller(breaker=breaker).call()
        assert (world.asked, caught.value.attempts, caught.value.__cause__) == (2, 0, None)

    def test_a_refused_attempt_ends_the_call(self):
        world = World(*down(9))
        breaker = world.breaker(threshold=3)

        def sleep(seconds):
            for error in down(2):
                with pytest.raises(TimeoutError):
                    breaker.call(world.service)

        caller = Caller(world.service, breaker=breaker, clock=world.clock, sleep=sleep)
        with pytest.raises(CircuitOpenError) as caught:
            caller.call()
        assert (caught.value.attempts, len(caught.value.errors)) == (1, 1)
        assert caught.value.__cause__ is caught.value.errors[0]

    def test_the_breaker_wins_over_the_deadline(self):
        world = World(*down(9))
        with pytest.raises(CircuitOpenError):
            world.caller(breaker=world.breaker(), deadline=2.5).call()

    def test_the_last_attempt_wins_over_the_breaker(self):
        world = World(*down(2))
        with pytest.raises(RetriesExhaustedError):
            world.caller(attempts=2, breaker=world.breaker()).call()


class TestSettings:
    @pytest.mark.parametrize("name", ["base", "cap", "deadline"])
    @pytest.mark.parametrize("value", [0, -1, float("nan")])
    def test_what_must_be_above_zero(self, name, value):
        with pytest.raises(ValueError, match=name):
            Caller(print, **{name: value})

    @pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
    def test_jitter_is_a_share(self, value):
        with pytest.raises(ValueError):
            Caller(print, jitter=value)

    def test_the_rest(self):
        for refused in (lambda: Caller(print, attempts=0), lambda: Breaker(0), lambda: Breaker(cooldown=0)):
            with pytest.raises(ValueError):
                refused()
        with pytest.raises(TypeError):
            Caller("print")
        for kind in (RetriesExhaustedError, DeadlineError, CircuitOpenError):
            assert issubclass(kind, OracleError)
        assert Caller(print, jitter=1, base=5, cap=1, attempts=1)
        assert Breaker(threshold=1, cooldown=0.1).state == "closed"
