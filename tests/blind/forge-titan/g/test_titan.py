import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import titan


class TitanTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "journal")
        self.book = titan.Titan(self.path)

    def bytes(self):
        with open(self.path, "rb") as file:
            return file.read()

    def state(self, id, now):
        return next((j["state"], j["due"]) for j in self.book.status(now)["jobs"] if j["id"] == id)


class SchedulingTest(TitanTest):
    def test_order(self):
        self.book.add([{"id": "b", "after": ["a"]}, {"id": "a"}, {"id": "c"}])
        self.assertEqual([("a", 1), ("c", 1), None], [self.book.take(1) for _ in range(3)])
        self.assertTrue(self.book.done("a", 1, 2))
        self.assertFalse(self.book.done("a", 1, 3))
        self.assertEqual(("b", 1), self.book.take(3))

    def test_rests(self):
        self.book.add([{"id": "a", "attempts": 5, "backoff": 1500}])
        now = 0
        for attempt, rest in enumerate([1500, 3000, 3600, 3600], 1):
            self.assertEqual(("a", attempt), self.book.take(now))
            self.assertTrue(self.book.fail("a", attempt, now + 1))
            now += 1 + rest
            self.assertIsNone(self.book.take(now - 1))
            self.assertEqual(("resting", now), self.state("a", now - 1))

    def test_leases(self):
        self.book.add([{"id": "a", "attempts": 1}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}])
        self.book.take(10, 5)
        self.assertEqual(("running", 15), self.state("a", 14))
        self.assertEqual(("waiting", None), self.state("c", 14))
        self.assertEqual(("failed", None), self.state("a", 15))
        self.assertEqual(("blocked", None), self.state("c", 15))
        with self.assertRaises(titan.StaleError):
            self.book.done("a", 1, 15)

    def test_rest_from_the_end_of_the_lease(self):
        self.book.add([{"id": "a", "backoff": 10}])
        self.book.take(0, 5)
        self.assertEqual(("resting", 15), self.state("a", 14))
        self.assertEqual(("a", 2), self.book.take(15))

    def test_status(self):
        self.book.add([{"id": "a"}])
        counts = dict.fromkeys(["waiting", "blocked", "running", "resting", "done", "failed"], 0)
        jobs = [{"id": "a", "state": "ready", "attempts": 0, "due": None}]
        self.assertEqual({"now": 3, "counts": {**counts, "ready": 1}, "jobs": jobs}, self.book.status(3))


class BatchTest(TitanTest):
    def test_senseless(self):
        self.book.add([{"id": "old"}])
        before = self.bytes()
        for job in [{}, {"id": ""}, {"id": 3}, {"id": "n", "x": 1}, {"id": "old"}, {"id": "n", "after": ["x"]},
                    {"id": "n", "attempts": True}, {"id": "n", "attempts": 0}, {"id": "n", "backoff": -1}, "n",
                    {"id": "n", "after": "old"}, {"id": "n", "backoff": 1.0}]:
            with self.subTest(job), self.assertRaises(titan.BatchError):
                self.book.add([{"id": "good"}, job])
        for batch in ([], {}, "a", None):
            with self.subTest(batch), self.assertRaises(titan.BatchError):
                self.book.add(batch)
        self.assertEqual(before, self.bytes())
        self.assertEqual(1, self.book.add([{"id": "good"}]))

    def test_circle(self):
        with self.assertRaises(titan.CycleError) as caught:
            self.book.add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}])
        self.assertIn(caught.exception.path, (["a", "b", "a"], ["b", "a", "b"]))

    def test_long_chain(self):
        batch = [{"id": str(i), "after": [str(i + 1)]} for i in range(3000)] + [{"id": "3000"}]
        self.assertEqual(3001, self.book.add(batch))

    def test_keys(self):
        self.book.add([{"id": "a"}, {"id": "b", "after": ["a"]}], "k")
        self.book = titan.Titan(self.path)
        self.assertEqual(0, self.book.add([{"id": "a", "attempts": 3}, {"after": ["a", "a"], "id": "b"}], "k"))
        for batch in ([{"id": "a"}], [{"id": "c"}], [{"id": "a", "backoff": 1}, {"id": "b", "after": ["a"]}]):
            with self.assertRaises(titan.ConflictError):
                self.book.add(batch, "k")


class JournalTest(TitanTest):
    def test_cut(self):
        said = [self.book.status(99)]
        for call in (lambda: self.book.add([{"id": "a", "backoff": 1}]), lambda: self.book.take(1),
                     lambda: self.book.fail("a", 1, 2), lambda: self.book.take(4), lambda: self.book.done("a", 2, 5)):
            call()
            said.append(self.book.status(99))
        data = self.bytes()
        for length in range(len(data)):
            with open(self.path, "wb") as file:
                file.write(data[:length])
            book = titan.Titan(self.path)
            self.assertEqual(said[data[:length].count(b"\n")], book.status(99))
            book.add([{"id": "new"}])
            self.assertEqual(book.status(99), titan.Titan(self.path).status(99))

    def test_damage(self):
        self.book.add([{"id": "a"}])
        self.book.take(1)
        self.book.done("a", 1, 2)
        data = self.bytes().splitlines(keepends=True)
        for index in range(len(data[1]) - 1):
            line = data[1][:index] + bytes([data[1][index] ^ 128]) + data[1][index + 1 :]
            with open(self.path, "wb") as file:
                file.write(data[0] + line + data[2])
            with self.assertRaises(titan.JournalError) as caught:
                titan.Titan(self.path)
            self.assertEqual(2, caught.exception.line)


class CommandTest(TitanTest):
    def run_titan(self, *arguments):
        command = [sys.executable, titan.__file__, *arguments]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.returncode, result.stdout and json.loads(result.stdout)

    def test_commands(self):
        batch = os.path.join(self.folder, "batch")
        with open(batch, "w") as file:
            json.dump([{"id": "a"}], file)
        self.assertEqual((0, {"added": 1}), self.run_titan("add", self.path, batch, "--key", "k"))
        self.assertEqual((0, {"job": "a", "attempt": 1}), self.run_titan("take", "--now", "1", self.path))
        self.assertEqual((3, {"job": None}), self.run_titan("take", "--now", "1", self.path))
        self.assertEqual((0, {"counted": True}), self.run_titan("done", self.path, "a", "1", "--now", "1"))
        self.assertEqual((5, ""), self.run_titan("fail", self.path, "a", "1", "--now", "1"))
        self.assertEqual((2, ""), self.run_titan("take", self.path, "--now", "-1"))
        self.assertEqual((1, ""), self.run_titan("add", self.path, batch + "x"))

    def test_report(self):
        report = os.path.join(self.folder, "report")
        self.book.report(report, 1)
        with mock.patch("os.replace", side_effect=OSError), self.assertRaises(OSError):
            self.book.report(report, 2)
        with open(report) as file:
            self.assertEqual(1, json.load(file)["now"])
        self.assertEqual(["report"], os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main()
