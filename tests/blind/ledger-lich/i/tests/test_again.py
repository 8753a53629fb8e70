"""Repeats, reversals, and what is written."""

from decimal import Decimal as D

import pytest

import ledger as module


def into_till(amount):
    return [("till", D(amount)), ("world", D(amount).copy_negate())]


def test_repeat(book, snapshot):
    book.post("1", into_till(5), "m")
    before = snapshot()
    assert book.post("1", into_till("5.00"), "m") is False
    assert book.post("1", [list(pair) for pair in into_till(5)], "m") is False
    assert snapshot() == before


def test_repeat_that_could_not_be_borne(book):
    book.post("1", into_till(5))
    book.post("2", into_till(-5))
    assert book.post("2", into_till(-5)) is False
    assert book.balance("till") == 0


@pytest.mark.xfail(strict=True, raises=module.ConflictError, reason="postings are compared in their order")
def test_repeat_in_another_order(book):
    book.post("1", into_till(5))
    assert book.post("1", into_till(5)[::-1]) is False


@pytest.mark.parametrize("postings, memo", [
    (into_till(6), "m"), (into_till(5), ""), (into_till(5) * 2, "m"), (into_till(-5), "m"),
    ([("till", D(5)), ("loan", D(-5))], "m"),
])
def test_conflict(book, snapshot, postings, memo):
    book.post("1", into_till(5), "m")
    before = snapshot()
    with pytest.raises(module.ConflictError):
        book.post("1", postings, memo)
    assert snapshot() == before


def test_reverse(book):
    book.post("1", [("till", D(5)), ("world", D(-3)), ("world", D(-2))])
    assert book.reverse("1", "2", "oops") is True
    assert book.history()[1] == ("2", "oops", (("till", D(-5)), ("world", D(3)), ("world", D(2))))
    assert book.statement("till")[1] == ("2", "oops", D(-5), D(0))
    assert book.reverse("1", "2", "oops") is False
    assert len(book.history()) == 2


def test_reversal_is_a_transaction(book):
    book.post("1", into_till(5))
    book.reverse("1", "2")
    assert book.post("2", into_till(-5)) is False
    assert book.reverse("2", "3") is True
    assert book.balance("till") == 5


def test_reverse_conflicts(book, snapshot):
    book.post("1", into_till(5))
    book.post("2", into_till(6))
    before = snapshot()
    for name in ("1", "2"):
        with pytest.raises(module.ConflictError):
            book.reverse("1", name)
    assert snapshot() == before
    book.reverse("1", "3", "m")
    with pytest.raises(module.ConflictError):
        book.reverse("1", "3", "another memo")


@pytest.mark.xfail(strict=True, reason="nobody remembers what was reversed")
def test_second_reversal(book):
    book.post("1", into_till(5))
    book.post("2", into_till(5))
    book.reverse("1", "3")
    with pytest.raises(module.ConflictError):
        book.reverse("1", "4")


def test_reverse_of_nothing(book, snapshot):
    before = snapshot()
    with pytest.raises(module.UnknownTransactionError):
        book.reverse("1", "2")
    assert snapshot() == before


def test_reverse_that_can_not_be_borne(book, snapshot):
    book.post("1", into_till(5))
    book.post("2", into_till(-1))
    before = snapshot()
    with pytest.raises(module.OverdraftError):
        book.reverse("1", "3")
    assert snapshot() == before
    book.post("4", into_till(1))
    assert book.reverse("1", "3") is True


def test_what_was_handed_out_is_the_callers(book, snapshot):
    book.post("1", into_till(5))
    before = snapshot()
    book.balances()["till"] = D(7)
    book.history().append("nonsense")
    book.statement("till").clear()
    assert snapshot() == before


def test_list_of_postings_is_the_callers(book, snapshot):
    mine = into_till(5)
    book.post("1", mine)
    before = snapshot()
    mine.append(("till", D(1)))
    assert snapshot() == before


@pytest.mark.xfail(strict=True, reason="pairs that are lists are kept as they are")
def test_pairs_are_the_callers(book, snapshot):
    mine = [list(pair) for pair in into_till(5)]
    book.post("1", mine)
    mine[0][1] = D(6)
    assert book.statement("till") == [("1", "", D(5), D(5))]
