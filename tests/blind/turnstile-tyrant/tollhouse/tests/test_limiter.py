import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from limiter import RateLimiter


class World:
    """A clock, and a sleep that moves it."""

    def __init__(self, now=-3):
        self.now = now
        self.slept = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


class LimiterTest(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.limiter = RateLimiter(3, 10, self.world.clock, self.world.sleep)

    def test_limit_holds_and_keys_are_apart(self):
        self.assertEqual([self.limiter.try_acquire("a") for _ in range(4)], [True, True, True, False])
        self.assertTrue(self.limiter.try_acquire("b", 3))
        self.assertFalse(self.limiter.try_acquire("b"))
        self.assertEqual(len(self.limiter), 2)

    def test_free_at_the_very_instant(self):
        self.limiter.try_acquire("a", 3)
        self.world.now += 9.75
        self.assertFalse(self.limiter.try_acquire("a"))
        self.assertEqual(self.limiter.retry_after("a"), 0.25)
        self.world.now += 0.25
        self.assertEqual(self.limiter.available("a"), 3)
        self.assertEqual(len(self.limiter), 0)
        self.assertTrue(self.limiter.try_acquire("a"))

    def test_it_slides(self):
        self.limiter.try_acquire("a", 2)
        self.world.now += 5
        self.limiter.try_acquire("a", 1)
        self.assertEqual(self.limiter.retry_after("a", 2), 5)
        self.assertEqual(self.limiter.retry_after("a", 3), 10)
        self.world.now += 5
        self.assertEqual(self.limiter.available("a"), 2)

    def test_acquire_sleeps_once(self):
        self.limiter.try_acquire("a", 3)
        self.world.now += 4
        self.assertTrue(self.limiter.acquire("a", 2, timeout=6))
        self.assertEqual(self.world.slept, [6])

    def test_acquire_gives_up_without_sleep(self):
        self.limiter.try_acquire("a", 3)
        self.assertFalse(self.limiter.acquire("a", timeout=9.75))
        self.assertEqual(self.world.slept, [])
        self.assertEqual(self.limiter.available("a"), 0)

    def test_sleep_that_comes_back_early(self):
        naps = []

        def nap(seconds):
            naps.append(seconds)
            self.world.now += seconds / 2 if len(naps) == 1 else seconds

        limiter = RateLimiter(1, 8, self.world.clock, nap)
        limiter.acquire("a")
        self.assertTrue(limiter.acquire("a", timeout=8))
        self.assertEqual(naps, [8, 4])

    def test_own_limit(self):
        self.limiter.try_acquire("a", 3)
        self.limiter.set_limit("a", 1)
        self.assertEqual(self.limiter.available("a"), 0)
        self.limiter.set_limit("a", 5)
        self.assertEqual(self.limiter.available("a"), 2)
        self.limiter.set_limit("a", None)
        self.assertEqual(self.limiter.available("a"), 0)

    def test_refusals(self):
        for bad in (0, -1):
            with self.assertRaises(ValueError):
                RateLimiter(bad, 1)
            with self.assertRaises(ValueError):
                self.limiter.try_acquire("a", bad)
        for bad in (True, 1.0, "1", None):
            with self.assertRaises(TypeError):
                self.limiter.try_acquire("a", bad)
        for bad in (float("nan"), float("inf"), -1):
            with self.assertRaises(ValueError):
                self.limiter.acquire("a", timeout=bad)
            with self.assertRaises(ValueError):
                RateLimiter(1, bad)
        with self.assertRaises(ValueError):
            self.limiter.retry_after("a", 4)
        with self.assertRaises(TypeError):
            self.limiter.available([])
        self.assertEqual(len(self.limiter), 0)

    def test_crowd(self):
        gate = threading.Barrier(8)
        passed = []

        def visitor():
            gate.wait()
            for _ in range(50):
                passed.append(limiter.try_acquire("a"))

        limiter = RateLimiter(100, 10, self.world.clock, self.world.sleep)
        crowd = [threading.Thread(target=visitor) for _ in range(8)]
        for thread in crowd:
            thread.start()
        for thread in crowd:
            thread.join()
        self.assertEqual(sum(passed), 100)


if __name__ == "__main__":
    unittest.main()
