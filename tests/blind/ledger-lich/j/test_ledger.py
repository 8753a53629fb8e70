from decimal import Decimal as D

import pytest

from ledger import Ledger, OverdraftError


def test_a_day():
    ledger = Ledger()
    for account, minimum in {"till": D(0), "bank": None}.items():
        ledger.open(account, minimum)
    assert ledger.post("a", (pair for pair in [("till", D("2.5")), ("bank", D("-2.5"))]))
    assert not ledger.post("a", [("bank", D("-2.50")), ("till", D("2.50"))])
    with pytest.raises(OverdraftError):
        ledger.post("b", [("till", D(-3)), ("bank", D(3))])
    assert ledger.reverse("a", "-a")
    assert ledger.balances() == {"till": 0, "bank": 0}
    assert [line[3] for line in ledger.statement("till")] == [D("2.5"), 0]


def test_history_is_a_list_of_tuples():
    ledger = Ledger()
    ledger.open("x")
    ledger.open("y")
    ledger.post("1", [["x", D(1)], ["y", D(-1)]], memo="m")
    assert ledger.history() == [("1", "m", (("x", D(1)), ("y", D(-1))))]
