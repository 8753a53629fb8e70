import os
import tempfile
import unittest

from store import Store


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "db")

    def tearDown(self):
        self.folder.cleanup()

    def test_roundtrip(self):
        with Store(self.path) as store:
            store.put("a", b"1")
            store.put("b", b"2")
            store.delete("a")
        with Store(self.path) as store:
            self.assertEqual(store.items(), [("b", b"2")])

    def test_half_line(self):
        with Store(self.path) as store:
            store.put("a", b"1")
            store.put("b", b"2")
        with open(self.path, "r+b") as file:
            file.truncate(os.path.getsize(self.path) - 5)
        with Store(self.path) as store:
            self.assertEqual(store.keys(), ["a"])

    def test_compact(self):
        with Store(self.path) as store:
            for number in range(10):
                store.put("a", b"%d" % number)
            store.compact()
            self.assertEqual(store.get("a"), b"9")
