import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError


class Well:
    """A service with a script, a clock, and pauses that are written down."""

    def __init__(self, *script):
        self.script = list(script)
        self.now = 100.0
        self.pauses = []
        self.asked = 0

    def __call__(self, *args):
        self.asked += 1
        line = self.script.pop(0) if self.script else ConnectionError()
        if isinstance(line, BaseException):
            raise line
        return line

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds

    def caller(self, **settings):
        settings.setdefault("jitter", 0)
        return Caller(self, clock=lambda: self.now, sleep=self.sleep, **settings)

    def breaker(self, *args, **settings):
        return Breaker(*args, clock=lambda: self.now, **settings)


class CallerTest(unittest.TestCase):
    def test_any_answer_is_an_answer(self):
        for answer in (None, False, 0, ""):
            self.assertEqual(Well(answer).caller().call(), answer)

    def test_pauses_double_up_to_the_cap(self):
        well = Well()
        with self.assertRaises(RetriesExhaustedError) as caught:
            well.caller(attempts=6, base=1, cap=5).call()
        self.assertEqual(well.pauses, [1, 2, 4, 5, 5])
        self.assertEqual(caught.exception.attempts, 6)
        self.assertIs(caught.exception.__cause__, caught.exception.errors[-1])
        self.assertIsInstance(caught.exception, OracleError)

    def test_jitter(self):
        well = Well(TimeoutError(), 7)
        self.assertEqual(well.caller(base=2, jitter=0.5, random=lambda: 0.5).call(), 7)
        self.assertEqual(well.pauses, [1.5])

    def test_retry_after(self):
        error = ConnectionError()
        error.retry_after = 60
        well = Well(error, 7)
        well.caller().call()
        self.assertEqual(well.pauses, [60])

    def test_others_pass(self):
        bad = KeyError("x")
        well = Well(bad)
        with self.assertRaises(KeyError) as caught:
            well.caller().call()
        self.assertIs(caught.exception, bad)
        self.assertEqual(well.pauses, [])

    def test_deadline(self):
        well = Well()
        with self.assertRaises(DeadlineError) as caught:
            well.caller(base=1, attempts=9, deadline=5).call()
        self.assertEqual(well.pauses, [1, 2])
        self.assertEqual(caught.exception.attempts, 3)

    def test_settings(self):
        nan = float("nan")
        for name, values in {
            "attempts": (0, -1),
            "base": (0, nan),
            "cap": (0, nan),
            "jitter": (-0.1, 1.1, nan),
            "deadline": (0, nan),
        }.items():
            for value in values:
                with self.assertRaises(ValueError):
                    Caller(print, **{name: value})
        for settings in ({"threshold": 0}, {"cooldown": 0}, {"cooldown": nan}):
            with self.assertRaises(ValueError):
                Breaker(**settings)
        with self.assertRaises(TypeError):
            Caller(3)


class BreakerTest(unittest.TestCase):
    def fail(self, breaker, error=ValueError):
        def bad():
            raise error

        with self.assertRaises(error):
            breaker.call(bad)

    def test_the_whole_round(self):
        well, told = Well(), []
        breaker = well.breaker(2, 10, on_change=lambda old, new: told.append((old, new, breaker.state)))
        self.fail(breaker)
        breaker.call(int)
        self.fail(breaker)
        self.assertEqual(breaker.state, "closed")
        self.fail(breaker)
        self.assertEqual(breaker.state, "open")
        well.now += 9.75
        with self.assertRaises(CircuitOpenError) as caught:
            breaker.call(int)
        self.assertEqual((caught.exception.retry_after, caught.exception.attempts), (0.25, 0))
        well.now += 0.25
        self.assertEqual(breaker.state, "half-open")
        self.fail(breaker)
        self.assertEqual(breaker.state, "open")
        well.now += 10
        breaker.call(int)
        self.assertEqual(breaker.state, "closed")
        self.assertEqual([(old, new) for old, new, _ in told], [
            ("closed", "open"), ("open", "half-open"), ("half-open", "open"), ("open", "half-open"),
            ("half-open", "closed"),
        ])
        self.assertTrue(all(new == state for _, new, state in told))

    def test_one_probe(self):
        well = Well()
        breaker = well.breaker(1, 10)
        self.fail(breaker)
        well.now += 10

        def probe():
            with self.assertRaises(CircuitOpenError) as caught:
                breaker.call(int)
            return caught.exception.retry_after

        self.assertEqual(breaker.call(probe), 0)

    def test_interrupted_probe(self):
        well = Well()
        breaker = well.breaker(1, 10)
        self.fail(breaker)
        well.now += 10
        self.fail(breaker, KeyboardInterrupt)
        self.assertEqual(breaker.state, "half-open")
        breaker.call(int)
        self.assertEqual(breaker.state, "closed")

    def test_late_outcomes_do_not_count(self):
        well = Well()
        breaker = well.breaker(1, 10)

        def late():
            self.fail(breaker)
            return 5

        self.assertEqual(breaker.call(late), 5)
        self.assertEqual(breaker.state, "open")

    def test_caller_and_breaker(self):
        well = Well()
        with self.assertRaises(CircuitOpenError) as caught:
            well.caller(breaker=well.breaker(2, 10)).call()
        self.assertEqual(well.asked, 2)
        self.assertEqual((caught.exception.attempts, caught.exception.retry_after), (2, 10))


if __name__ == "__main__":
    unittest.main()
