import os
import shutil
import tempfile
import unittest
from unittest import mock

from store import Store


class StoreTestCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "book")

    def bytes(self):
        with open(self.path, "rb") as file:
            return file.read()

    def write(self, data):
        with open(self.path, "wb") as file:
            file.write(data)

    def content(self):
        with Store(self.path) as store:
            return store.items()


class MapTest(StoreTestCase):
    def test_answers(self):
        with Store(self.path) as store:
            self.assertIsNone(store.put("b", b""))
            store.put("", b"\x00\n")
            store.put("b", b"2")
            self.assertEqual(store.get("b"), b"2")
            self.assertEqual(store.get("c", 5), 5)
            self.assertIn("", store)
            self.assertEqual(len(store), 2)
            self.assertEqual(store.keys(), ["", "b"])
            self.assertIs(store.delete("b"), True)
            self.assertIs(store.delete("b"), False)
            self.assertNotIn("b", store)
        self.assertEqual(self.content(), [("", b"\x00\n")])

    def test_big_value(self):
        with Store(self.path) as store:
            store.put("big", bytes(2_000_000))
        self.assertEqual(self.content(), [("big", bytes(2_000_000))])

    def test_wrong_types(self):
        with Store(self.path) as store:
            before = self.bytes()
            for key, value in [(1, b""), (None, b""), ("a", "b"), ("a", bytearray()), ("a", None)]:
                with self.subTest(key=key, value=value), self.assertRaises(TypeError):
                    store.put(key, value)
            for method in store.get, store.delete, store.__contains__:
                with self.subTest(method=method), self.assertRaises(TypeError):
                    method(b"a")
            with self.assertRaises(ValueError):
                store.put("\udfff", b"")
            self.assertEqual(self.bytes(), before)
            self.assertEqual(store.items(), [])

    def test_closed(self):
        store = Store(self.path)
        store.close()
        store.close()
        for call in (lambda: store.put("a", b""), lambda: store.get("a"), lambda: store.delete("a"),
                     lambda: "a" in store, lambda: len(store), store.keys, store.items, store.compact):
            with self.assertRaises(ValueError):
                call()


class FileTest(StoreTestCase):
    def setUp(self):
        super().setUp()
        with Store(self.path) as store:
            self.header = len(self.bytes())
            store.put("a", b"one")
            self.first = len(self.bytes())
            store.put("b", b"two")
        self.whole = self.bytes()

    def expected(self, size):
        if size < self.first:
            return []
        return [("a", b"one")] if size < len(self.whole) else [("a", b"one"), ("b", b"two")]

    def test_empty_file(self):
        self.write(b"")
        self.assertEqual(self.content(), [])

    def test_cuts(self):
        for size in range(self.header, len(self.whole)):
            with self.subTest(size=size):
                self.write(self.whole[:size])
                self.assertEqual(self.content(), self.expected(size))
                with Store(self.path) as store:
                    store.put("c", b"three")
                self.assertEqual(self.content(), self.expected(size) + [("c", b"three")])

    def test_changed_bytes(self):
        for at in range(self.header, len(self.whole)):
            with self.subTest(at=at):
                data = bytearray(self.whole)
                data[at] ^= 0x55
                self.write(data)
                self.assertEqual(self.content(), self.expected(at))

    def test_rubbish(self):
        for rubbish in bytes(13), bytes(1000), b"\xff" * 30, b"abc":
            with self.subTest(rubbish=rubbish):
                self.write(self.whole + rubbish)
                self.assertEqual(self.content(), self.expected(len(self.whole)))
                self.assertEqual(self.bytes(), self.whole)

    def test_foreign(self):
        self.write(b"#!/bin/sh\n")
        with self.assertRaises(ValueError):
            Store(self.path)
        self.assertEqual(self.bytes(), b"#!/bin/sh\n")

    def test_bad_paths(self):
        with self.assertRaises(OSError):
            Store(self.folder)
        with self.assertRaises(OSError):
            Store(os.path.join(self.folder, "none", "book"))

    def test_append_only(self):
        with Store(self.path) as store:
            store.put("a", b"1")
            store.delete("b")
            self.assertTrue(self.bytes().startswith(self.whole))
            before = self.bytes()
            store.delete("b")
            self.assertEqual(self.bytes(), before)

    def test_compact(self):
        with Store(self.path) as store:
            store.put("a", b"1")
            store.delete("b")
            store.compact()
            self.assertLess(len(self.bytes()), len(self.whole))
            store.put("c", b"3")
        self.assertEqual(self.content(), [("a", b"1"), ("c", b"3")])

    def test_failed_swap(self):
        with Store(self.path) as store:
            with mock.patch("os.replace", side_effect=OSError), self.assertRaises(OSError):
                store.compact()
            self.assertEqual(self.bytes(), self.whole)
            self.assertEqual(os.listdir(self.folder), ["book"])
            store.put("c", b"3")
        self.assertEqual(self.content(), self.expected(len(self.whole)) + [("c", b"3")])


if __name__ == "__main__":
    unittest.main()
