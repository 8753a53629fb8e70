import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from titan import BatchError, ConflictError, CycleError, JournalError, StaleError, Titan
from titan.__main__ import main


def states(book, now):
    return {job["id"]: (job["state"], job["attempts"], job["due"]) for job in book.status(now)["jobs"]}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = str(self.folder / "journal")
        self.book = Titan(self.path)


class LifeTest(Case):
    def test_order(self):
        self.assertEqual(self.book.add([{"id": "b", "after": ["a"]}, {"id": "a"}, {"id": "c"}]), 3)
        self.assertEqual(self.book.take(0), ("a", 1))
        self.assertEqual(self.book.take(0), ("c", 1))
        self.assertIsNone(self.book.take(0))
        self.assertTrue(self.book.done("a", 1, 1))
        self.assertFalse(self.book.done("a", 1, 1))
        self.assertEqual(self.book.take(1), ("b", 1))

    def test_rests_and_leases(self):
        self.book.add([{"id": "a", "attempts": 3, "backoff": 10}, {"id": "b", "after": ["a"]}])
        self.book.take(0, 5)
        self.assertEqual(states(self.book, 4)["a"], ("running", 1, 5))
        self.assertEqual(states(self.book, 5)["a"], ("resting", 1, 15))
        self.assertEqual(states(self.book, 14)["a"], ("resting", 1, 15))
        self.assertEqual(states(self.book, 15)["a"], ("ready", 1, None))
        self.book.take(20)
        self.assertTrue(self.book.fail("a", 2, 21))
        self.assertFalse(self.book.fail("a", 2, 22))
        self.assertEqual(states(self.book, 40)["a"], ("resting", 2, 41))
        self.book.take(41)
        self.book.fail("a", 3, 42)
        self.assertEqual(states(self.book, 42), {"a": ("failed", 3, None), "b": ("blocked", 0, None)})

    def test_stale(self):
        self.book.add([{"id": "a"}])
        for call in (self.book.done, self.book.fail):
            with self.assertRaises(StaleError):
                call("a", 1, 0)
            with self.assertRaises(StaleError):
                call("x", 1, 0)
        self.book.take(0, 5)
        with self.assertRaises(StaleError):
            self.book.done("a", 1, 5)


class BatchTest(Case):
    def test_senseless_batches(self):
        self.book.add([{"id": "a"}])
        before = Path(self.path).read_bytes()
        for batch in (
            [], {}, [1], [{}], [{"id": ""}], [{"id": 1}], [{"id": "x", "y": 1}], [{"id": "a"}],
            [{"id": "x"}, {"id": "x"}], [{"id": "x", "after": "a"}], [{"id": "x", "after": ["q"]}],
            [{"id": "x", "attempts": 0}], [{"id": "x", "attempts": True}], [{"id": "x", "backoff": -1}],
        ):
            with self.assertRaises(BatchError, msg=batch):
                self.book.add(batch)
        self.assertEqual(Path(self.path).read_bytes(), before)

    def test_circle(self):
        with self.assertRaises(CycleError) as caught:
            self.book.add([{"id": "t", "after": ["p"]}, {"id": "p", "after": ["q"]}, {"id": "q", "after": ["p"]}])
        self.assertIn(caught.exception.path, (["p", "q", "p"], ["q", "p", "q"]))

    def test_long_chain(self):
        chain = [{"id": str(n), "after": [str(n + 1)]} for n in range(4000)] + [{"id": "4000"}]
        self.assertEqual(self.book.add(chain), 4001)

    def test_keys(self):
        batch = [{"id": "a"}, {"id": "b", "after": ["a"]}]
        self.assertEqual(self.book.add(batch, "k"), 2)
        again = [{"id": "a", "attempts": 3}, {"id": "b", "after": ["a", "a"], "backoff": 60}]
        self.assertEqual(Titan(self.path).add(again, "k"), 0)
        with self.assertRaises(ConflictError):
            self.book.add([{"id": "c"}], "k")


class JournalTest(Case):
    def live(self):
        self.book.add([{"id": "a", "backoff": 1}, {"id": "b"}], "k")
        for step in (lambda: self.book.take(0), lambda: self.book.fail("a", 1, 1), lambda: self.book.take(1),
                     lambda: self.book.done("b", 1, 2)):
            step()
        return Path(self.path).read_bytes()

    def test_every_cut(self):
        data = self.live()
        for length in range(len(data)):
            Path(self.path).write_bytes(data[:length])
            book = Titan(self.path)
            whole = data[: data.rfind(b"\n", 0, length) + 1]
            self.assertEqual(len(book.status(9)["jobs"]), 2 if whole else 0)
            book.add([{"id": "new"}])
            self.assertTrue(Path(self.path).read_bytes().startswith(whole))
            self.assertIn("new", states(Titan(self.path), 9))

    def test_damage(self):
        data = self.live()
        for place in range(data.rfind(b"\n", 0, -1)):
            if data[place:place + 1] == b"\n":
                continue
            Path(self.path).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
            with self.assertRaises(JournalError) as caught:
                Titan(self.path)
            self.assertEqual(caught.exception.line, data[:place].count(b"\n") + 1)


class CommandTest(Case):
    def run_titan(self, *argv):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main([str(arg) for arg in argv])
            except SystemExit as stop:
                code = stop.code
        return code, json.loads(out.getvalue()) if out.getvalue() else None, err.getvalue()

    def test_commands(self):
        batch = self.folder / "batch.json"
        batch.write_text('[{"id": "a"}]')
        self.assertEqual(self.run_titan("add", self.path, batch)[:2], (0, {"added": 1}))
        self.assertEqual(self.run_titan("take", "--now", 0, self.path)[:2], (0, {"job": "a", "attempt": 1}))
        self.assertEqual(self.run_titan("take", self.path, "--now", 0)[:2], (3, {"job": None}))
        self.assertEqual(self.run_titan("done", self.path, "a", 1, "--now", 1)[:2], (0, {"counted": True}))
        self.assertEqual(self.run_titan("fail", self.path, "a", 1, "--now", 1)[0], 5)
        self.assertEqual(self.run_titan("add", self.path, batch)[0], 4)
        for argv in (("take", self.path, "--now", "x"), ("take", self.path, "--now", "-1"), ("burn", self.path)):
            code, out, err = self.run_titan(*argv)
            self.assertEqual((code, out), (2, None))
        journal = Path(self.path)
        journal.write_bytes(b"x" + journal.read_bytes())
        code, out, err = self.run_titan("status", self.path, "--now", 1)
        self.assertEqual((code, out), (6, None))
        self.assertIn("line 1", err)
        journal.unlink()
        code, out, err = self.run_titan("add", self.path, self.folder / "none.json")
        self.assertEqual((code, out), (1, None))
        self.assertIn("none.json", err)

    def test_report(self):
        target = self.folder / "report.json"
        self.assertEqual(self.run_titan("status", self.path, "--now", 3, "--report", target)[:2], (0, None))
        self.assertEqual(json.loads(target.read_text())["now"], 3)
        with mock.patch("os.replace", side_effect=PermissionError(1, "no", str(target))):
            self.assertEqual(self.run_titan("status", self.path, "--now", 4, "--report", target)[0], 1)
        self.assertEqual(json.loads(target.read_text())["now"], 3)
        self.assertEqual(os.listdir(self.folder), ["report.json"])


if __name__ == "__main__":
    unittest.main()
