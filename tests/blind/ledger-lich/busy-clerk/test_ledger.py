import unittest
from decimal import Decimal

from ledger import Ledger, OverdraftError, UnbalancedError


class LedgerTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.ledger.open("cash", Decimal("0"))
        self.ledger.open("income")

    def test_post(self):
        ok = self.ledger.post("1", [("cash", Decimal("10.50")), ("income", Decimal("-10.50"))])
        self.assertTrue(ok)
        self.assertEqual(self.ledger.balance("cash"), Decimal("10.50"))
        self.assertEqual(self.ledger.balance("income"), Decimal("-10.50"))

    def test_twice(self):
        for _ in range(2):
            self.ledger.post("1", [("cash", Decimal("10.50")), ("income", Decimal("-10.50"))])
        self.assertEqual(self.ledger.balance("cash"), Decimal("10.50"))

    def test_unbalanced(self):
        with self.assertRaises(UnbalancedError):
            self.ledger.post("1", [("cash", Decimal("10")), ("income", Decimal("-9"))])

    def test_overdraft(self):
        with self.assertRaises(OverdraftError):
            self.ledger.post("1", [("cash", Decimal("-10")), ("income", Decimal("10"))])

    def test_reverse(self):
        self.ledger.post("1", [("cash", Decimal("10")), ("income", Decimal("-10"))])
        self.ledger.reverse("1", "2")
        self.assertEqual(self.ledger.balance("cash"), 0)


if __name__ == "__main__":
    unittest.main()
