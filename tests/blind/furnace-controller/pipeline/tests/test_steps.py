import json
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import furnace_controller as fc


class JudgeTest(unittest.TestCase):
    CASES = [
        ([17.75], "HEAT"),
        ([18], "STABLE"),
        ([18.25], "STABLE"),
        ([21.75], "STABLE"),
        ([22], "STABLE"),
        ([22.25], "COOL"),
        ([10, 20, 30], "STABLE"),
        ([20, 20, 30], "COOL"),
    ]

    def test_around_both_edges(self):
        for readings, word in self.CASES:
            with self.subTest(readings=readings):
                self.assertEqual(fc.judge(readings, 20, 2).word, word)

    def test_no_tolerance(self):
        self.assertEqual(fc.judge([0], 0, 0), fc.STABLE)
        self.assertEqual(fc.judge([-0.25], 0, 0), fc.HEAT)


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "r.json"

    def run_it(self, *more):
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = fc.main(["--input", str(self.path), "--target-temp", "20", *more])
        return status, out.getvalue().strip(), err.getvalue()

    def test_statuses(self):
        for reading, status, word in [(18.5, 10, "HEAT"), (19, 0, "STABLE"), (21.5, 11, "COOL")]:
            self.path.write_text(json.dumps({"readings": [reading], "unit": "C"}))
            self.assertEqual(self.run_it()[:2], (status, word))

    def test_tolerance_zero_is_zero(self):
        self.path.write_text('{"readings": [20.5]}')
        self.assertEqual(self.run_it("--tolerance", "0")[0], 11)

    def test_bad_files(self):
        bad = ["", "{", "[1]", "3", "{}", '{"readings": []}', '{"readings": "20"}', '{"readings": [20, "20"]}',
               '{"readings": [true]}', '{"readings": [null]}', '{"readings": [NaN]}', '{"readings": [[20]]}']
        for text in bad:
            with self.subTest(text=text):
                self.path.write_text(text)
                status, out, err = self.run_it()
                self.assertEqual((status, out), (1, ""))
                self.assertIn("r.json", err)

    def test_no_file_at_all(self):
        self.assertEqual(self.run_it()[0], 1)
        self.path.mkdir()
        self.assertEqual(self.run_it()[0], 1)


if __name__ == "__main__":
    unittest.main()
