"""Promises of the ledger. Run them with: python -m pytest"""

from decimal import Decimal

import pytest

from ledger import Ledger, UnbalancedError


def test_what_one_account_gets_another_gives():
    ledger = Ledger()
    ledger.open("till")
    ledger.open("sales")
    ledger.post("sale 1", [("till", Decimal("2.50")), ("sales", Decimal("-2.50"))])
    assert ledger.balance("till") == Decimal("2.50")
    assert ledger.balance("sales") == Decimal("-2.50")


def test_unbalanced():
    ledger = Ledger()
    ledger.open("till")
    ledger.open("sales")
    with pytest.raises(UnbalancedError):
        ledger.post("sale 1", [("till", Decimal("2.50")), ("sales", Decimal("-2.40"))])
