"""Double-entry ledger."""

from decimal import Decimal


class LedgerError(Exception):
    """Refused."""


class InvalidAmountError(LedgerError):
    """No amount."""


class UnbalancedError(LedgerError):
    """Does not add up."""


class UnknownAccountError(LedgerError):
    """No such account."""


class DuplicateAccountError(LedgerError):
    """Account exists."""


class OverdraftError(LedgerError):
    """Below the minimum."""


class ConflictError(LedgerError):
    """Id taken."""


class UnknownTransactionError(LedgerError):
    """No such transaction."""


class Ledger:
    """Accounts and transactions."""

    def __init__(self):
        self.accounts = {}
        self.minimums = {}
        self.transactions = {}
        self.reversals = {}

    def open(self, account, minimum=None):
        """Open an account."""
        if account in self.accounts:
            raise DuplicateAccountError(account)
        self.accounts[account] = Decimal(0)
        self.minimums[account] = minimum

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction."""
        postings = tuple((account, amount) for account, amount in postings)
        for account, amount in postings:
            if isinstance(amount, (float, str, bool)):
                raise InvalidAmountError(f"{amount!r} is no Decimal")
            amount = Decimal(amount)
            if not amount.is_finite() or amount == 0:
                raise InvalidAmountError(f"{amount} is no amount")
        if transaction_id in self.transactions:
            old_memo, old_postings = self.transactions[transaction_id]
            if old_memo == memo and sorted(old_postings) == sorted(postings):
                return False
            raise ConflictError(transaction_id)
        if len(postings) < 2:
            raise UnbalancedError("fewer than two postings")
        if sum(amount for _, amount in postings) != 0:
            raise UnbalancedError(transaction_id)
        balances = dict(self.accounts)
        for account, amount in postings:
            if account not in balances:
                raise UnknownAccountError(account)
            balances[account] += amount
            minimum = self.minimums[account]
            if minimum is not None and balances[account] < minimum:
                raise OverdraftError(account)
        self.accounts = balances
        self.transactions[transaction_id] = (memo, postings)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the contrary."""
        if transaction_id not in self.transactions:
            raise UnknownTransactionError(transaction_id)
        if self.reversals.get(transaction_id, reversal_id) != reversal_id:
            raise ConflictError(f"{transaction_id} is reversed already")
        _, postings = self.transactions[transaction_id]
        result = self.post(reversal_id, [(account, -amount) for account, amount in postings], memo)
        self.reversals[transaction_id] = reversal_id
        return result

    def balance(self, account):
        """Balance of an account."""
        if account not in self.accounts:
            raise UnknownAccountError(account)
        return self.accounts[account]

    def balances(self):
        """All balances."""
        return dict(self.accounts)

    def statement(self, account):
        """Postings of an account."""
        if account not in self.accounts:
            raise UnknownAccountError(account)
        lines = []
        balance = Decimal(0)
        for transaction_id, (memo, postings) in self.transactions.items():
            for name, amount in postings:
                if name == account:
                    balance += amount
                    lines.append((transaction_id, memo, amount, balance))
        return lines

    def history(self):
        """All transactions."""
        return [(transaction_id, memo, postings) for transaction_id, (memo, postings) in self.transactions.items()]
