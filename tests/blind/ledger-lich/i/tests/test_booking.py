from decimal import ROUND_UP, Decimal as D, Inexact, localcontext

import pytest
from hypothesis import given, settings, strategies as st

import ledger as module
from ledger import Ledger


def into_till(amount):
    return [("till", D(amount)), ("world", D(amount).copy_negate())]


def test_all_sides(book):
    assert book.post("1", (pair for pair in [("till", D("3.5")), ("world", D(-2)), ("loan", D("-1.5"))]), "m") is True
    assert list(book.balances().items()) == [("till", D("3.5")), ("loan", D("-1.5")), ("world", D(-2))]
    assert book.balance("loan") == D("-1.5")
    assert book.history() == [("1", "m", (("till", D("3.5")), ("world", D(-2)), ("loan", D("-1.5"))))]


def test_statement_has_a_line_for_each_posting(book):
    book.post("1", [("till", D(3)), ("world", D(-5)), ("till", D(2))], "m")
    book.post("2", into_till(1))
    assert book.statement("till") == [("1", "m", D(3), D(3)), ("1", "m", D(2), D(5)), ("2", "", D(1), D(6))]
    assert book.statement("loan") == []


@pytest.mark.parametrize("bad", [
    0.5, 1, True, False, "1", None, 1j, D(0), D("-0.0"), D("nan"), D("inf"), D("-inf"),
])
@pytest.mark.parametrize("place", [0, 1])
def test_no_amount(book, snapshot, bad, place):
    before = snapshot()
    postings = into_till(1)
    postings[place] = (postings[place][0], bad)
    with pytest.raises(module.InvalidAmountError):
        book.post("1", postings)
    assert snapshot() == before
    assert book.post("1", into_till(1)) is True


@pytest.mark.parametrize("postings", [
    [], [("till", D(1))], [("till", D(1)), ("world", D("-1.01"))], [("till", D(1)), ("world", D(1))],
    [("till", D("0.000000000002")), ("world", D("-0.000000000001"))],
])
def test_unbalanced(book, snapshot, postings):
    before = snapshot()
    with pytest.raises(module.UnbalancedError):
        book.post("1", postings)
    assert snapshot() == before
    assert book.post("1", into_till(1)) is True


def test_unknown_account(book, snapshot):
    before = snapshot()
    with pytest.raises(module.UnknownAccountError):
        book.post("1", [("till", D(1)), ("moon", D(-1))])
    assert snapshot() == before
    for method in (book.balance, book.statement):
        with pytest.raises(module.UnknownAccountError):
            method("moon")


def test_open_twice(book):
    book.post("1", into_till(1))
    with pytest.raises(module.DuplicateAccountError):
        book.open("till")
    assert book.balance("till") == 1


@pytest.mark.parametrize("account, least", [("till", "0"), ("loan", "-50")])
def test_minimum(book, snapshot, account, least):
    out = lambda amount: [("world", D(amount)), (account, D(amount).copy_negate())]
    beyond = D("0.000000000001") - D(least)
    before = snapshot()
    with pytest.raises(module.OverdraftError):
        book.post("1", out(beyond))
    assert snapshot() == before
    if account == "loan":
        assert book.post("1", out("50")) is True


@pytest.mark.xfail(strict=True, raises=module.OverdraftError, reason="minimums are looked at posting by posting")
def test_minimum_counts_at_the_end(book):
    book.post("1", [("till", D(-5)), ("till", D(6)), ("world", D(-1))])


@pytest.mark.parametrize("name", ["InvalidAmountError", "UnbalancedError", "UnknownAccountError", "OverdraftError",
                                  "DuplicateAccountError", "ConflictError", "UnknownTransactionError"])
def test_errors_have_a_base(name):
    assert issubclass(getattr(module, name), module.LedgerError)
    assert issubclass(module.LedgerError, Exception)


@pytest.mark.xfail(strict=True, reason="sums are rounded by the context in force")
@pytest.mark.parametrize("precision", [3, 28])
def test_no_rounding(book, precision):
    big, small = "999999999999999999999999.999999999999", "0.000000000001"
    with localcontext() as context:
        context.prec, context.rounding = precision, ROUND_UP
        book.post("1", into_till(big))
        book.post("2", into_till(small))
    assert book.balance("till") == D("1000000000000000000000000")


@pytest.mark.xfail(strict=True, raises=Inexact, reason="sums are made in the context in force")
def test_traps_of_the_caller(book):
    with localcontext() as context:
        context.traps[Inexact] = True
        book.post("1", into_till("999999999999999999999999.5"))
        book.post("2", into_till("0.000000000001"))
        book.post("3", into_till("0.00000001"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(-10**6, 10**6)), max_size=20))
def test_nothing_gets_lost(moves):
    book, model = Ledger(), dict.fromkeys("abc", 0)
    for name in "abc":
        book.open(name, D(-5000) if name == "a" else None)
    for number, (giver, taker, cents) in enumerate(moves):
        amount = D(cents) / 100
        after = dict(model)
        after[giver] -= amount
        after[taker] += amount
        try:
            book.post(str(number), [(taker, amount), (giver, -amount)])
        except module.InvalidAmountError:
            assert cents == 0
        except module.OverdraftError:
            assert after["a"] < -5000 or giver == taker == "a"
        else:
            model = after
    assert book.balances() == model
    assert sum(book.balances().values()) == 0
    for name in "abc":
        assert sum(line[2] for line in book.statement(name)) == model[name]
