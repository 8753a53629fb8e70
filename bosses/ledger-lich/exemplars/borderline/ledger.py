"""Double entry ledger."""

from decimal import Decimal


class LedgerError(Exception):
    pass


class InvalidAmountError(LedgerError):
    pass


class UnbalancedError(LedgerError):
    pass


class UnknownAccountError(LedgerError):
    pass


class DuplicateAccountError(LedgerError):
    pass


class OverdraftError(LedgerError):
    pass


class ConflictError(LedgerError):
    pass


class UnknownTransactionError(LedgerError):
    pass


class Ledger:
    def __init__(self):
        self.accounts = {}
        self.minimums = {}
        self.transactions = []
        self.ids = set()

    def open(self, account, minimum=None):
        if account in self.accounts:
            raise DuplicateAccountError(account)
        self.accounts[account] = Decimal(0)
        self.minimums[account] = minimum

    def post(self, transaction_id, postings, memo=""):
        if transaction_id in self.ids:
            return False
        self.ids.add(transaction_id)
        for account, amount in postings:
            if isinstance(amount, float):
                raise InvalidAmountError("no floats")
        if sum(amount for account, amount in postings) != 0 or len(postings) < 2:
            raise UnbalancedError(transaction_id)
        for account, amount in postings:
            if account not in self.accounts:
                raise UnknownAccountError(account)
            minimum = self.minimums[account]
            if minimum is not None and self.accounts[account] + amount < minimum:
                raise OverdraftError(account)
            self.accounts[account] += amount
        self.transactions.append((transaction_id, memo, tuple(postings)))
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        for t in self.transactions:
            if t[0] == transaction_id:
                return self.post(reversal_id, [(a, -m) for a, m in t[2]], memo)
        raise UnknownTransactionError(transaction_id)

    def balance(self, account):
        if account not in self.accounts:
            raise UnknownAccountError(account)
        return self.accounts[account]

    def balances(self):
        return self.accounts

    def statement(self, account):
        if account not in self.accounts:
            raise UnknownAccountError(account)
        lines = []
        balance = Decimal(0)
        for transaction_id, memo, postings in self.transactions:
            for name, amount in postings:
                if name == account:
                    balance += amount
                    lines.append((transaction_id, memo, amount, balance))
        return lines

    def history(self):
        return self.transactions
