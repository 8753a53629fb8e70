"""A ledger whose whole state is one value that is replaced, never changed."""

from ledger.errors import (
    ConflictError,
    DuplicateAccountError,
    InvalidAmountError,
    LedgerError,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)
from ledger.rules import booked, lines_of, turned
from ledger.state import State

__all__ = [
    "ConflictError",
    "DuplicateAccountError",
    "InvalidAmountError",
    "Ledger",
    "LedgerError",
    "OverdraftError",
    "UnbalancedError",
    "UnknownAccountError",
    "UnknownTransactionError",
]


class Ledger:
    """A thin shell around a state."""

    def __init__(self):
        self._state = State()

    def open(self, account, minimum=None):
        """Open an account."""
        self._state = self._state.with_account(account, minimum)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction; False if it was booked before."""
        pairs = tuple((account, amount) for account, amount in postings)
        return self._move_to(booked(self._state, transaction_id, memo, pairs))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the opposite of a transaction; False if that was done before."""
        pairs = turned(self._state, transaction_id, reversal_id)
        return self._move_to(booked(self._state, reversal_id, memo, pairs, transaction_id))

    def balance(self, account):
        """What is in an account."""
        return self._state.balance(account)

    def balances(self):
        """What is in all accounts."""
        return dict(self._state.balances)

    def statement(self, account):
        """All postings to an account."""
        return lines_of(self._state, account)

    def history(self):
        """All transactions."""
        return [entry[:3] for entry in self._state.entries.values()]

    def _move_to(self, state):
        changed = state is not self._state
        self._state = state
        return changed
