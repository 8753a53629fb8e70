import unittest

from oracle import Breaker, Caller, RetriesExhaustedError


class CallerTest(unittest.TestCase):
    def setUp(self):
        self.asked = 0
        self.pauses = []

    def service(self):
        self.asked += 1
        if self.asked < 3:
            raise TimeoutError()
        return "yes"

    def test_retry(self):
        caller = Caller(self.service, jitter=0, base=1, sleep=self.pauses.append)
        self.assertEqual(caller.call(), "yes")
        self.assertEqual(self.pauses, [1, 2])

    def test_exhausted(self):
        caller = Caller(self.service, attempts=2, sleep=self.pauses.append)
        with self.assertRaises(RetriesExhaustedError):
            caller.call()

    def test_breaker_stays_closed(self):
        breaker = Breaker()
        self.assertEqual(breaker.call(max, 1, 2), 2)
        self.assertEqual(breaker.state, "closed")


if __name__ == "__main__":
    unittest.main()
