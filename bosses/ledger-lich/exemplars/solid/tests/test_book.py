import sys
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from ledger import InvalidAmountError, Ledger, UnbalancedError, UnknownAccountError


class BookTest(unittest.TestCase):
    def setUp(self):
        self.book = Ledger()
        self.book.open("till")
        self.book.open("sales")
        self.book.post("one", [("till", Decimal("2.50")), ("sales", Decimal("-2.50"))])

    def test_balances(self):
        self.assertEqual(self.book.balances(), {"till": Decimal("2.5"), "sales": Decimal("-2.5")})

    def test_statement(self):
        self.assertEqual(self.book.statement("till"), [("one", "", Decimal("2.5"), Decimal("2.5"))])

    def test_twice_is_once(self):
        again = self.book.post("one", [("till", Decimal("2.50")), ("sales", Decimal("-2.50"))])
        self.assertFalse(again)
        self.assertEqual(self.book.balance("till"), Decimal("2.5"))

    def test_unbalanced(self):
        with self.assertRaises(UnbalancedError):
            self.book.post("two", [("till", Decimal(1)), ("sales", Decimal(-2))])

    def test_floats(self):
        with self.assertRaises(InvalidAmountError):
            self.book.post("two", [("till", 1.0), ("sales", -1.0)])

    def test_unknown_account(self):
        with self.assertRaises(UnknownAccountError):
            self.book.post("two", [("till", Decimal(1)), ("attic", Decimal(-1))])


if __name__ == "__main__":
    unittest.main()
