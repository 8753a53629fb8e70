"""A double-entry ledger: what one account gets, others give."""

from decimal import Decimal


class LedgerError(Exception):
    """Something was refused, and nothing was changed."""


class UnknownAccountError(LedgerError):
    """An account that is not open."""


class DuplicateAccountError(LedgerError):
    """An account that is open."""


class InvalidAmountError(LedgerError):
    """Not a good amount."""


class UnbalancedError(LedgerError):
    """Does not add up to zero."""


# TODO OverdraftError, ConflictError, UnknownTransactionError


class Ledger:
    """Accounts and the transactions between them."""

    def __init__(self):
        """A ledger without accounts."""
        self._balances = {}
        self._minimums = {}
        self._history = []

    def open(self, account, minimum=None):
        """Open an account with a balance of zero."""
        if account in self._balances:
            raise DuplicateAccountError(account)
        self._balances[account] = Decimal(0)
        self._minimums[account] = minimum  # TODO: look at it in post

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction."""
        # TODO: the same id twice
        postings = tuple(postings)
        total = 0
        for account, amount in postings:
            if account not in self._balances:
                raise UnknownAccountError(account)
            if isinstance(amount, float) or amount == 0:
                raise InvalidAmountError(amount)
            total += amount
            self._balances[account] += amount
        if total != 0:
            raise UnbalancedError(total)
        self._history.append((transaction_id, memo, postings))
        return True

    def balance(self, account):
        """The balance of an account."""
        if account not in self._balances:
            raise UnknownAccountError(f"{account} is not open")
        return self._balances[account]

    def balances(self):
        """All balances."""
        return dict(self._balances)

    def history(self):
        """All transactions."""
        return self._history

    def statement(self, account):
        """The statement of an account."""
        # TODO: the balance after each posting
        lines = []
        for transaction_id, memo, postings in self._history:
            for name, amount in postings:
                if name == account:
                    lines.append((transaction_id, memo, amount))
        return lines
