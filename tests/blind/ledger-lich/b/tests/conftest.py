from decimal import Decimal

import pytest

from ledger import Ledger


@pytest.fixture
def ledger():
    result = Ledger()
    result.open("cash", Decimal(0))
    result.open("income")
    return result


@pytest.fixture
def earn(ledger):
    def book(identity, amount, memo=""):
        amount = Decimal(amount)
        return ledger.post(identity, [("cash", amount), ("income", amount.copy_negate())], memo)

    return book
