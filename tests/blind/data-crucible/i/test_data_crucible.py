import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().with_name("data_crucible.py")


class CrucibleTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.output = self.folder / "out.json"
        self.configure({"group_by": ["forge", "metal"], "value_field": "kg"})

    def configure(self, config):
        text = config if isinstance(config, str) else json.dumps(config)
        (self.folder / "config.json").write_text(text, encoding="utf-8")

    def run_program(self, table):
        if table is not None:
            (self.folder / "in.csv").write_text(table, encoding="utf-8", newline="")
        options = ["--input", "in.csv", "--config", "config.json", "--output", "out.json"]
        return subprocess.run([sys.executable, str(PROGRAM), *options], cwd=self.folder, capture_output=True, text=True)

    def melted(self, table):
        done = self.run_program(table)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(self.output.read_text(encoding="utf-8"))

    def assert_refused(self, table, culprit):
        self.output.write_text("as before")
        done = self.run_program(table)
        self.assertEqual(done.returncode, 1)
        self.assertIn(culprit, done.stderr)
        self.assertNotEqual(done.stderr.strip(), "")
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.output.read_text(), "as before")


class OutputTest(CrucibleTestCase):
    def test_two_columns(self):
        table = 'note,forge,metal,kg\n,west,tin,4\n"a, b",east,tin,-1.5\n,west,tin,5\n,east,copper,+2\n'
        self.assertEqual(
            self.melted(table),
            [
                {"forge": "east", "metal": "copper", "sum": 2, "count": 1, "avg": 2},
                {"forge": "east", "metal": "tin", "sum": -1.5, "count": 1, "avg": -1.5},
                {"forge": "west", "metal": "tin", "sum": 9, "count": 2, "avg": 4.5},
            ],
        )

    def test_one_column_sorted_as_text(self):
        self.configure({"group_by": ["k"], "value_field": "v"})
        rows = self.melted("v,k\n1,a\n1,9\n1,10\n1,Z\n1,007\n1,\n1,ä\n")
        self.assertEqual([row["k"] for row in rows], ["", "007", "10", "9", "Z", "a", "ä"])

    def test_quotes(self):
        self.configure({"group_by": ["k"], "value_field": "v"})
        rows = self.melted('k,v\r\n"x,y",1\r\n"x""y",1\r\n"x\ny",1\r\n')
        self.assertEqual([row["k"] for row in rows], ["x\ny", 'x"y', "x,y"])

    def test_no_rounding(self):
        self.configure({"group_by": ["k"], "value_field": "v"})
        (row,) = self.melted("k,v\nx,1\nx, 1 \nx,0\n")
        self.assertAlmostEqual(row["avg"], 0.666666666666, places=10)


class RefusalTest(CrucibleTestCase):
    TABLE = "forge,metal,kg,note\neast,tin,1,\n"

    def test_values(self):
        for value in ("", " ", "heavy", "nan", "inf", "1.2.3"):
            with self.subTest(value):
                self.assert_refused(f"{self.TABLE}east,tin,{value},\n", value)

    def test_rows(self):
        for table in ("", "forge,metal,kg\n", f"{self.TABLE}east,tin,1\n", f"{self.TABLE}east\n"):
            with self.subTest(table):
                self.assert_refused(table, "")

    def test_columns(self):
        self.assert_refused("forge,metal\neast,tin\n", "kg")
        self.assert_refused("forge,kg\neast,1\n", "metal")

    def test_absent_files(self):
        self.assert_refused(None, "in.csv")
        (self.folder / "config.json").unlink()
        self.assert_refused(self.TABLE, "config.json")

    def test_configs(self):
        for config, culprit in (
            ("{", "config.json"),
            ("[]", ""),
            ({"group_by": ["forge"]}, "value_field"),
            ({"value_field": "kg"}, "group_by"),
            ({"group_by": "forge", "value_field": "kg"}, "group_by"),
            ({"group_by": [], "value_field": "kg"}, "group_by"),
            ({"group_by": ["forge", 1], "value_field": "kg"}, "group_by"),
            ({"group_by": ["forge"], "value_field": 1}, "value_field"),
        ):
            with self.subTest(config):
                self.configure(config)
                self.assert_refused(self.TABLE, culprit)


if __name__ == "__main__":
    unittest.main()
