from decimal import Decimal, localcontext

import pytest

import ledger as api


def test_balances(ledger, earn):
    assert earn("1", "2.50") is True
    assert earn("2", "2.50") is True
    assert ledger.balances() == {"cash": Decimal(5), "income": Decimal(-5)}
    assert str(ledger.balance("cash")) == "5.00"


def test_statement(ledger, earn):
    earn("1", "2", "first")
    earn("2", "3")
    assert ledger.statement("cash") == [
        ("1", "first", Decimal(2), Decimal(2)),
        ("2", "", Decimal(3), Decimal(5)),
    ]


def test_history(ledger, earn):
    earn("1", "2", "first")
    assert ledger.history() == [("1", "first", (("cash", Decimal(2)), ("income", Decimal(-2))))]


@pytest.mark.parametrize("amount", [1.0, 1, True, "1", Decimal("nan"), Decimal("inf"), Decimal(0)])
def test_invalid_amount(ledger, amount):
    with pytest.raises(api.InvalidAmountError):
        ledger.post("1", [("cash", amount), ("income", Decimal(-1))])
    assert ledger.history() == []


@pytest.mark.parametrize("amounts", [[], ["1"], ["1", "-2"], ["1", "-0.999999999999"]])
def test_unbalanced(ledger, amounts):
    with pytest.raises(api.UnbalancedError):
        ledger.post("1", [("cash", Decimal(amount)) for amount in amounts])
    assert ledger.balance("cash") == 0


def test_unknown_account(ledger):
    with pytest.raises(api.UnknownAccountError):
        ledger.post("1", [("cash", Decimal(1)), ("moon", Decimal(-1))])
    with pytest.raises(api.UnknownAccountError):
        ledger.balance("moon")
    with pytest.raises(api.UnknownAccountError):
        ledger.statement("moon")
    assert ledger.balance("cash") == 0


def test_duplicate_account(ledger):
    with pytest.raises(api.DuplicateAccountError):
        ledger.open("cash")


def test_overdraft(ledger, earn):
    earn("1", "5")
    with pytest.raises(api.OverdraftError):
        earn("2", "-5.01")
    assert ledger.balance("cash") == 5
    assert earn("2", "-5") is True


def test_in_between_the_minimum_may_be_broken(ledger):
    ledger.post("1", [("cash", Decimal(-1)), ("income", Decimal(-1)), ("cash", Decimal(2))])
    assert ledger.balance("cash") == 1


def test_repeat(ledger, earn):
    earn("1", "5")
    assert ledger.post("1", [("income", Decimal("-5.0")), ("cash", Decimal("5.0"))]) is False
    assert ledger.balance("cash") == 5
    with pytest.raises(api.ConflictError):
        earn("1", "6")
    with pytest.raises(api.ConflictError):
        earn("1", "5", "another memo")


def test_reverse(ledger, earn):
    earn("1", "5")
    assert ledger.reverse("1", "r") is True
    assert ledger.balance("cash") == 0
    with pytest.raises(api.ConflictError):
        ledger.reverse("1", "r2")
    with pytest.raises(api.UnknownTransactionError):
        ledger.reverse("2", "r3")
    assert ledger.reverse("r", "rr") is True
    assert ledger.balance("cash") == 5


def test_large_amounts_in_a_small_context(ledger, earn):
    with localcontext() as context:
        context.prec = 3
        earn("1", "123456789012345678901234.123456789012")
        earn("2", "0.000000000001")
    assert ledger.balance("cash") == Decimal("123456789012345678901234.123456789013")


def test_copies(ledger, earn):
    earn("1", "5")
    ledger.balances()["cash"] = 7
    ledger.history().clear()
    ledger.statement("cash").clear()
    assert ledger.balance("cash") == 5
    assert len(ledger.history()) == len(ledger.statement("cash")) == 1
