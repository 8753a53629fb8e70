import unittest
from decimal import Context, Decimal as D, Inexact, setcontext, getcontext

from ledger import (
    ConflictError, DuplicateAccountError, InvalidAmountError, Ledger, LedgerError, OverdraftError, UnbalancedError,
    UnknownAccountError, UnknownTransactionError,
)


class LedgerTestCase(unittest.TestCase):

    def setUp(self):
        self.ledger = Ledger()
        self.ledger.open("purse", D(0))
        self.ledger.open("world")
        self.earn("wage", "100")

    def earn(self, name, amount, memo=""):
        amount = D(amount)
        return self.ledger.post(name, [("purse", amount), ("world", amount.copy_negate())], memo)

    def state(self):
        return self.ledger.balances(), self.ledger.history(), self.ledger.statement("purse")

    def assertRefused(self, error, function, *args):
        before = self.state()
        self.assertTrue(issubclass(error, LedgerError))
        with self.assertRaises(error):
            function(*args)
        self.assertEqual(self.state(), before)


class PostTest(LedgerTestCase):

    def test_balances(self):
        self.assertEqual(self.ledger.balances(), {"purse": D(100), "world": D(-100)})

    def test_invalid_amounts(self):
        for amount in (1, 1.0, True, "1", None, D(0), D("NaN"), D("Infinity")):
            with self.subTest(amount=amount):
                self.assertRefused(InvalidAmountError, self.ledger.post, "x", [("purse", amount), ("world", D(-1))])

    def test_unbalanced(self):
        for postings in ([], [("purse", D(1))], [("purse", D(1)), ("world", D("-1.1"))]):
            with self.subTest(postings=postings):
                self.assertRefused(UnbalancedError, self.ledger.post, "x", postings)
        self.assertTrue(self.earn("x", 1))

    def test_unknown_account(self):
        self.assertRefused(UnknownAccountError, self.ledger.post, "x", [("purse", D(1)), ("mars", D(-1))])
        self.assertRefused(UnknownAccountError, self.ledger.balance, "mars")
        self.assertRefused(UnknownAccountError, self.ledger.statement, "mars")

    def test_open_twice(self):
        self.assertRefused(DuplicateAccountError, self.ledger.open, "purse")

    def test_overdraft(self):
        self.assertRefused(OverdraftError, self.earn, "x", "-100.01")
        self.assertTrue(self.earn("x", "-100"))

    def test_overdraft_is_judged_at_the_end(self):
        self.ledger.post("x", [("purse", D(-150)), ("purse", D(60)), ("world", D(90))])
        self.assertEqual([line[3] for line in self.ledger.statement("purse")], [100, -50, 10])

    def test_exact(self):
        old = getcontext()
        try:
            setcontext(Context(prec=2, traps=[Inexact]))
            self.earn("big", "999999999999999999999999.999999999999")
            self.earn("small", "0.000000000001")
        finally:
            setcontext(old)
        self.assertEqual(self.ledger.balance("purse"), D("1000000000000000000000100"))


class RepeatTest(LedgerTestCase):

    def test_repeat(self):
        before = self.state()
        self.assertIs(self.ledger.post("wage", [("world", D("-100.0")), ("purse", D("100.0"))]), False)
        self.assertEqual(self.state(), before)

    def test_repeat_that_would_overdraw(self):
        self.earn("spend", "-100")
        self.assertIs(self.earn("spend", "-100"), False)

    def test_conflict(self):
        self.assertRefused(ConflictError, self.earn, "wage", "101")
        self.assertRefused(ConflictError, self.earn, "wage", "100", "memo")


class ReverseTest(LedgerTestCase):

    def test_reverse(self):
        self.assertIs(self.ledger.reverse("wage", "undo", "why"), True)
        self.assertEqual(self.ledger.history()[1], ("undo", "why", (("purse", D(-100)), ("world", D(100)))))
        self.assertIs(self.ledger.reverse("wage", "undo", "why"), False)

    def test_reverse_twice(self):
        self.ledger.reverse("wage", "undo")
        self.assertRefused(ConflictError, self.ledger.reverse, "wage", "undo again")
        self.assertTrue(self.ledger.reverse("undo", "redo"))
        self.assertEqual(self.ledger.balance("purse"), D(100))

    def test_reverse_unknown(self):
        self.assertRefused(UnknownTransactionError, self.ledger.reverse, "nothing", "undo")

    def test_reverse_overdraws(self):
        self.earn("spend", "-1")
        self.assertRefused(OverdraftError, self.ledger.reverse, "wage", "undo")

    def test_post_under_the_id_of_a_reversal(self):
        self.ledger.reverse("wage", "undo")
        self.assertIs(self.earn("undo", "-100"), False)


class HistoryTest(LedgerTestCase):

    def test_copies(self):
        before = self.state()
        self.ledger.balances().clear()
        self.ledger.history().clear()
        self.ledger.statement("purse").clear()
        self.assertEqual(self.state(), before)

    def test_postings_are_frozen(self):
        postings = [["purse", D(1)], ["world", D(-1)]]
        self.ledger.post("x", postings)
        postings[0][1] = D(2)
        self.assertEqual(self.ledger.history()[1][2][0], ("purse", D(1)))


if __name__ == "__main__":
    unittest.main()
