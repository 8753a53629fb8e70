import unittest

from cache import Cache


class CacheTestCase(unittest.TestCase):

    def setUp(self):
        self.now = 50
        self.cache = Cache(3, ttl=10, clock=lambda: self.now)
        for key in ("a", "b", "c"):
            self.cache.put(key, key * 2)


class EvictionTest(CacheTestCase):

    def test_oldest_is_evicted(self):
        self.cache.put("d", 1)
        self.assertEqual(self.cache.keys(), ["b", "c", "d"])

    def test_get_refreshes_order(self):
        self.cache.get("a")
        self.assertEqual(self.cache.keys(), ["b", "c", "a"])

    def test_put_refreshes_order(self):
        self.cache.put("a", 1)
        self.assertEqual(self.cache.keys(), ["b", "c", "a"])
        self.assertEqual(self.cache.stats()["evictions"], 0)

    def test_peek_and_contains_do_not_refresh(self):
        self.assertEqual(self.cache.peek("a"), "aa")
        self.assertIn("a", self.cache)
        self.assertEqual(self.cache.keys(), ["a", "b", "c"])

    def test_capacity_one(self):
        cache = Cache(1)
        cache.put("a", 1)
        cache.put("b", 2)
        self.assertEqual(cache.keys(), ["b"])

    def test_capacity_zero(self):
        cache = Cache(0)
        cache.put("a", 1)
        self.assertIsNone(cache.get("a"))
        self.assertEqual(len(cache), 0)

    def test_delete(self):
        self.assertIs(self.cache.delete("b"), True)
        self.assertIs(self.cache.delete("b"), False)
        self.cache.put("d", 1)
        self.assertIn("a", self.cache)


class ExpiryTest(CacheTestCase):

    def test_just_before(self):
        self.now = 59.75
        self.assertEqual(self.cache.get("a"), "aa")

    def test_exactly(self):
        self.now = 60
        self.assertEqual(len(self.cache), 0)
        self.assertEqual(self.cache.keys(), [])
        self.assertNotIn("a", self.cache)
        self.assertEqual(self.cache.stats()["expirations"], 3)

    def test_own_ttl(self):
        self.cache.put("a", 1, ttl=2)
        self.cache.put("b", 1, ttl=None)
        self.now = 52
        self.assertEqual(self.cache.keys(), ["c", "b"])
        self.now = 1000
        self.assertEqual(self.cache.keys(), ["b"])

    def test_overwrite_restarts(self):
        self.now = 55
        self.cache.put("a", 1)
        self.now = 60
        self.assertEqual(self.cache.keys(), ["a"])

    def test_expired_leave_first(self):
        self.cache.put("c", 1, ttl=1)
        self.now = 51
        self.cache.put("d", 1)
        self.assertEqual(self.cache.keys(), ["a", "b", "d"])
        self.assertEqual(self.cache.stats()["evictions"], 0)

    def test_negative_clock(self):
        now = [-5]
        cache = Cache(1, 5, lambda: now[0])
        cache.put("a", 1)
        self.assertIn("a", cache)
        now[0] = 0
        self.assertNotIn("a", cache)


class AnswerTest(CacheTestCase):

    def test_none_is_a_value(self):
        self.cache.put("a", None)
        self.assertIsNone(self.cache.get("a", 1))

    def test_load(self):
        self.assertEqual(self.cache.get_or_load("d", str.upper), "D")
        self.assertEqual(self.cache.get_or_load("d", self.fail), "D")

    def test_load_fails(self):
        with self.assertRaises(ZeroDivisionError):
            self.cache.get_or_load("d", lambda key: 1 / 0)
        self.assertEqual(self.cache.keys(), ["a", "b", "c"])
        self.assertEqual(self.cache.stats()["misses"], 1)

    def test_load_takes_time(self):
        def load(key):
            self.now += 100
        self.cache.get_or_load("d", load)
        self.assertEqual(self.cache.keys(), ["d"])

    def test_bad_capacity(self):
        for bad in (True, 1.5, "1", None):
            with self.subTest(bad=bad), self.assertRaises(TypeError):
                Cache(bad)
        with self.assertRaises(ValueError):
            Cache(-1)

    def test_bad_ttl(self):
        for bad in (0, -1, float("inf"), float("nan")):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                self.cache.put("d", 1, ttl=bad)
        for bad in (True, "1", []):
            with self.subTest(bad=bad), self.assertRaises(TypeError):
                self.cache.put("d", 1, ttl=bad)
        self.assertEqual(self.cache.keys(), ["a", "b", "c"])

    def test_unhashable(self):
        with self.assertRaises(TypeError):
            self.cache.put([], 1)
        with self.assertRaises(TypeError):
            self.cache.get([])
        self.assertEqual(self.cache.stats()["misses"], 0)


if __name__ == "__main__":
    unittest.main()
