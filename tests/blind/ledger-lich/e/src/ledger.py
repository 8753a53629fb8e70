"""A double-entry ledger: what one account gets, others give.

A transaction goes through three hands: it is frozen at the door, judged against the accounts as they stand, and only
then booked. Judging changes nothing and booking can't fail, so a refused transaction leaves no trace.
"""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple


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


class Posting(NamedTuple):
    """What goes into an account (above zero) or out of it."""

    account: str
    amount: Decimal


class Transaction(NamedTuple):
    """Postings that are booked together."""

    transaction_id: str
    memo: str
    postings: tuple[Posting, ...]


class Line(NamedTuple):
    """One posting in the statement of an account."""

    transaction_id: str
    memo: str
    amount: Decimal
    balance: Decimal


@dataclass
class Account:
    """An open account: its limit and what happened to it."""

    minimum: Decimal | None
    lines: list[Line]

    @property
    def balance(self):
        """The balance after the last line."""
        return self.lines[-1].balance if self.lines else Decimal(0)

    def can_bear(self, amounts):
        """Whether it would stand at or above its minimum after these amounts."""
        return self.minimum is None or exact_sum(self.balance, *amounts) >= self.minimum


class Ledger:
    """Accounts and the transactions between them."""

    def __init__(self):
        """A ledger without accounts."""
        self._accounts = {}
        self._transactions = {}
        self._reversed_by = {}

    def open(self, account, minimum=None):
        """Open an account with a balance of zero; it may never end a transaction below the minimum."""
        if account in self._accounts:
            raise DuplicateAccountError(f"{account} is open already")
        self._accounts[account] = Account(minimum, [])

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction whole or not at all: True, or False if this very one is booked already."""
        transaction = Transaction(transaction_id, memo, tuple(Posting(*pair) for pair in postings))
        check_amounts(transaction)
        if self._is_repeat(transaction):
            return False
        check_balanced(transaction)
        self._check_accounts(transaction)
        self._write(transaction)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Post a booked transaction with all signs turned. That can be done once to each transaction."""
        if transaction_id not in self._transactions:
            raise UnknownTransactionError(f"{transaction_id} is not booked")
        if self._reversed_by.get(transaction_id, reversal_id) != reversal_id:
            raise ConflictError(f"{transaction_id} is reversed already, by {self._reversed_by[transaction_id]}")
        original = self._transactions[transaction_id]
        booked = self.post(reversal_id, [(name, amount.copy_negate()) for name, amount in original.postings], memo)
        self._reversed_by[transaction_id] = reversal_id
        return booked

    def balance(self, account):
        """The balance of an account."""
        return self._account(account).balance

    def balances(self):
        """The balances of all accounts, in the order they were opened."""
        return {name: account.balance for name, account in self._accounts.items()}

    def statement(self, account):
        """What happened to an account: (transaction_id, memo, amount, balance) for each posting."""
        return list(self._account(account).lines)

    def history(self):
        """All transactions in the order of booking: (transaction_id, memo, postings)."""
        return list(self._transactions.values())

    def _account(self, name):
        if name not in self._accounts:
            raise UnknownAccountError(f"{name} is not open")
        return self._accounts[name]

    def _is_repeat(self, transaction):
        booked = self._transactions.get(transaction.transaction_id)
        if booked is None:
            return False
        if booked.memo != transaction.memo or Counter(booked.postings) != Counter(transaction.postings):
            raise ConflictError(f"{transaction.transaction_id} is booked with another content")
        return True

    def _check_accounts(self, transaction):
        movements = {}
        for name, amount in transaction.postings:
            self._account(name)
            movements.setdefault(name, []).append(amount)
        for name, amounts in movements.items():
            if not self._accounts[name].can_bear(amounts):
                raise OverdraftError(f"{name} can't bear {transaction.transaction_id}")

    def _write(self, transaction):
        for name, amount in transaction.postings:
            account = self._accounts[name]
            balance = exact_sum(account.balance, amount)
            account.lines.append(Line(transaction.transaction_id, transaction.memo, amount, balance))
        self._transactions[transaction.transaction_id] = transaction


def check_amounts(transaction):
    """Raise unless every amount is a finite Decimal other than zero."""
    for _, amount in transaction.postings:
        if not isinstance(amount, Decimal) or not amount.is_finite() or amount.is_zero():
            raise InvalidAmountError(f"{amount!r} is no amount")


def check_balanced(transaction):
    """Raise unless there are two postings or more that add up to zero."""
    if len(transaction.postings) < 2:
        raise UnbalancedError("a transaction has two postings or more")
    total = exact_sum(*(amount for _, amount in transaction.postings))
    if not total.is_zero():
        raise UnbalancedError(f"the postings are off by {total}")


def exact_sum(*amounts):
    """The sum of finite Decimals, by whole numbers of the smallest unit among them: no context has a say in it."""
    parts = [amount.as_tuple() for amount in amounts]
    unit = min(part.exponent for part in parts)
    total = sum(_whole(part) * 10 ** (part.exponent - unit) for part in parts)
    return Decimal((total < 0, tuple(map(int, str(abs(total)))), unit))


def _whole(part):
    number = int("".join(map(str, part.digits)))
    return -number if part.sign else number
