import threading
import unittest

from limiter import RateLimiter


class LimiterTestCase(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.slept = []
        self.limiter = RateLimiter(3, 10, clock=lambda: self.now, sleep=self.sleep)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


class CountingTest(LimiterTestCase):
    def test_limit(self):
        self.assertEqual([self.limiter.try_acquire("a") for _ in range(4)], [True, True, True, False])
        self.assertIs(self.limiter.try_acquire("b"), True)

    def test_window(self):
        self.limiter.try_acquire("a", 2)
        self.now = 6
        self.limiter.try_acquire("a")
        self.now = 9.75
        self.assertFalse(self.limiter.try_acquire("a"))
        self.now = 10
        self.assertEqual(self.limiter.available("a"), 2)
        self.assertFalse(self.limiter.try_acquire("a", 3))
        self.assertTrue(self.limiter.try_acquire("a", 2))
        self.assertEqual(self.limiter.retry_after("a"), 6)

    def test_len(self):
        self.limiter.available("x")
        self.limiter.retry_after("x")
        self.assertEqual(len(self.limiter), 0)
        self.limiter.try_acquire("a")
        self.limiter.try_acquire("b")
        self.assertEqual(len(self.limiter), 2)
        self.now = 10
        self.assertEqual(len(self.limiter), 0)

    def test_set_limit(self):
        self.limiter.try_acquire("a", 3)
        self.assertIsNone(self.limiter.set_limit("a", 1))
        self.assertEqual(self.limiter.available("a"), 0)
        self.limiter.set_limit("a", 4)
        self.assertEqual(self.limiter.available("a"), 1)
        self.limiter.set_limit("a", None)
        self.assertEqual(self.limiter.available("a"), 0)


class RefusalTest(LimiterTestCase):
    def test_constructor(self):
        for limit, period, error in [(0, 1, ValueError), (True, 1, TypeError), (1.0, 1, TypeError), (1, 0, ValueError),
                                     (1, float("inf"), ValueError), (1, float("nan"), ValueError), (1, None, TypeError)]:
            with self.subTest(limit=limit, period=period), self.assertRaises(error):
                RateLimiter(limit, period)

    def test_cost(self):
        for cost, error in [(0, ValueError), (4, ValueError), (True, TypeError), (1.0, TypeError)]:
            for method in self.limiter.try_acquire, self.limiter.acquire, self.limiter.retry_after:
                with self.subTest(cost=cost, method=method), self.assertRaises(error):
                    method("a", cost)
        self.assertEqual(self.limiter.available("a"), 3)

    def test_timeout(self):
        for timeout, error in [(-1, ValueError), (float("nan"), ValueError), (float("inf"), ValueError), ("1", TypeError),
                               (True, TypeError)]:
            with self.subTest(timeout=timeout), self.assertRaises(error):
                self.limiter.acquire("a", timeout=timeout)

    def test_limit(self):
        for limit, error in [(0, ValueError), (False, TypeError), (2.0, TypeError)]:
            with self.subTest(limit=limit), self.assertRaises(error):
                self.limiter.set_limit("a", limit)

    def test_key(self):
        for method in self.limiter.try_acquire, self.limiter.acquire, self.limiter.available, self.limiter.retry_after:
            with self.subTest(method=method), self.assertRaises(TypeError):
                method([])


class WaitingTest(LimiterTestCase):
    def test_no_sleep_if_free(self):
        self.assertIs(self.limiter.acquire("a", 3, timeout=0), True)
        self.assertEqual(self.slept, [])

    def test_one_sleep(self):
        for _ in range(3):
            self.limiter.try_acquire("a")
            self.now += 1
        self.assertIs(self.limiter.acquire("a", 2), True)
        self.assertEqual(self.slept, [8])

    def test_gives_up(self):
        self.limiter.try_acquire("a", 3)
        self.assertIs(self.limiter.acquire("a", timeout=5), False)
        self.assertEqual(self.slept, [])
        self.assertIs(self.limiter.acquire("a", timeout=15), True)

    def test_early_sleep(self):
        limiter = RateLimiter(1, 10, lambda: self.now, lambda seconds: self.sleep(min(seconds, 4)))
        limiter.try_acquire("a")
        self.assertTrue(limiter.acquire("a"))
        self.assertEqual(self.slept, [4, 4, 2])

    def test_failing_sleep(self):
        def fail(seconds):
            raise InterruptedError

        limiter = RateLimiter(1, 10, lambda: self.now, fail)
        limiter.try_acquire("a")
        with self.assertRaises(InterruptedError):
            limiter.acquire("a")
        self.now = 10
        self.assertEqual(limiter.available("a"), 1)


class ThreadTest(LimiterTestCase):
    def test_crowd(self):
        answers = []
        barrier = threading.Barrier(16)

        def run():
            barrier.wait()
            answers.append(self.limiter.try_acquire("a"))

        threads = [threading.Thread(target=run) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers.count(True), 3)

    def test_sleeper_blocks_nobody(self):
        asleep, wake = threading.Event(), threading.Event()

        def sleep(seconds):
            asleep.set()
            wake.wait(5)
            self.now += seconds

        limiter = RateLimiter(1, 10, lambda: self.now, sleep)
        limiter.try_acquire("a")
        sleeper = threading.Thread(target=limiter.acquire, args=("a",))
        sleeper.start()
        self.assertTrue(asleep.wait(5))
        answers = []
        other = threading.Thread(target=lambda: answers.append(limiter.try_acquire("b")), daemon=True)
        other.start()
        other.join(2)
        self.assertEqual(answers, [True])
        wake.set()
        sleeper.join(5)


if __name__ == "__main__":
    unittest.main()
