import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from store import Store


class StoreCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "book"

    def reopened(self):
        with Store(self.path) as store:
            return store.items()

    def written(self):
        """Sizes and states after each of a few calls."""
        states = []
        with Store(self.path) as store:
            for call in (
                lambda: store.put("a", b"first"),
                lambda: store.put("b", b"\n\x00\xff"),
                lambda: store.put("a", b"second"),
                lambda: store.delete("b"),
                lambda: store.put("", b""),
            ):
                call()
                states.append((self.path.stat().st_size, store.items()))
        return states


class TestMap(StoreCase):
    def test_answers_like_a_dict(self):
        with Store(str(self.path)) as store:
            self.assertIsNone(store.put("b", b"1"))
            store.put("a", b"")
            store.put("b", b"2")
            self.assertEqual(store.get("b"), b"2")
            self.assertEqual(store.get("a", b"x"), b"")
            self.assertIsNone(store.get("c"))
            self.assertEqual(store.get("c", 7), 7)
            self.assertIn("a", store)
            self.assertNotIn("A", store)
            self.assertEqual(len(store), 2)
            self.assertEqual(store.keys(), ["a", "b"])
            self.assertEqual(store.items(), [("a", b""), ("b", b"2")])
            self.assertIs(store.delete("a"), True)
            self.assertIs(store.delete("a"), False)
            store.keys().clear()
            self.assertEqual(store.keys(), ["b"])

    def test_odd_keys_and_values(self):
        entries = {"": b"", "\n": b"\r\n", " a ": bytes(range(256)), "\u00e9": b"1", "e\u0301": b"2", "\U0001f409": b"x" * 2_000_000}
        with Store(self.path) as store:
            for key, value in entries.items():
                store.put(key, value)
        self.assertEqual(self.reopened(), sorted(entries.items()))


class TestTears(StoreCase):
    def test_every_cut(self):
        states = self.written()
        data = self.path.read_bytes()
        for cut in range(len(data) + 1):
            with self.subTest(cut=cut):
                self.path.write_bytes(data[:cut])
                expected = [items for size, items in [(0, [])] + states if size <= cut][-1]
                with Store(self.path) as store:
                    self.assertEqual(store.items(), expected)
                    store.put("new", b"page")
                self.assertEqual(self.reopened(), sorted(expected + [("new", b"page")]))

    def test_every_changed_byte_of_the_last_record(self):
        states = self.written()
        data = self.path.read_bytes()
        before, expected = states[-2]
        for place in range(before, len(data)):
            with self.subTest(place=place):
                damaged = bytearray(data)
                damaged[place] ^= 0x41
                self.path.write_bytes(damaged)
                self.assertEqual(self.reopened(), expected)

    def test_what_follows_a_damaged_record_is_not_believed(self):
        states = self.written()
        damaged = bytearray(self.path.read_bytes())
        damaged[states[1][0] - 1] ^= 1
        self.path.write_bytes(damaged)
        self.assertEqual(self.reopened(), states[0][1])

    def test_rubbish_at_the_end(self):
        size, items = self.written()[-1]
        data = self.path.read_bytes()
        for rubbish in (b"x", b"rubbish" * 100, b"\xff" * 4096):
            with self.subTest(rubbish=rubbish[:8]):
                self.path.write_bytes(data + rubbish)
                with Store(self.path) as store:
                    self.assertEqual(store.items(), items)
                    store.put("z", b"z")
                self.assertEqual(self.reopened(), items + [("z", b"z")])

    def test_appends_only_and_at_once(self):
        with Store(self.path) as store:
            before = self.path.read_bytes()
            self.assertTrue(4 <= len(before) <= 64)
            for call in (lambda: store.put("a", b"1"), lambda: store.put("a", b"1"), lambda: store.delete("a")):
                call()
                after = self.path.read_bytes()
                self.assertTrue(after.startswith(before) and len(after) > len(before))
                before = after
            store.delete("a")
        self.assertEqual(self.path.read_bytes(), before)


class TestCompact(StoreCase):
    def test_is_as_small_as_new_and_goes_on(self):
        with Store(self.folder / "new") as new:
            new.put("a", b"3")
        with Store(self.path) as store:
            for value in (b"1", b"2", b"3"):
                store.put("a", value)
            store.put("b", b"1")
            store.delete("b")
            self.assertIsNone(store.compact())
            self.assertEqual(self.path.stat().st_size, (self.folder / "new").stat().st_size)
            store.put("c", b"4")
        self.assertEqual(self.reopened(), [("a", b"3"), ("c", b"4")])

    def test_a_failed_swap(self):
        with Store(self.path) as store:
            store.put("a", b"1")
            store.put("a", b"2")
            before = self.path.read_bytes()
            with mock.patch("os.replace", side_effect=PermissionError("no")):
                with self.assertRaises(PermissionError):
                    store.compact()
            self.assertEqual(self.path.read_bytes(), before)
            self.assertEqual(os.listdir(self.folder), ["book"])
            store.put("b", b"3")
        self.assertEqual(self.reopened(), [("a", b"2"), ("b", b"3")])


class TestRefusals(StoreCase):
    def test_keys_and_values(self):
        with Store(self.path) as store:
            before = self.path.read_bytes()
            for key in (None, 1, b"a"):
                for call in (lambda: store.put(key, b""), lambda: store.get(key), lambda: store.delete(key), lambda: key in store):
                    self.assertRaises(TypeError, call)
            for value in (None, "a", bytearray(b"a"), 1):
                self.assertRaises(TypeError, store.put, "a", value)
            self.assertRaises(ValueError, store.put, "\ud800", b"")
            self.assertEqual(store.keys(), [])
            self.assertEqual(self.path.read_bytes(), before)

    def test_somebody_elses_file(self):
        self.path.write_bytes(b"Dear diary")
        self.assertRaises(ValueError, Store, self.path)
        self.assertEqual(self.path.read_bytes(), b"Dear diary")

    def test_bad_paths(self):
        self.assertRaises(OSError, Store, self.folder)
        self.assertRaises(OSError, Store, self.folder / "no" / "book")

    def test_closed(self):
        store = Store(self.path)
        store.close()
        store.close()
        for call in (lambda: store.put("a", b""), lambda: store.get("a"), lambda: store.delete("a"), lambda: "a" in store,
                     lambda: len(store), store.keys, store.items, store.compact):
            self.assertRaises(ValueError, call)


if __name__ == "__main__":
    unittest.main()
