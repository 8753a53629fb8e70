class LedgerError(Exception):
    pass


class Ledger:
    def __init__(self):
        self.accounts = {}
        self.log = []

    def open(self, account, minimum=None):
        self.accounts[account] = 0.0

    def post(self, transaction_id, postings, memo=""):
        postings = list(postings)
        total = 0.0
        for account, amount in postings:
            total += float(amount)
        if round(total, 2) != 0:
            raise ValueError("not balanced")
        if len(postings) < 2:
            raise ValueError("not balanced")
        for account, amount in postings:
            self.accounts[account] += float(amount)
            self.log.append([transaction_id, memo, account, amount])
        return True

    def balance(self, account):
        return round(self.accounts[account], 2)

    def balances(self):
        result = {}
        for account in self.accounts:
            result[account] = self.balance(account)
        return result

    def statement(self, account):
        # one row per posting
        return [row for row in self.log if row[2] == account]

    def history(self):
        return self.log
