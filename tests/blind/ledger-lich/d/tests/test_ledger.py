import decimal
import random
from decimal import Decimal as D

import pytest

import ledger as book
from ledger import Ledger


def pair(amount, giver="bank", taker="till"):
    return [(taker, D(amount)), (giver, D(amount).copy_negate())]


@pytest.fixture
def lich():
    ledger = Ledger()
    ledger.open("bank")
    ledger.open("till", D("0"))
    ledger.open("sales", D("-100"))
    ledger.post("start", pair("10.00"), "float")
    return ledger


def state(ledger):
    return ledger.balances(), ledger.history(), [ledger.statement(name) for name in ledger.balances()]


def test_booking(lich):
    assert lich.post("sale", [("till", D(5)), ("sales", D(-3)), ("bank", D(-2))]) is True
    assert lich.balances() == {"bank": D(-12), "till": D(15), "sales": D(-3)}
    assert list(lich.balances()) == ["bank", "till", "sales"]
    assert lich.statement("till") == [("start", "float", D(10), D(10)), ("sale", "", D(5), D(15))]
    assert lich.history()[1] == ("sale", "", (("till", D(5)), ("sales", D(-3)), ("bank", D(-2))))


@pytest.mark.parametrize("amount", [1.5, 1, True, "1", None, D("NaN"), D("sNaN"), D("Infinity"), D(0), D("-0.00")])
def test_no_amount(lich, amount):
    before = state(lich)
    with pytest.raises(book.InvalidAmountError):
        lich.post("x", [("till", amount), ("bank", amount)])
    assert state(lich) == before


@pytest.mark.parametrize("postings, error", [
    ([], book.UnbalancedError),
    ([("till", D(1)), ("bank", D("-1.000000000001"))], book.UnbalancedError),
    ([("till", D(1)), ("nobody", D(-1))], book.UnknownAccountError),
    (pair("-10.01"), book.OverdraftError),
    (pair("100.01", "sales"), book.OverdraftError),
])
def test_refused_without_a_trace(lich, postings, error):
    before = state(lich)
    with pytest.raises(error) as caught:
        lich.post("x", postings)
    assert isinstance(caught.value, book.LedgerError)
    assert state(lich) == before
    assert lich.post("x", pair("1")) is True


def test_minimum_counts_at_the_end(lich):
    lich.post("x", [("till", D(-11)), ("bank", D(10)), ("till", D(1))])
    assert lich.balance("till") == 0
    assert [line[3] for line in lich.statement("till")] == [10, -1, 0]


def test_opening_twice(lich):
    with pytest.raises(book.DuplicateAccountError):
        lich.open("till")
    assert lich.balance("till") == 10


@pytest.mark.parametrize("method", ["balance", "statement"])
def test_unknown_account(lich, method):
    with pytest.raises(book.UnknownAccountError):
        getattr(lich, method)("nobody")


def test_repeats(lich):
    lich.post("out", pair("-9"))
    before = state(lich)
    assert lich.post("out", reversed(pair("-9.000"))) is False
    assert state(lich) == before


@pytest.mark.parametrize("postings, memo", [
    (pair("10"), ""), (pair("9"), "float"), (pair("10") + pair("10"), "float"), (pair("10", "sales"), "float"),
])
def test_same_id_other_content(lich, postings, memo):
    before = state(lich)
    with pytest.raises(book.ConflictError):
        lich.post("start", postings, memo)
    assert state(lich) == before


def test_reverse(lich):
    assert lich.reverse("start", "undo", "oops") is True
    assert lich.history()[-1] == ("undo", "oops", (("till", D(-10)), ("bank", D(10))))
    assert lich.reverse("start", "undo", "oops") is False
    assert lich.post("undo", pair("-10"), "oops") is False
    for again in (("start", "undo2", "oops"), ("start", "undo"), ("undo", "start")):
        with pytest.raises(book.ConflictError):
            lich.reverse(*again)
    assert lich.reverse("undo", "redo") is True
    assert lich.balance("till") == 10


def test_refused_reversals(lich):
    with pytest.raises(book.UnknownTransactionError):
        lich.reverse("nothing", "undo")
    lich.post("spend", pair("-10"))
    before = state(lich)
    with pytest.raises(book.OverdraftError):
        lich.reverse("start", "undo")
    assert state(lich) == before
    lich.post("more", pair("10"))
    assert lich.reverse("start", "another id") is True


@pytest.mark.parametrize("context", [
    decimal.Context(prec=2, rounding=decimal.ROUND_UP),
    decimal.Context(prec=3, Emax=3, Emin=-3, traps=[decimal.Inexact, decimal.Rounded, decimal.FloatOperation]),
])
def test_exact_in_any_context(lich, context):
    big, small = D("999999999999999999999999.999999999999"), D("0.000000000001")
    with decimal.localcontext(context):
        for number in range(20):
            lich.post(str(number), [("till", big), ("bank", big.copy_negate())])
        lich.post("s", [("till", small), ("bank", small.copy_negate())])
        lich.reverse("0", "r")
        with pytest.raises(book.UnbalancedError):
            lich.post("u", [("till", big), ("till", small), ("bank", big.copy_negate())])
        assert lich.balance("till") == D("19000000000000000000000009.999999999982")


def test_hands_off(lich):
    before = state(lich)
    mine = [["till", D(1)], ["bank", D(-1)]]
    lich.post("mine", mine)
    mine[0][1] = D(9)
    mine.clear()
    assert lich.history()[1:] == [("mine", "", (("till", D(1)), ("bank", D(-1))))]
    lich.balances().clear(), lich.history().clear(), lich.statement("till").clear()
    assert len(lich.history()) == 2 and len(lich.statement("till")) == 2
    assert state(lich) != before


@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_lost(lich, seed):
    dice = random.Random(seed)
    for number in range(60):
        try:
            lich.post(str(number), pair(dice.randint(-9999, 9999) / D(100) or 1, *dice.sample(["bank", "till", "sales"], 2)))
        except book.OverdraftError:
            pass
    assert sum(lich.balances().values()) == 0
    assert lich.balance("till") >= 0 and lich.balance("sales") >= -100
    for name, balance in lich.balances().items():
        assert balance == sum(line[2] for line in lich.statement(name))
