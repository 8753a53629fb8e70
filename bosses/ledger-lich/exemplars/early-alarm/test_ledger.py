from decimal import Decimal

import pytest

from ledger import ConflictError, Ledger, OverdraftError


@pytest.fixture
def ledger():
    ledger = Ledger()
    ledger.open("shop")
    ledger.open("guest", Decimal(0))
    ledger.post("gift", [("guest", Decimal(9)), ("shop", Decimal(-9))])
    return ledger


def test_balances(ledger):
    assert ledger.balances() == {"shop": Decimal(-9), "guest": Decimal(9)}


def test_once(ledger):
    assert ledger.post("gift", [("guest", Decimal(9)), ("shop", Decimal(-9))]) is False
    assert ledger.balance("guest") == 9


def test_conflict(ledger):
    with pytest.raises(ConflictError):
        ledger.post("gift", [("guest", Decimal(8)), ("shop", Decimal(-8))])


def test_overdraft(ledger):
    with pytest.raises(OverdraftError):
        ledger.post("feast", [("guest", Decimal(-10)), ("shop", Decimal(10))])
    assert ledger.balance("guest") == 9


def test_reverse(ledger):
    assert ledger.reverse("gift", "gift back") is True
    assert ledger.balance("guest") == 0
