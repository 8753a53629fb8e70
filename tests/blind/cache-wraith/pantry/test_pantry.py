import unittest

from cache import Cache


class FakeClock:
    t = 0

    def __call__(self):
        return self.t


class TestCache(unittest.TestCase):
    def setUp(self):
        self.clock = FakeClock()
        self.cache = Cache(3, ttl=10, clock=self.clock)

    def test_put_get(self):
        self.cache.put("bread", 1)
        self.assertEqual(self.cache.get("bread"), 1)
        self.assertIsNone(self.cache.get("milk"))

    def test_lru(self):
        for k in "abc":
            self.cache.put(k, k)
        self.cache.get("a")
        self.cache.put("d", "d")
        self.assertEqual(self.cache.get("a"), "a")
        self.assertIsNone(self.cache.get("b"))

    def test_expired(self):
        self.cache.put("milk", 1)
        self.clock.t = 11
        self.assertIsNone(self.cache.get("milk"))

    def test_load(self):
        self.assertEqual(self.cache.get_or_load("x", lambda k: k + "!"), "x!")
        self.assertEqual(self.cache.get("x"), "x!")

    def test_bad_capacity(self):
        with self.assertRaises(ValueError):
            Cache(-1)


if __name__ == "__main__":
    unittest.main()
