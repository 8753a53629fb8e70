"""Ledger."""

from decimal import Decimal


class LedgerError(Exception):
    pass


class Ledger:
    def __init__(self):
        self.accounts = {}

    def open(self, account, minimum=None):
        self.accounts[account] = Account(account, minimum)

    def post(self, transaction_id, postings, memo=""):
        for account, amount in postings:
            self.accounts[account].add(amount)
        self.journal.append((transaction_id, memo, postings))
        return True

    def balance(self, account):
        return self.accounts[account].balance

    def balances(self):
        return {name: account.balance for name, account in self.accounts.items()}

    def statement(self, account):
        return self.accounts[account].lines

    def history(self):
        return self.journal


class Account:
    def __init__(self, name, minimum):
        self.name = name
        self.minimum = minimum
        self.balance = Decimal(0)

    def add(self, amount):
        self.balance = self.balance + Decimal(amount)
        self.lines.append(amount)
