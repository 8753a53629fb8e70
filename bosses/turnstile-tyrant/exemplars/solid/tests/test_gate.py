import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from limiter import RateLimiter


class GateTest(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.gate = RateLimiter(2, 10, lambda: self.now, self.sleep)

    def sleep(self, seconds):
        self.now += seconds

    def test_two_and_no_more(self):
        answers = [self.gate.try_acquire("me") for _ in range(3)]
        self.assertEqual(answers, [True, True, False])

    def test_free_after_the_period(self):
        self.gate.try_acquire("me", 2)
        self.now = 9
        self.assertFalse(self.gate.try_acquire("me"))
        self.now = 10
        self.assertTrue(self.gate.try_acquire("me"))

    def test_waiting(self):
        self.gate.try_acquire("me", 2)
        self.assertTrue(self.gate.acquire("me"))
        self.assertEqual(self.now, 10)

    def test_too_long_to_wait(self):
        self.gate.try_acquire("me", 2)
        self.assertFalse(self.gate.acquire("me", 1, 3))
        self.assertEqual(self.now, 0)

    def test_own_limit(self):
        self.gate.set_limit("me", 3)
        self.assertEqual(self.gate.available("me"), 3)


if __name__ == "__main__":
    unittest.main()
