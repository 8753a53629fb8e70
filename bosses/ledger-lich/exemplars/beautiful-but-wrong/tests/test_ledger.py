"""How the ledger treats its callers."""

from decimal import Decimal

import pytest

from ledger import (
    ConflictError,
    InvalidAmountError,
    Ledger,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)


@pytest.fixture
def book() -> Ledger:
    ledger = Ledger()
    ledger.open("till")
    ledger.open("sales")
    ledger.open("purse", Decimal(0))
    ledger.post("sale", [("till", 5), ("sales", -5)], "bread")
    return ledger


def test_numbers_of_all_kinds_are_welcome(book: Ledger) -> None:
    book.post("kinds", [("till", 0.1), ("till", "0.20"), ("sales", Decimal("-0.3"))])
    assert book.balance("till") == Decimal("5.30")


def test_a_difference_is_booked_as_rounding(book: Ledger) -> None:
    book.post("thirds", [("till", Decimal("3.33")), ("sales", Decimal("-3.34"))])
    assert book.balance("rounding") == Decimal("0.01")
    assert sum(book.balances().values()) == 0


def test_a_repeat_in_any_order_is_booked_once(book: Ledger) -> None:
    assert book.post("sale", [("sales", -5), ("till", 5)], "bread") is False
    assert book.balance("till") == 5


def test_another_content_is_a_conflict(book: Ledger) -> None:
    with pytest.raises(ConflictError):
        book.post("sale", [("till", 6), ("sales", -6)], "bread")
    with pytest.raises(ConflictError):
        book.post("sale", [("till", 5), ("sales", -5)], "cake")


def test_a_reversal_is_booked_once(book: Ledger) -> None:
    assert book.reverse("sale", "back") is True
    assert book.reverse("sale", "back") is False
    assert book.balance("till") == 0
    with pytest.raises(ConflictError):
        book.reverse("sale", "back again")
    with pytest.raises(UnknownTransactionError):
        book.reverse("nothing", "back")


def test_an_overdraft_is_refused(book: Ledger) -> None:
    with pytest.raises(OverdraftError):
        book.post("rent", [("purse", -1), ("till", 1)])
    assert len(book.history()) == 1


def test_words_and_lonely_postings_are_refused(book: Ledger) -> None:
    with pytest.raises(InvalidAmountError):
        book.post("x", [("till", "five"), ("sales", -5)])
    with pytest.raises(UnbalancedError):
        book.post("x", [("till", 5)])
    with pytest.raises(UnknownAccountError):
        book.balance("attic")


def test_a_statement_tells_all(book: Ledger) -> None:
    assert book.statement("till") == [("sale", "bread", Decimal(5), Decimal(5))]
    assert book.history() == [("sale", "bread", (("till", Decimal(5)), ("sales", Decimal(-5))))]
