import unittest

from cache import Cache


class Eviction(unittest.TestCase):
    def setUp(self):
        self.cache = Cache(2)
        self.cache.put("a", 1)
        self.cache.put("b", 2)

    def test_used_entries_stay(self):
        self.assertEqual(self.cache.get("a"), 1)
        self.cache.put("c", 3)
        self.assertEqual(self.cache.keys(), ["a", "c"])

    def test_overwritten_entries_stay(self):
        self.cache.put("a", 9)
        self.cache.put("c", 3)
        self.assertEqual(self.cache.keys(), ["a", "c"])
        self.assertEqual(self.cache.stats()["evictions"], 1)

    def test_peeking_saves_nobody(self):
        self.assertEqual(self.cache.peek("a"), 1)
        self.cache.put("c", 3)
        self.assertNotIn("a", self.cache)

    def test_delete(self):
        self.assertTrue(self.cache.delete("a"))
        self.assertFalse(self.cache.delete("a"))
        self.assertEqual(len(self.cache), 1)

    def test_no_room_at_all(self):
        cache = Cache(0)
        cache.put("a", 1)
        self.assertEqual(cache.keys(), [])


class Expiry(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.cache = Cache(2, 10, lambda: self.now)
        self.cache.put("a", 1)

    def test_the_instant(self):
        self.now = 9.75
        self.assertIn("a", self.cache)
        self.now = 10
        self.assertNotIn("a", self.cache)
        self.assertEqual(self.cache.stats()["expirations"], 1)

    def test_own_life(self):
        self.cache.put("b", 2, ttl=None)
        self.cache.put("a", 3, ttl=20)
        self.now = 19
        self.assertEqual(self.cache.get("a"), 3)
        self.now = 20
        self.assertEqual(self.cache.get("a", "gone"), "gone")
        self.assertEqual(self.cache.get("b"), 2)


class Answers(unittest.TestCase):
    def test_none_is_a_value(self):
        cache = Cache(1)
        self.assertIsNone(cache.get_or_load("a", lambda key: None))
        self.assertIsNone(cache.get("a", "gone"))
        self.assertEqual(cache.stats(), {"hits": 1, "misses": 1, "evictions": 0, "expirations": 0})

    def test_refusals(self):
        for wrong in (1.5, "1", True):
            with self.assertRaises(TypeError):
                Cache(wrong)
        for wrong in (0, -1, float("nan")):
            with self.assertRaises(ValueError):
                Cache(1, wrong)
        with self.assertRaises(ValueError):
            Cache(-1)

    def test_a_failing_load_stores_nothing(self):
        cache = Cache(1)
        with self.assertRaises(ZeroDivisionError):
            cache.get_or_load("a", lambda key: 1 / 0)
        self.assertEqual(len(cache), 0)


if __name__ == "__main__":
    unittest.main()
