from decimal import Decimal

import pytest

from ledger import Ledger, UnbalancedError


def make():
    ledger = Ledger()
    ledger.open("a")
    ledger.open("b")
    return ledger


def test_post():
    ledger = make()
    assert ledger.post("t1", [("a", Decimal("1.10")), ("b", Decimal("-1.10"))])
    assert ledger.balance("a") == Decimal("1.10")
    assert ledger.balance("b") == Decimal("-1.10")


def test_unbalanced():
    ledger = make()
    with pytest.raises(UnbalancedError):
        ledger.post("t1", [("a", Decimal("1.10")), ("b", Decimal("-1.00"))])


def test_statement():
    ledger = make()
    ledger.post("t1", [("a", Decimal(2)), ("b", Decimal(-2))])
    assert ledger.statement("a") == [("t1", "", Decimal(2), Decimal(2))]
