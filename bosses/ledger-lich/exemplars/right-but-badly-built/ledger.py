import decimal


class LedgerError(Exception): pass
class InvalidAmountError(LedgerError): pass
class UnbalancedError(LedgerError): pass
class UnknownAccountError(LedgerError): pass
class DuplicateAccountError(LedgerError): pass
class OverdraftError(LedgerError): pass
class ConflictError(LedgerError): pass
class UnknownTransactionError(LedgerError): pass


class Ledger:
    def __init__(self):
        self.a = {}
        self.h = []

    def open(self, account, minimum=None):
        if account in self.a:
            raise DuplicateAccountError()
        self.a[account] = [minimum, decimal.Decimal(0), []]

    def post(self, transaction_id, postings, memo="", rev=None):
        with decimal.localcontext() as c:
            c.prec = 300
            c.traps[decimal.Inexact] = False
            c.traps[decimal.Rounded] = False
            if rev is not None:
                f = None
                for t in self.h:
                    if t[0] == rev:
                        f = t
                if f is None:
                    raise UnknownTransactionError()
                for t in self.h:
                    if t[3] == rev:
                        if t[0] != transaction_id:
                            raise ConflictError()
                p = []
                for x in f[2]:
                    p.append((x[0], -x[1]))
            else:
                p = []
                for x in postings:
                    if not isinstance(x[1], decimal.Decimal):
                        raise InvalidAmountError()
                    else:
                        if x[1].is_nan() or x[1].is_infinite():
                            raise InvalidAmountError()
                        else:
                            if x[1] == 0:
                                raise InvalidAmountError()
                    p.append((x[0], x[1]))
            for t in self.h:
                if t[0] == transaction_id:
                    if t[1] != memo:
                        raise ConflictError()
                    if len(t[2]) != len(p):
                        raise ConflictError()
                    q = list(t[2])
                    for x in p:
                        if x in q:
                            q.remove(x)
                        else:
                            raise ConflictError()
                    return False
            s = decimal.Decimal(0)
            for x in p:
                s = s + x[1]
            if s != 0 or len(p) < 2:
                raise UnbalancedError()
            n = {}
            for x in p:
                if x[0] not in self.a:
                    raise UnknownAccountError()
                if x[0] not in n:
                    n[x[0]] = self.a[x[0]][1]
                n[x[0]] = n[x[0]] + x[1]
            for k in n:
                if self.a[k][0] is not None:
                    if n[k] < self.a[k][0]:
                        raise OverdraftError()
            for x in p:
                self.a[x[0]][1] = self.a[x[0]][1] + x[1]
                self.a[x[0]][2].append((transaction_id, memo, x[1], self.a[x[0]][1]))
            self.h.append((transaction_id, memo, tuple(p), rev))
            return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        return self.post(reversal_id, None, memo, transaction_id)

    def balance(self, account):
        if account not in self.a:
            raise UnknownAccountError()
        return self.a[account][1]

    def balances(self):
        r = {}
        for k in self.a:
            r[k] = self.a[k][1]
        return r

    def statement(self, account):
        if account not in self.a:
            raise UnknownAccountError()
        return list(self.a[account][2])

    def history(self):
        return [(t[0], t[1], t[2]) for t in self.h]
