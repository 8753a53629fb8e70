from decimal import Decimal as D

import pytest

import ledger as lib


@pytest.fixture
def book():
    made = lib.Ledger()
    made.open("till", minimum=D("-10"))
    made.open("shop")
    made.open("bank")
    made.post("t1", [("till", D("5.00")), ("shop", D("-5"))], "bread")
    return made


def test_balances(book):
    assert book.balances() == {"till": D(5), "shop": D(-5), "bank": D(0)}


def test_statement(book):
    book.post("t2", [("till", D("-1.5")), ("till", D("-1")), ("bank", D("2.5"))])
    assert book.statement("till") == [
        ("t1", "bread", D(5), D(5)),
        ("t2", "", D("-1.5"), D("3.5")),
        ("t2", "", D("-1"), D("2.5")),
    ]


def test_history(book):
    assert book.history() == [("t1", "bread", (("till", D(5)), ("shop", D(-5))))]


def test_a_repeat_in_another_order(book):
    assert book.post("t1", [("shop", D("-5.0")), ("till", D(5))], "bread") is False
    assert len(book.history()) == 1


def test_reverse(book):
    assert book.reverse("t1", "r1") is True
    assert book.reverse("t1", "r1") is False
    assert book.balance("till") == 0


@pytest.mark.parametrize("amount", [5, 5.0, True, "5", D(0), D("NaN"), D("Infinity")])
def test_what_is_no_amount(book, amount):
    with pytest.raises(lib.InvalidAmountError):
        book.post("t2", [("till", amount), ("shop", D(-5))])


@pytest.mark.parametrize("postings", [[], [("till", D(1))], [("till", D(1)), ("shop", D(-2))]])
def test_what_does_not_add_up(book, postings):
    with pytest.raises(lib.UnbalancedError):
        book.post("t2", postings)


def test_overdraft(book):
    with pytest.raises(lib.OverdraftError):
        book.post("t2", [("till", D("-15.01")), ("shop", D("15.01"))])
    assert book.post("t2", [("till", D("-15")), ("shop", D("15"))])
