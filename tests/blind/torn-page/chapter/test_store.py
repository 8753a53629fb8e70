import os
import tempfile
import unittest

from store import Store


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.dir.name, "s")
        self.store = Store(self.path)

    def tearDown(self):
        self.store.close()
        self.dir.cleanup()

    def test_put_get(self):
        self.store.put("a", b"1")
        self.assertEqual(self.store.get("a"), b"1")
        self.assertIn("a", self.store)

    def test_reopen(self):
        self.store.put("a", b"1")
        self.store.put("b", b"2")
        self.store.delete("a")
        self.store.close()
        self.assertEqual(Store(self.path).items(), [("b", b"2")])

    def test_type(self):
        with self.assertRaises(TypeError):
            self.store.put("a", "text")

    def test_compact(self):
        for i in range(100):
            self.store.put("a", b"%d" % i)
        before = os.path.getsize(self.path)
        self.store.compact()
        self.assertLess(os.path.getsize(self.path), before)
        self.assertEqual(self.store.get("a"), b"99")


if __name__ == "__main__":
    unittest.main()
