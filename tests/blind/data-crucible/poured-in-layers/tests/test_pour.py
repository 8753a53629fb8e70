import json
import tempfile
import unittest
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

from data_crucible.__main__ import main

SLIP = '{"group_by": ["hall", "metal"], "value_field": "kg"}'


class Pour(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = Path(folder.name)
        self.said = StringIO()

    def pour(self, table, slip=SLIP):
        (self.at / "t.csv").write_text(table, encoding="utf-8", newline="")
        (self.at / "c.json").write_text(slip, encoding="utf-8")
        paths = [str(self.at / name) for name in ("t.csv", "c.json", "o.json")]
        with redirect_stderr(self.said):
            return main(["--input", paths[0], "--config", paths[1], "--output", paths[2]])

    def cast(self):
        return json.loads((self.at / "o.json").read_text(encoding="utf-8"))

    def test_scattered_rows_meet(self):
        self.assertEqual(self.pour("kg,hall,metal\n1,b,tin\n2,a,tin\n0.5,b,tin\n-4,a,tin\n2,a,lead\n"), 0)
        self.assertEqual(
            self.cast(),
            [
                {"hall": "a", "metal": "lead", "sum": 2.0, "count": 1, "avg": 2.0},
                {"hall": "a", "metal": "tin", "sum": -2.0, "count": 2, "avg": -1.0},
                {"hall": "b", "metal": "tin", "sum": 1.5, "count": 2, "avg": 0.75},
            ],
        )

    def test_text_stays_text_and_sorts_as_text(self):
        self.pour('hall,kg\r\n9, 1 \r\n10,+2\r\n"x, ""y""",3\r\n,4\r\n007,5\r\n', '{"group_by":["hall"],"value_field":"kg"}')
        self.assertEqual([bar["hall"] for bar in self.cast()], ["", "007", "10", "9", 'x, "y"'])

    def test_tenths_add_up(self):
        self.pour("hall,kg\na,0.1\na,0.2\n", '{"group_by":["hall"],"value_field":"kg"}')
        self.assertEqual(self.cast()[0]["sum"], 0.3)

    def refused(self, word, table="hall,metal,kg\na,tin,1\n", slip=SLIP):
        (self.at / "o.json").write_text("yesterday")
        self.assertEqual(self.pour(table, slip), 1)
        self.assertIn(word, self.said.getvalue())
        self.assertEqual((self.at / "o.json").read_text(), "yesterday")

    def test_bad_values(self):
        for value in ("much", "nan", "inf", "1e3", "1,5x"):
            with self.subTest(value=value):
                self.refused(value, f'hall,metal,kg\na,tin,1\na,tin,"{value}"\n')

    def test_bad_slips(self):
        for slip, word in [("{", "c.json"), ("[]", "object"), ("{}", "group_by"), ('{"group_by":["a"]}', "value_field"),
                           ('{"group_by":"hall","value_field":"kg"}', "group_by"), ('{"group_by":["hall"],"value_field":3}', "value_field"),
                           ('{"group_by":["spoon"],"value_field":"kg"}', "spoon"), ('{"group_by":[],"value_field":"kg"}', "group_by")]:
            with self.subTest(slip=slip):
                self.refused(word, slip=slip)

    def test_bad_tables(self):
        for table, word in [("", "empty"), ("hall,metal,kg\n", "no rows"), ("hall,metal,kg\na,tin\n", "line 2")]:
            with self.subTest(table=table):
                self.refused(word, table)

    def test_no_table(self):
        with redirect_stderr(self.said):
            (self.at / "c.json").write_text(SLIP)
            status = main(["--input", "gone.csv", "--config", str(self.at / "c.json"), "--output", str(self.at / "o.json")])
        self.assertEqual((status, (self.at / "o.json").exists()), (1, False))
        self.assertIn("gone.csv", self.said.getvalue())


if __name__ == "__main__":
    unittest.main()
