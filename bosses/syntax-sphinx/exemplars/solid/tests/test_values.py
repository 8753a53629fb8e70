import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import sphinx


class Values(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(sphinx.evaluate("1 + 2 * 3"), 7)
        self.assertEqual(sphinx.evaluate("10 - 4 - 3"), 3)
        self.assertEqual(sphinx.evaluate("-2 ^ 2"), -4)

    def test_names(self):
        self.assertEqual(sphinx.evaluate("x + f(x)", {"x": 2}, {"f": abs}), 4)

    def test_end(self):
        with self.assertRaises(sphinx.ParseError):
            sphinx.parse("2 +")
