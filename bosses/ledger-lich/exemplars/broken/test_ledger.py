from decimal import Decimal

from ledger import Ledger


def test_post():
    ledger = Ledger()
    ledger.open("a")
    ledger.open("b")
    assert ledger.post("t", [("a", Decimal(1)), ("b", Decimal(-1))])


def test_history():
    assert Ledger().history() == []
