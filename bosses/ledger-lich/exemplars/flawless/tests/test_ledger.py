"""What the book promises."""

import decimal
import random
from decimal import Decimal

import pytest

from ledger import (
    ConflictError,
    DuplicateAccountError,
    InvalidAmountError,
    Ledger,
    LedgerError,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)

SALE = [("till", Decimal("5.00")), ("sales", Decimal("-4.20")), ("tax", Decimal("-0.80"))]


@pytest.fixture
def book():
    ledger = Ledger()
    for account in ("till", "sales", "tax"):
        ledger.open(account)
    ledger.open("purse", Decimal(-10))
    ledger.post("sale", SALE, "bread")
    return ledger


def state(ledger):
    balances = dict(ledger.balances())
    return balances, [list(ledger.statement(account)) for account in balances], list(ledger.history())


def refuses(ledger, error, call, *args):
    before = state(ledger)
    with pytest.raises(error):
        call(*args)
    assert state(ledger) == before


class TestBooking:
    def test_balances_move_and_accounts_stay_in_order(self, book):
        assert list(book.balances().items()) == [
            ("till", Decimal(5)),
            ("sales", Decimal("-4.2")),
            ("tax", Decimal("-0.8")),
            ("purse", Decimal(0)),
        ]
        assert book.balance("sales") == Decimal("-4.20")

    def test_a_statement_has_running_balances(self, book):
        assert book.post("more", [("till", Decimal(-2)), ("till", Decimal(-1)), ("tax", Decimal(3))]) is True
        assert book.statement("till") == [
            ("sale", "bread", Decimal(5), Decimal(5)),
            ("more", "", Decimal(-2), Decimal(3)),
            ("more", "", Decimal(-1), Decimal(2)),
        ]
        assert book.statement("purse") == []

    def test_history_is_as_given(self, book):
        assert book.history() == [("sale", "bread", tuple(SALE))]


class TestRefusals:
    @pytest.mark.parametrize("amount", [0.5, 1, True, "1", Decimal(0), Decimal("NaN"), Decimal("-Infinity")])
    def test_what_is_no_amount(self, book, amount):
        refuses(book, InvalidAmountError, book.post, "x", [("till", Decimal(-1)), ("sales", amount)])

    def test_what_is_no_amount_in_a_repeat(self, book):
        book.post("one", [("till", Decimal(1)), ("sales", Decimal(-1))])
        refuses(book, InvalidAmountError, book.post, "one", [("till", 1.0), ("sales", -1.0)])

    @pytest.mark.parametrize("postings", [[], SALE[:1], SALE[:2], [*SALE, SALE[2]]])
    def test_what_does_not_add_up(self, book, postings):
        refuses(book, UnbalancedError, book.post, "x", postings)

    def test_unknown_and_double_accounts(self, book):
        refuses(book, UnknownAccountError, book.post, "x", [*SALE[:2], ("attic", Decimal("-0.80"))])
        refuses(book, UnknownAccountError, book.balance, "attic")
        refuses(book, UnknownAccountError, book.statement, "attic")
        refuses(book, DuplicateAccountError, book.open, "till")

    def test_an_overdraft_is_judged_at_the_end(self, book):
        out = [("purse", Decimal("-10.01")), ("till", Decimal("10.01"))]
        refuses(book, OverdraftError, book.post, "x", out)
        assert (
            book.post("x", [("purse", Decimal(-90)), ("till", Decimal(10)), ("purse", Decimal(80))]) is True
        )
        assert book.balance("purse") == -10

    def test_a_minimum_of_zero_is_a_minimum(self, book):
        book.open("box", Decimal(0))
        refuses(book, OverdraftError, book.post, "x", [("box", Decimal("-0.01")), ("till", Decimal("0.01"))])

    def test_every_error_is_a_ledger_error(self):
        for error in (
            ConflictError,
            InvalidAmountError,
            UnbalancedError,
            UnknownTransactionError,
            OverdraftError,
        ):
            assert issubclass(error, LedgerError)

    def test_the_id_stays_free(self, book):
        refuses(book, UnbalancedError, book.post, "x", SALE[:2])
        assert book.post("x", SALE) is True


