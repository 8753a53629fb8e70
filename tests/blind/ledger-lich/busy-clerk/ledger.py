"""Double-entry bookkeeping."""
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
        self.transactions = {}
        self.lines = {}

    def open(self, account, minimum=None):
        if account in self.accounts:
            raise DuplicateAccountError(account)
        self.accounts[account] = Decimal(0)
        self.minimums[account] = minimum
        self.lines[account] = []

    def post(self, transaction_id, postings, memo=""):
        postings = tuple(tuple(p) for p in postings)
        # already there?
        if transaction_id in self.transactions:
            if self.transactions[transaction_id] == (memo, postings):
                return False
            raise ConflictError("transaction %s was booked with other content" % transaction_id)
        if len(postings) < 2:
            raise UnbalancedError("need at least two postings")
        total = Decimal(0)
        new = dict(self.accounts)
        lines = []
        for account, amount in postings:
            if account not in self.accounts:
                raise UnknownAccountError(account)
            if not isinstance(amount, Decimal):
                raise InvalidAmountError("amount must be Decimal, got %r" % (amount,))
            if not amount.is_finite() or amount == 0:
                raise InvalidAmountError("bad amount %s" % amount)
            total += amount
            new[account] += amount
            # check the limit
            if self.minimums[account] is not None:
                if new[account] < self.minimums[account]:
                    raise OverdraftError("%s would be overdrawn" % account)
            lines.append((account, (transaction_id, memo, amount, new[account])))
        if total != 0:
            raise UnbalancedError("off by %s" % total)
        # all good
        self.accounts = new
        for account, line in lines:
            self.lines[account].append(line)
        self.transactions[transaction_id] = (memo, postings)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        if transaction_id not in self.transactions:
            raise UnknownTransactionError(transaction_id)
        postings = self.transactions[transaction_id][1]
        return self.post(reversal_id, [(a, -amount) for a, amount in postings], memo)

    def balance(self, account):
        if account not in self.accounts:
            raise UnknownAccountError(account)
        return self.accounts[account]

    def balances(self):
        return dict(self.accounts)

    def statement(self, account):
        if account not in self.accounts:
            raise UnknownAccountError(account)
        return list(self.lines[account])

    def history(self):
        return [(i, memo, postings) for i, (memo, postings) in self.transactions.items()]
