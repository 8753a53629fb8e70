import unittest

from oracle import (
    Breaker,
    Caller,
    CircuitOpenError,
    DeadlineError,
    OracleError,
    RetriesExhaustedError,
)


class World:
    """Clock, sleep and chance in one."""

    def __init__(self, chance=0.0, lag=0.0):
        self.now = 100.0
        self.pauses = []
        self.chances = 0
        self._chance = chance
        self._lag = lag

    def clock(self):
        return self.now

    def sleep(self, pause):
        self.pauses.append(pause)
        self.now += pause + self._lag

    def random(self):
        self.chances += 1
        return self._chance

    def caller(self, service, **options):
        return Caller(service, clock=self.clock, sleep=self.sleep, random=self.random, **options)


class Service:
    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.calls = []

    def __call__(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


class CallerTest(unittest.TestCase):
    def test_answers_come_back_as_they_are(self):
        for answer in (None, False, 0, "", [1]):
            with self.subTest(answer=answer):
                service = Service(answer)
                self.assertIs(World().caller(service).call(1, a=2), answer)
                self.assertEqual(service.calls, [((1,), {"a": 2})])

    def test_pauses_double_up_to_the_cap(self):
        world = World()
        errors = [TimeoutError(str(n)) for n in range(6)]
        with self.assertRaises(RetriesExhaustedError) as caught:
            world.caller(Service(*errors), attempts=6, base=1, cap=6).call()
        self.assertEqual(world.pauses, [1, 2, 4, 6, 6])
        self.assertEqual(world.chances, 5)
        self.assertEqual(caught.exception.attempts, 6)
        self.assertEqual(caught.exception.errors, tuple(errors))
        self.assertIs(caught.exception.__cause__, errors[-1])

    def test_jitter_shortens(self):
        world = World(chance=0.5)
        world.caller(Service(TimeoutError(), 1), base=8, jitter=0.25).call()
        self.assertEqual(world.pauses, [7.0])

    def test_retry_after_beats_the_cap(self):
        world = World()
        error = TimeoutError()
        error.retry_after = 50
        world.caller(Service(error, 1), base=1).call()
        self.assertEqual(world.pauses, [50])

    def test_thousands_of_attempts(self):
        world = World()
        with self.assertRaises(RetriesExhaustedError):
            world.caller(Service(*[TimeoutError()] * 3000), attempts=3000).call()
        self.assertEqual(world.pauses[-1], 10.0)

    def test_others_pass_through(self):
        error = KeyError("x")
        service = Service(error, 1)
        with self.assertRaises(KeyError) as caught:
            World().caller(service).call()
        self.assertIs(caught.exception, error)
        self.assertEqual(len(service.calls), 1)

    def test_deadline_is_exclusive(self):
        for deadline, pauses in ((2, []), (2.25, [2])):
            with self.subTest(deadline=deadline):
                world = World()
                service = Service(TimeoutError(), 1)
                caller = world.caller(service, base=2, deadline=deadline)
                if pauses:
                    self.assertEqual(caller.call(), 1)
                else:
                    self.assertRaises(DeadlineError, caller.call)
                self.assertEqual(world.pauses, pauses)

    def test_sleep_took_too_long(self):
        world = World(lag=1)
        service = Service(TimeoutError(), 1)
        with self.assertRaises(DeadlineError) as caught:
            world.caller(service, base=2, deadline=3).call()
        self.assertEqual(caught.exception.attempts, 1)
        self.assertEqual(world.pauses, [2])

    def test_late_answers_are_answers(self):
        world = World()

        def service():
            world.now += 1000
            return "late"

        self.assertEqual(world.caller(service, deadline=1).call(), "late")

    def test_settings(self):
        nan = float("nan")
        for setting in (
            {"attempts": 0},
            {"base": 0},
            {"cap": -1},
            {"jitter": 1.5},
            {"jitter": nan},
            {"base": nan},
            {"deadline": 0},
            {"deadline": nan},
        ):
            with self.subTest(setting), self.assertRaises(ValueError):
                Caller(print, **setting)
        with self.assertRaises(TypeError):
            Caller(None)


class BreakerTest(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.changes = []
        self.breaker = Breaker(2, 10, counts=OSError, on_change=self.changed, clock=self.world.clock)

    def changed(self, old, new):
        self.assertEqual(self.breaker.state, new)
        self.changes.append((old, new))

    def fail(self, error=None):
        error = error or OSError()
        with self.assertRaises(type(error)) as caught:
            self.breaker.call(Service(error))
        self.assertIs(caught.exception, error)

    def open(self):
        self.fail()
        self.fail()

    def test_opens_with_the_threshold(self):
        self.fail()
        self.assertEqual(self.breaker.state, "closed")
        self.fail()
        self.assertEqual(self.breaker.state, "open")
        service = Service(1)
        with self.assertRaises(CircuitOpenError) as caught:
            self.breaker.call(service)
        self.assertEqual(service.calls, [])
        self.assertEqual(caught.exception.retry_after, 10)
        self.assertEqual((caught.exception.attempts, caught.exception.errors), (0, ()))

    def test_success_ends_the_row(self):
        for outcome in (1, KeyError()):
            self.fail()
            if outcome == 1:
                self.assertEqual(self.breaker.call(Service(1)), 1)
            else:
                self.fail(outcome)
        self.fail()
        self.assertEqual(self.breaker.state, "closed")

    def test_half_open_at_the_instant(self):
        self.open()
        self.world.now += 9.75
        self.assertEqual(self.breaker.state, "open")
        self.world.now += 0.25
        self.assertEqual(self.breaker.state, "half-open")
        self.assertEqual(self.changes, [("closed", "open"), ("open", "half-open")])

    def test_good_probe_closes(self):
        self.open()
        self.world.now += 10
        self.assertEqual(self.breaker.call(Service(3)), 3)
        self.fail()
        self.assertEqual(self.breaker.state, "closed")

    def test_bad_probe_opens(self):
        self.open()
        self.world.now += 10
        self.fail()
        self.assertEqual(self.breaker.state, "open")
        self.world.now += 9.75
        self.assertEqual(self.breaker.state, "open")

    def test_one_probe_only(self):
        self.open()
        self.world.now += 10
        inner = Service(1)

        def probe():
            with self.assertRaises(CircuitOpenError) as caught:
                self.breaker.call(inner)
            self.assertEqual(caught.exception.retry_after, 0)
            return "ok"

        self.assertEqual(self.breaker.call(probe), "ok")
        self.assertEqual(inner.calls, [])
        self.assertEqual(self.breaker.state, "closed")

    def test_interrupted_probe(self):
        self.open()
        self.world.now += 10
        self.fail(KeyboardInterrupt())
        self.assertEqual(self.breaker.state, "half-open")
        self.assertEqual(self.breaker.call(Service(1)), 1)

    def test_late_success_does_not_close(self):
        def outer():
            self.open()
            return 1

        self.breaker.call(outer)
        self.assertEqual(self.breaker.state, "open")

    def test_settings(self):
        for setting in ({"threshold": 0}, {"cooldown": 0}, {"cooldown": float("nan")}):
            with self.subTest(setting), self.assertRaises(ValueError):
                Breaker(**setting)


class TogetherTest(unittest.TestCase):
    def test_no_pause_when_the_breaker_has_opened(self):
        world = World()
        errors = [TimeoutError(), TimeoutError()]
        breaker = Breaker(2, 30, clock=world.clock)
        with self.assertRaises(CircuitOpenError) as caught:
            world.caller(Service(*errors), breaker=breaker).call()
        self.assertEqual(len(world.pauses), 1)
        self.assertEqual(caught.exception.errors, tuple(errors))
        self.assertIs(caught.exception.__cause__, errors[1])
        self.assertEqual(caught.exception.retry_after, 30)

    def test_refusal_is_not_retried(self):
        world = World()
        breaker = Breaker(1, 30, clock=world.clock)
        with self.assertRaises(ValueError):
            breaker.call(int, "x")
        with self.assertRaises(OracleError) as caught:
            world.caller(Service(1), breaker=breaker, retryable=Exception).call()
        self.assertIsInstance(caught.exception, CircuitOpenError)
        self.assertEqual(caught.exception.attempts, 0)
        self.assertEqual(world.pauses, [])


if __name__ == "__main__":
    unittest.main()
