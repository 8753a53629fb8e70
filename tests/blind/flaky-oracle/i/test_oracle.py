import unittest

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError


class OracleTestCase(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.pauses = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds

    def service(self, *outcomes):
        outcomes = list(outcomes)

        def answer():
            outcome = outcomes.pop(0)
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        return answer

    def caller(self, *outcomes, **settings):
        settings = {"base": 1, "jitter": 0, "random": lambda: 0.5, **settings}
        return Caller(self.service(*outcomes), clock=self.clock, sleep=self.sleep, **settings)

    def breaker(self, threshold=2, **settings):
        return Breaker(threshold, 10, clock=self.clock, **settings)

    def fail(self, breaker, error=None):
        error = error or TimeoutError()
        with self.assertRaises(type(error)):
            breaker.call(self.service(error))


class TestRetrying(OracleTestCase):
    def test_answers(self):
        for answer in (None, False, 0, "yes"):
            with self.subTest(answer=answer):
                self.assertIs(self.caller(answer).call(), answer)

    def test_second_attempt(self):
        self.assertEqual(self.caller(TimeoutError(), 42).call(), 42)
        self.assertEqual(self.pauses, [1])

    def test_exhausted(self):
        errors = [TimeoutError(1), ConnectionError(2), TimeoutError(3)]
        with self.assertRaisesRegex(RetriesExhaustedError, "gave up after 3 attempts") as caught:
            self.caller(*errors, attempts=3).call()
        self.assertEqual(caught.exception.attempts, 3)
        self.assertEqual(caught.exception.errors, tuple(errors))
        self.assertIs(caught.exception.__cause__, errors[-1])
        self.assertIsInstance(caught.exception, OracleError)

    def test_not_retryable(self):
        error = ValueError()
        with self.assertRaises(ValueError) as caught:
            self.caller(error, 1).call()
        self.assertIs(caught.exception, error)
        self.assertEqual(self.pauses, [])


class TestPauses(OracleTestCase):
    def test_doubling(self):
        self.caller(*[TimeoutError()] * 5, 1, attempts=6, cap=6).call()
        self.assertEqual(self.pauses, [1, 2, 4, 6, 6])

    def test_jitter(self):
        self.caller(*[TimeoutError()] * 3, 1, jitter=0.5, cap=2).call()
        self.assertEqual(self.pauses, [0.75, 1.5, 1.5])

    def test_many(self):
        self.caller(*[TimeoutError()] * 2000, 1, attempts=2001).call()
        self.assertEqual(self.pauses[-1], 10)

    def test_retry_after(self):
        for wish, pause in ((None, 1), (0.5, 1), (20, 20)):
            with self.subTest(wish=wish):
                error = TimeoutError()
                error.retry_after = wish
                self.caller(error, 1).call()
                self.assertEqual(self.pauses.pop(), pause)

    def test_deadline_before_the_pause(self):
        with self.assertRaises(DeadlineError) as caught:
            self.caller(TimeoutError(), TimeoutError(), 1, deadline=3).call()
        self.assertEqual(caught.exception.attempts, 2)
        self.assertEqual(self.pauses, [1])

    def test_deadline_just_not_reached(self):
        self.assertEqual(self.caller(TimeoutError(), TimeoutError(), 1, deadline=3.5).call(), 1)

    def test_deadline_after_the_pause(self):
        def sleep(seconds):
            self.now += 3

        caller = Caller(self.service(TimeoutError(), 1), deadline=3, clock=self.clock, sleep=sleep)
        self.assertRaises(DeadlineError, caller.call)


class TestBreaker(OracleTestCase):
    def test_opens(self):
        breaker = self.breaker()
        self.fail(breaker)
        self.assertEqual(breaker.state, "closed")
        self.fail(breaker)
        self.assertEqual(breaker.state, "open")
        self.now = 3
        with self.assertRaises(CircuitOpenError) as caught:
            breaker.call(self.service())
        self.assertEqual(caught.exception.retry_after, 7)
        self.assertEqual(caught.exception.attempts, 0)

    def test_success_between(self):
        breaker = self.breaker(counts=TimeoutError)
        for error in (TimeoutError(), ValueError(), TimeoutError()):
            self.fail(breaker, error)
        self.assertEqual(breaker.state, "closed")

    def test_probe(self):
        changes = []
        breaker = self.breaker(on_change=lambda *change: changes.append(change))
        self.fail(breaker)
        self.fail(breaker)
        self.now = 10
        self.assertEqual(breaker.state, "half-open")
        self.fail(breaker)
        self.assertEqual(breaker.state, "open")
        self.now = 20
        self.assertEqual(breaker.call(self.service(1)), 1)
        self.assertEqual(breaker.state, "closed")
        self.assertEqual([new for _, new in changes], ["open", "half-open", "open", "half-open", "closed"])

    def test_one_probe_only(self):
        breaker = self.breaker(1)
        self.fail(breaker)
        self.now = 10

        def probe():
            self.assertRaises(CircuitOpenError, breaker.call, self.service(1))

        breaker.call(probe)
        self.assertEqual(breaker.state, "closed")

    def test_interrupted_probe(self):
        breaker = self.breaker(1)
        self.fail(breaker)
        self.now = 10
        self.fail(breaker, KeyboardInterrupt())
        self.assertEqual(breaker.state, "half-open")
        breaker.call(self.service(1))
        self.assertEqual(breaker.state, "closed")

    def test_outer_call_does_not_close(self):
        breaker = self.breaker(1)
        breaker.call(lambda: self.fail(breaker))
        self.assertEqual(breaker.state, "open")

    def test_with_caller(self):
        breaker = self.breaker()
        with self.assertRaises(CircuitOpenError) as caught:
            self.caller(*[TimeoutError()] * 4, breaker=breaker).call()
        self.assertEqual(caught.exception.attempts, 2)
        self.assertEqual(caught.exception.retry_after, 10)


class TestSettings(unittest.TestCase):
    def test_caller(self):
        nan = float("nan")
        for name, value in (("attempts", 0), ("base", 0), ("cap", -1), ("jitter", 1.5), ("jitter", nan), ("deadline", nan)):
            with self.subTest(name=name, value=value), self.assertRaises(ValueError):
                Caller(print, **{name: value})

    def test_breaker(self):
        self.assertRaises(ValueError, Breaker, 0)
        self.assertRaises(ValueError, Breaker, 1, 0)

    def test_service(self):
        self.assertRaises(TypeError, Caller, "print")


if __name__ == "__main__":
    unittest.main()
