"""Double-entry ledger."""

from decimal import Decimal


class LedgerError(Exception):
    """Something was refused, and nothing was changed."""


class InvalidAmountError(LedgerError):
    """An amount that is no Decimal, not finite, or zero."""


class UnbalancedError(LedgerError):
    """Amounts that do not add up to zero, or too few postings."""


class UnknownAccountError(LedgerError):
    """An account that is not open."""


class DuplicateAccountError(LedgerError):
    """An account that is open already."""


class OverdraftError(LedgerError):
    """An account would end below its minimum."""


class ConflictError(LedgerError):
    """An id that is booked with another content, or a second reversal."""


class UnknownTransactionError(LedgerError):
    """A transaction that is not booked."""


class Ledger:

    def __init__(self):
        self._balances = {}
        self._minimums = {}
        self._transactions = {}

    def open(self, account, minimum=None):
        if account in self._balances:
            raise DuplicateAccountError(account)
        self._balances[account] = Decimal(0)
        self._minimums[account] = minimum

    def post(self, transaction_id, postings, memo=""):
        postings = tuple(postings)
        if transaction_id in self._transactions:
            old_memo, old_postings = self._transactions[transaction_id]
            if old_memo == memo and [tuple(p) for p in old_postings] == [tuple(p) for p in postings]:
                return False
            raise ConflictError(transaction_id)
        if len(postings) < 2:
            raise UnbalancedError("two postings or more")
        balances = dict(self._balances)
        for account, amount in postings:
            if not isinstance(amount, Decimal) or not amount.is_finite() or amount == 0:
                raise InvalidAmountError(amount)
            if account not in balances:
                raise UnknownAccountError(account)
            balances[account] += amount
            if self._minimums[account] is not None and balances[account] < self._minimums[account]:
                raise OverdraftError(account)
        if sum(amount for account, amount in postings) != 0:
            raise UnbalancedError("not zero")
        self._balances = balances
        self._transactions[transaction_id] = (memo, postings)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        if transaction_id not in self._transactions:
            raise UnknownTransactionError(transaction_id)
        postings = self._transactions[transaction_id][1]
        return self.post(reversal_id, [(account, -amount) for account, amount in postings], memo)

    def balance(self, account):
        if account not in self._balances:
            raise UnknownAccountError(account)
        return self._balances[account]

    def balances(self):
        return dict(self._balances)

    def statement(self, account):
        if account not in self._balances:
            raise UnknownAccountError(account)
        lines = []
        balance = Decimal(0)
        for transaction_id, (memo, postings) in self._transactions.items():
            for name, amount in postings:
                if name == account:
                    balance += amount
                    lines.append((transaction_id, memo, amount, balance))
        return lines

    def history(self):
        return [(transaction_id, memo, postings) for transaction_id, (memo, postings) in self._transactions.items()]