class TestOnce:
    def test_a_repeat_in_any_order_changes_nothing(self, book):
        before = state(book)
        assert book.post("sale", reversed(SALE), "bread") is False
        assert book.post("sale", [(a, amount.normalize()) for a, amount in SALE], "bread") is False
        assert state(book) == before

    def test_another_content_is_a_conflict(self, book):
        refuses(book, ConflictError, book.post, "sale", SALE, "cake")
        refuses(book, ConflictError, book.post, "sale", SALE[1:], "bread")
        doubled = [("till", Decimal(2)), ("till", Decimal(2)), ("sales", Decimal(-2)), ("sales", Decimal(-2))]
        book.post("doubled", doubled)
        refuses(book, ConflictError, book.post, "doubled", doubled[::2])

    def test_a_repeat_is_free(self, book):
        book.post("out", [("purse", Decimal(-8)), ("till", Decimal(8))])
        assert book.post("out", [("purse", Decimal(-8)), ("till", Decimal(8))]) is False

    def test_a_generator_is_read_once(self, book):
        assert book.post("again", (posting for posting in SALE)) is True
        assert book.history()[1][2] == tuple(SALE)


class TestReversal:
    def test_signs_are_turned_and_the_original_stays(self, book):
        assert book.reverse("sale", "back", "stale") is True
        assert set(book.balances().values()) == {Decimal(0)}
        turned = (("till", Decimal(-5)), ("sales", Decimal("4.2")), ("tax", Decimal("0.8")))
        assert book.history()[1] == ("back", "stale", turned)

    def test_once_and_no_more(self, book):
        book.reverse("sale", "back")
        assert book.reverse("sale", "back") is False
        refuses(book, ConflictError, book.reverse, "sale", "back 2")
        refuses(book, ConflictError, book.reverse, "sale", "back", "other")
        assert book.reverse("back", "back 3") is True

    def test_a_reversal_is_a_transaction_like_any_other(self, book):
        book.reverse("sale", "back")
        assert book.history()[1][1] == ""
        assert book.post("back", [(account, -amount) for account, amount in SALE]) is False
        book.post("other", SALE)
        refuses(book, ConflictError, book.reverse, "other", "sale")
        assert book.reverse("other", "other back") is True

    def test_what_was_never_booked(self, book):
        refuses(book, UnknownTransactionError, book.reverse, "nothing", "back")

    def test_a_reversal_may_be_too_much(self, book):
        book.post("in", [("purse", Decimal(20)), ("till", Decimal(-20))])
        book.post("out", [("purse", Decimal(-25)), ("till", Decimal(25))])
        refuses(book, OverdraftError, book.reverse, "in", "other")
        assert book.reverse("out", "out back") is True
        assert book.reverse("in", "back") is True


class TestStone:
    def test_what_was_handed_in_may_change(self, book):
        postings = [["till", Decimal(1)], ["sales", Decimal(-1)]]
        book.post("x", postings)
        postings[0][1] = Decimal(9)
        assert book.history()[1][2][0] == ("till", Decimal(1))

    def test_what_came_out_may_change(self, book):
        before = state(book)
        book.history().clear()
        book.balances().clear()
        book.statement("till").clear()
        assert state(book) == before


class TestExactness:
    def test_beyond_the_default_precision(self, book):
        large, small = Decimal("900000000000000000000000"), Decimal("0.000000000001")
        book.post("large", [("till", large), ("sales", -large)])
        book.post("small", [("till", small), ("sales", -small)])
        assert str(book.balance("till")) == "900000000000000000000005.000000000001"
        refuses(book, UnbalancedError, book.post, "x", [("till", large), ("tax", small), ("sales", -large)])

    def test_sums_have_more_digits_than_amounts(self, book):
        most = Decimal("9" * 24 + "." + "9" * 12)
        pair = [("tax", most), ("sales", most.copy_negate())]
        book.post("one", pair)
        book.post("two", [*pair, *pair])
        book.post("four", [pair[0], *pair, *pair, pair[1]])
        assert str(book.balance("tax")) == "5999999999999999999999999.199999999994"

    def test_whatever_the_context(self, book):
        with decimal.localcontext() as context:
            context.prec = 2
            context.traps[decimal.Inexact] = True
            amount = Decimal("123.456")
            book.post("x", [("till", amount), ("sales", amount.copy_negate())])
            book.reverse("x", "back")
            book.open("chest", Decimal("-12.345"))
            book.post("y", [("till", Decimal("12.345")), ("chest", Decimal("-12.345"))])
            statement = book.statement("till")
        assert statement[-3:-1] == [
            ("x", "", amount, Decimal("128.456")),
            ("back", "", amount.copy_negate(), Decimal(5)),
        ]


def test_money_is_neither_made_nor_lost():
    dice, book, accounts = random.Random(4), Ledger(), "abcd"
    for account in accounts:
        book.open(account)
    for number in range(200):
        amount = Decimal(dice.randint(1, 10**9)) / 1000
        book.post(str(number), [(dice.choice(accounts), amount), (dice.choice(accounts), -amount)])
    assert sum(book.balances().values()) == 0
    for account in accounts:
        assert book.statement(account)[-1][3] == book.balance(account)
