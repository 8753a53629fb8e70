"""A double-entry ledger: what one account gets, others give."""

from decimal import Decimal


class LedgerError(Exception):
    """Something was refused, and nothing was changed."""


class UnknownAccountError(LedgerError):
    """An account that is not open."""


class Ledger:
    """Accounts and the transactions between them. For now every page is blank."""

    def __init__(self):
        """A ledger without accounts."""
        self._balances = {}

    def open(self, account, minimum=None):
        """Open an account with a balance of zero."""
        self._balances[account] = Decimal(0)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction. The ink is still wet: nothing is booked yet."""
        return True

    def balance(self, account):
        """The balance of an account."""
        if account not in self._balances:
            raise UnknownAccountError(f"{account} is not open")
        return self._balances[account]
