from decimal import Decimal


class LedgerError(Exception): pass
class InvalidAmountError(LedgerError): pass
class UnbalancedError(LedgerError): pass
class UnknownAccountError(LedgerError): pass
class DuplicateAccountError(LedgerError): pass
class OverdraftError(LedgerError): pass
class ConflictError(LedgerError): pass
class UnknownTransactionError(LedgerError): pass


class Account:
    def __init__(self, minimum):
        self.balance = Decimal("0")
        self.minimum = minimum
        self.statement = []

    def add(self, tid, memo, amount):
        self.balance = self.balance + amount
        if self.minimum is not None and self.balance < self.minimum:
            raise OverdraftError("below minimum")
        self.statement.append((tid, memo, amount, self.balance))


class Ledger:
    def __init__(self):
        self.box = {}
        self.ids = set()
        self.log = []

    def open(self, account, minimum=None):
        if account in self.box:
            raise DuplicateAccountError()
        self.box[account] = Account(minimum)

    def get(self, name):
        try:
            return self.box[name]
        except KeyError:
            raise UnknownAccountError(name)

    def post(self, transaction_id, postings, memo=""):
        if transaction_id in self.ids:
            return False
        self.ids.add(transaction_id)
        postings = [(a, Decimal(str(x))) for a, x in postings]
        total = sum(x for a, x in postings)
        if abs(total) > Decimal("0.001") or len(postings) < 2:
            raise UnbalancedError("does not add up")
        for a, x in postings:
            self.get(a).add(transaction_id, memo, x)
        self.log.append((transaction_id, memo, tuple(postings)))
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        for t in self.log:
            if t[0] == transaction_id:
                return self.post(reversal_id, [(a, -x) for a, x in t[2]], memo)
        raise UnknownTransactionError(transaction_id)

    def balance(self, account):
        return self.get(account).balance

    def balances(self):
        return {a: self.box[a].balance for a in self.box}

    def statement(self, account):
        return self.get(account).statement

    def history(self):
        return self.log
