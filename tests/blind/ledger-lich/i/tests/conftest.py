from decimal import Decimal

import pytest

from ledger import Ledger


@pytest.fixture
def book():
    """till may not fall below 0, loan not below -50, the world may."""
    ledger = Ledger()
    ledger.open("till", Decimal(0))
    ledger.open("loan", Decimal(-50))
    ledger.open("world")
    return ledger


@pytest.fixture
def snapshot(book):
    def take():
        return book.balances(), book.history(), {name: book.statement(name) for name in book.balances()}

    return take
