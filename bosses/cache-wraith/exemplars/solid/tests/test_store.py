import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from cache import Cache


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.now = 0
        self.cache = Cache(2, ttl=10, clock=lambda: self.now)
        self.cache.put("first", 1)
        self.cache.put("second", 2)

    def test_the_longest_unused_entry_makes_room(self):
        self.cache.get("first")
        self.cache.put("third", 3)
        self.assertEqual(self.cache.keys(), ["first", "third"])

    def test_peek_leaves_the_order_alone(self):
        self.cache.peek("first")
        self.cache.put("third", 3)
        self.assertEqual(self.cache.keys(), ["second", "third"])

    def test_entries_die_at_the_end_of_their_life(self):
        self.now = 9
        self.assertIn("first", self.cache)
        self.now = 10
        self.assertNotIn("first", self.cache)

    def test_delete(self):
        self.assertTrue(self.cache.delete("first"))
        self.assertEqual(len(self.cache), 1)

    def test_load_once(self):
        self.assertEqual(self.cache.get_or_load("third", str.upper), "THIRD")
        self.assertEqual(self.cache.get("third"), "THIRD")


if __name__ == "__main__":
    unittest.main()
