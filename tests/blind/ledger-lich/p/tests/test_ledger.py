import decimal
import sys
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ledger
from ledger import Ledger


class LedgerTestCase(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.ledger.open("cash", Decimal("-10"))
        self.ledger.open("sales")
        self.ledger.open("tax")

    def snapshot(self):
        book = self.ledger
        return book.balances(), book.history(), [book.statement(account) for account in book.balances()]

    def assertRefused(self, error, function, *args):
        before = self.snapshot()
        self.assertRaises(error, function, *args)
        self.assertEqual(self.snapshot(), before)

    def sell(self, transaction_id="s1", amount="12.00", memo="sale"):
        total = Decimal(amount)
        return self.ledger.post(transaction_id, [("cash", total), ("sales", -total + 2), ("tax", Decimal(-2))], memo)


class PostTest(LedgerTestCase):
    def test_books(self):
        self.assertIs(self.sell(), True)
        self.assertEqual(
            list(self.ledger.balances().items()),
            [("cash", Decimal(12)), ("sales", Decimal(-10)), ("tax", Decimal(-2))],
        )
        self.assertEqual(self.ledger.statement("tax"), [("s1", "sale", Decimal(-2), Decimal(-2))])

    def test_same_account_twice(self):
        self.ledger.post("t", [("cash", Decimal(-20)), ("cash", Decimal(15)), ("tax", Decimal(5))])
        self.assertEqual([line[3] for line in self.ledger.statement("cash")], [Decimal(-20), Decimal(-5)])

    def test_invalid_amounts(self):
        for amount in (1, 1.0, "1", True, None, Decimal(0), Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity")):
            with self.subTest(amount=amount):
                self.assertRefused(
                    ledger.InvalidAmountError, self.ledger.post, "t", [("cash", amount), ("tax", Decimal(-1))]
                )

    def test_unbalanced(self):
        for postings in ([], [("cash", Decimal(1))], [("cash", Decimal(1)), ("tax", Decimal("-1.000000000001"))]):
            with self.subTest(postings=postings):
                self.assertRefused(ledger.UnbalancedError, self.ledger.post, "t", postings)

    def test_unknown_account(self):
        postings = [("cash", Decimal(1)), ("nobody", Decimal(-1))]
        self.assertRefused(ledger.UnknownAccountError, self.ledger.post, "t", postings)
        self.assertRefused(ledger.UnknownAccountError, self.ledger.balance, "nobody")
        self.assertRefused(ledger.UnknownAccountError, self.ledger.statement, "nobody")

    def test_overdraft(self):
        self.assertRefused(
            ledger.OverdraftError, self.ledger.post, "t", [("cash", Decimal("-10.01")), ("tax", Decimal("10.01"))]
        )
        self.assertTrue(self.ledger.post("t", [("cash", Decimal(-10)), ("tax", Decimal(10))]))

    def test_duplicate_account(self):
        self.assertRefused(ledger.DuplicateAccountError, self.ledger.open, "cash")

    def test_outsiders_change_nothing(self):
        postings = [["cash", Decimal(1)], ["tax", Decimal(-1)]]
        self.ledger.post("t", postings)
        before = self.snapshot()
        postings[0][1] = Decimal(9)
        self.ledger.history().clear()
        self.ledger.statement("cash").clear()
        self.ledger.balances().clear()
        self.assertEqual(self.snapshot(), before)


class RepeatTest(LedgerTestCase):
    def test_repeat(self):
        self.sell()
        before = self.snapshot()
        self.assertIs(self.sell(amount="12.0"), False)
        postings = reversed(self.ledger.history()[0][2])
        self.assertIs(self.ledger.post("s1", postings, "sale"), False)
        self.assertEqual(self.snapshot(), before)

    def test_repeat_beyond_the_minimum(self):
        postings = [("cash", Decimal(-10)), ("tax", Decimal(10))]
        self.ledger.post("t", postings)
        self.assertIs(self.ledger.post("t", postings), False)

    def test_conflict(self):
        self.sell()
        self.assertRefused(ledger.ConflictError, self.sell, "s1", "13")
        self.assertRefused(ledger.ConflictError, self.sell, "s1", "12", "other")


class ReverseTest(LedgerTestCase):
    def test_reverse(self):
        self.sell()
        self.assertIs(self.ledger.reverse("s1", "r1", "wrong"), True)
        self.assertEqual(set(self.ledger.balances().values()), {Decimal(0)})
        self.assertEqual(self.ledger.history()[1][:2], ("r1", "wrong"))
        self.assertIs(self.ledger.reverse("s1", "r1", "wrong"), False)
        self.assertIs(self.ledger.reverse("r1", "r2"), True)

    def test_refusals(self):
        self.sell()
        self.assertRefused(ledger.UnknownTransactionError, self.ledger.reverse, "s2", "r")
        self.ledger.reverse("s1", "r1")
        self.assertRefused(ledger.ConflictError, self.ledger.reverse, "s1", "r2")
        self.assertRefused(ledger.ConflictError, self.ledger.reverse, "s1", "r1", "memo")


class PrecisionTest(LedgerTestCase):
    LARGE = Decimal("123456789012345678901234.123456789012")

    def test_large_amounts(self):
        for number in ("a", "b"):
            self.ledger.post(number, [("cash", self.LARGE), ("sales", self.LARGE.copy_negate())])
        self.assertEqual(self.ledger.balance("cash"), Decimal("246913578024691357802468.246913578024"))

    def test_context_does_not_matter(self):
        with decimal.localcontext() as context:
            context.prec = 3
            context.traps[decimal.Inexact] = True
            self.ledger.post("a", [("cash", self.LARGE), ("sales", self.LARGE.copy_negate())])
        self.assertEqual(self.ledger.balance("cash"), self.LARGE)


if __name__ == "__main__":
    unittest.main()
