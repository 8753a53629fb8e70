import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from crucible.melt import melt
from crucible.table import to_number


class MeltTest(unittest.TestCase):
    def test_one_column(self):
        rows = [{"city": "Oslo", "kg": 2.0}, {"city": "Oslo", "kg": 4.0}, {"city": "Bergen", "kg": 1.0}]
        result = melt(rows, {"group_by": ["city"], "value_field": "kg"})
        self.assertEqual(result[0], {"city": "Bergen", "sum": 1.0, "count": 1, "avg": 1.0})
        self.assertEqual(result[1], {"city": "Oslo", "sum": 6.0, "count": 2, "avg": 3.0})

    def test_two_columns(self):
        rows = [{"city": "Oslo", "year": "2020", "kg": 2.0}, {"city": "Oslo", "year": "2021", "kg": 4.0}]
        result = melt(rows, {"group_by": ["city", "year"], "value_field": "kg"})
        self.assertEqual(len(result), 2)

    def test_number(self):
        self.assertEqual(to_number("2.5"), 2.5)


if __name__ == "__main__":
    unittest.main()
