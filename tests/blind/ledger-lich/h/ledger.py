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
        self.acc = {}
        self.min = {}
        self.hist = []
        self.stm = {}
        self.rev = {}

    def open(self, account, minimum=None):
        if account in self.acc:
            raise DuplicateAccountError("account is already open")
        self.acc[account] = Decimal("0")
        self.min[account] = minimum
        self.stm[account] = []

    def post(self, transaction_id, postings, memo="", reversal_of=None):
        postings = list(postings)
        # look if we have it already
        for t in self.hist:
            if t[0] == transaction_id:
                if t[1] == memo and len(t[2]) == len(postings):
                    same = True
                    for i in range(len(postings)):
                        if t[2][i][0] != postings[i][0] or t[2][i][1] != postings[i][1]:
                            same = False
                    if same:
                        return False
                    else:
                        raise ConflictError("id is used")
                else:
                    raise ConflictError("id is used")
        # check it
        if reversal_of != None:
            if reversal_of in self.rev:
                raise ConflictError("already reversed")
        if len(postings) < 2:
            raise UnbalancedError("too few")
        total = Decimal("0")
        for p in postings:
            if p[0] not in self.acc:
                raise UnknownAccountError(p[0])
            if type(p[1]) != Decimal:
                raise InvalidAmountError("not a decimal")
            if p[1] == 0:
                raise InvalidAmountError("zero")
            if p[1].is_nan() or p[1].is_infinite():
                raise InvalidAmountError("not a number")
            total = total + p[1]
        if total != 0:
            raise UnbalancedError("sum is not 0")
        # book it
        done = []
        for p in postings:
            new = self.acc[p[0]] + p[1]
            self.acc[p[0]] = new
            self.stm[p[0]].append((transaction_id, memo, p[1], new))
            done.append(p)
        # check the limits
        for p in postings:
            if self.min[p[0]] != None:
                if self.acc[p[0]] < self.min[p[0]]:
                    # take it back
                    for q in done:
                        self.acc[q[0]] = self.acc[q[0]] - q[1]
                    raise OverdraftError(p[0])
        self.hist.append((transaction_id, memo, tuple([tuple(p) for p in postings])))
        if reversal_of != None:
            self.rev[reversal_of] = transaction_id
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        for t in self.hist:
            if t[0] == transaction_id:
                new = []
                for p in t[2]:
                    new.append((p[0], p[1] * -1))
                return self.post(reversal_id, new, memo, transaction_id)
        raise UnknownTransactionError(transaction_id)

    def balance(self, account):
        if account not in self.acc:
            raise UnknownAccountError(account)
        return self.acc[account]

    def balances(self):
        return self.acc

    def statement(self, account):
        if account not in self.acc:
            raise UnknownAccountError(account)
        return self.stm[account]

    def history(self):
        return self.hist
