import contextlib
import io
import json
import os
import tempfile
import unittest

from log_leviathan import main, summarise

TIME = "2031-04-02T05:00:00.125Z"


def summary(*lines, top=5):
    return summarise([line.encode() + b"\n" for line in lines], top)


class CountingTest(unittest.TestCase):
    def test_plain_log(self):
        told = summary(
            f"{TIME} INFO gate opened by hand",
            "2031-04-02T04:00:00.000Z ERROR gate jammed",
            "",
            "   ",
            f"{TIME} CRITICAL pump.3 bürst",
            f"{TIME} DEBUG pump.3 dry",
        )
        self.assertEqual(told["lines"], 4)
        self.assertEqual(told["malformed"], 0)
        self.assertEqual(told["first"], "2031-04-02T04:00:00.000Z")
        self.assertEqual(told["last"], TIME)
        self.assertEqual(told["levels"], {"DEBUG": 1, "INFO": 1, "WARNING": 0, "ERROR": 1, "CRITICAL": 1})
        self.assertEqual(told["components"], {"gate": {"lines": 2, "errors": 1}, "pump.3": {"lines": 2, "errors": 1}})
        self.assertEqual(told["error_rate"], 0.5)

    def test_empty_log(self):
        told = summary()
        for key in ("first", "last", "error_rate"):
            self.assertIsNone(told[key])

    def test_crlf_and_missing_end(self):
        told = summarise([f"{TIME} INFO g GET / 200 1ms\r\n".encode(), f"{TIME} INFO g GET / 200 2ms".encode()], 5)
        self.assertEqual(told["requests"], 2)


class MalformedTest(unittest.TestCase):
    def test_malformed(self):
        for line in (
            "rubbish",
            "2031-02-30T05:00:00.125Z INFO g m",
            "2031-04-02T05:60:00.125Z INFO g m",
            "2031-04-02T05:00:60.125Z INFO g m",
            "2031-04-02T05:00:00Z INFO g m",
            f"{TIME} Info g m",
            f"{TIME} INFO g/h m",
            f"{TIME} INFO g",
            f"{TIME} INFO g  m",
        ):
            with self.subTest(line):
                told = summary(line)
                self.assertEqual((told["lines"], told["malformed"], told["components"]), (1, 1, {}))

    def test_not_utf8(self):
        told = summarise([f"{TIME} INFO g ".encode() + b"\xc3\x28\n"], 5)
        self.assertEqual((told["lines"], told["malformed"]), (1, 1))


class RequestTest(unittest.TestCase):
    def slowest(self, *durations, top):
        told = summary(*(f"{TIME} INFO g GET /{i} 200 {ms}ms" for i, ms in enumerate(durations)), top=top)
        return [int(slow["request"].split("/")[1]) for slow in told["slowest"]]

    def test_order(self):
        self.assertEqual(self.slowest(9, 100, 20, top=5), [1, 2, 0])

    def test_equal(self):
        self.assertEqual(self.slowest(5, 7, 5, 7, 5, top=3), [1, 3, 0])

    def test_none_wanted(self):
        self.assertEqual(self.slowest(5, 7, top=0), [])

    def test_near_misses(self):
        for message in ("get / 200 1ms", "GET a 200 1ms", "GET / 20 1ms", "GET / 200 1s", "GET / 200 ms", "a GET / 200 1ms"):
            with self.subTest(message):
                told = summary(f"{TIME} INFO g {message}")
                self.assertEqual((told["malformed"], told["requests"]), (0, 0))


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "a.log")
        self.out = os.path.join(folder.name, "out.json")
        self.absent = os.path.join(folder.name, "absent", "b.log")
        with open(self.log, "w") as file:
            file.write(f"{TIME} INFO g m\n")
        with open(self.out, "w") as file:
            file.write("old")

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = main(list(arguments))
            except SystemExit as stop:
                status = stop.code
        return status, out.getvalue(), err.getvalue()

    def content(self):
        with open(self.out) as file:
            return file.read()

    def test_output(self):
        self.assertEqual(self.run_main(self.log, "--output", self.out, self.log), (0, "", ""))
        self.assertEqual(json.loads(self.content())["lines"], 2)

    def test_absent_log(self):
        status, out, err = self.run_main(self.log, self.absent, "--output", self.out)
        self.assertEqual((status, out, self.content()), (1, "", "old"))
        self.assertIn(self.absent, err)

    def test_absent_folder(self):
        status, out, err = self.run_main(self.log, "--output", self.absent)
        self.assertEqual((status, out), (1, ""))
        self.assertIn(self.absent, err)

    def test_bad_top(self):
        for top in ("-1", "1.5", "x"):
            with self.subTest(top):
                status, out, err = self.run_main(self.log, "--top", top, "--output", self.out)
                self.assertEqual((status, out, self.content()), (2, "", "old"))
                self.assertIn("--top", err)


if __name__ == "__main__":
    unittest.main()
