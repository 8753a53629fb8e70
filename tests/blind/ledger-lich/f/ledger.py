"""A double-entry ledger.

post reads as it works: freeze the transaction, recognise a repeat, judge it, enter it. What a good transaction is stands
in check_amounts, check_balance and Ledger._check_limits, the arithmetic in add and net.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

_ZERO = Decimal(0)
_EXACT = Context(prec=600, Emax=MAX_EMAX, Emin=MIN_EMIN)


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


def add(one, other):
    """The exact sum of two Decimals."""
    return _EXACT.add(one, other)


def net(postings):
    """What each account gets altogether, in the order in which the accounts appear."""
    totals = {}
    for account, amount in postings:
        totals[account] = add(totals.get(account, _ZERO), amount)
    return totals


def check_amounts(postings):
    """Raise InvalidAmountError unless every amount is one."""
    for _, amount in postings:
        if not (isinstance(amount, Decimal) and amount.is_finite() and not amount.is_zero()):
            raise InvalidAmountError(f"not an amount: {amount!r}")


def check_balance(postings):
    """Raise UnbalancedError unless there are two postings or more that add up to zero."""
    if len(postings) < 2:
        raise UnbalancedError("a transaction has at least two postings")
    rest = _ZERO
    for _, amount in postings:
        rest = add(rest, amount)
    if not rest.is_zero():
        raise UnbalancedError(f"{rest} is left over")


@dataclass(frozen=True)
class Transaction:
    """A transaction, from the moment it is handed in."""

    id: str
    postings: tuple[tuple[str, Decimal], ...]
    memo: str

    @classmethod
    def freeze(cls, id, postings, memo):
        """Take a copy of the postings that nobody can change."""
        return cls(id, tuple((account, amount) for account, amount in postings), memo)

    def turned(self, id, memo):
        """The transaction that undoes this one."""
        return Transaction(id, tuple((account, amount.copy_negate()) for account, amount in self.postings), memo)

    def is_same(self, other):
        """Whether memo and postings are the same, the latter in any order."""
        return self.memo == other.memo and Counter(self.postings) == Counter(other.postings)


@dataclass
class Account:
    """An account with its statement: a line for each transaction that moved it."""

    minimum: Decimal | None
    balance: Decimal = _ZERO
    lines: list[tuple] = field(default_factory=list)

    def bears(self, amount):
        """Whether it would not fall below its minimum."""
        return self.minimum is None or add(self.balance, amount) >= self.minimum

    def enter(self, transaction, amount):
        """Write what a transaction adds to this account."""
        self.balance = add(self.balance, amount)
        self.lines.append((transaction.id, transaction.memo, amount, self.balance))


class Ledger:
    """Accounts and the transactions between them."""

    def __init__(self):
        """A ledger without accounts."""
        self._accounts = {}
        self._transactions = {}
        self._reversals = {}

    def open(self, account, minimum=None):
        """Open an account with a balance of zero."""
        if account in self._accounts:
            raise DuplicateAccountError(account)
        self._accounts[account] = Account(minimum)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction: True, or False if it had been booked before."""
        return self._book(Transaction.freeze(transaction_id, postings, memo))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book a transaction again with all signs turned; possible once."""
        if transaction_id not in self._transactions:
            raise UnknownTransactionError(transaction_id)
        if self._reversals.get(transaction_id, reversal_id) != reversal_id:
            raise ConflictError(f"{transaction_id} was reversed by {self._reversals[transaction_id]}")
        booked = self._book(self._transactions[transaction_id].turned(reversal_id, memo))
        self._reversals[transaction_id] = reversal_id
        return booked

    def balance(self, account):
        """The balance of an account."""
        return self._account(account).balance

    def balances(self):
        """All accounts, in the order they were opened, with their balances."""
        return {name: account.balance for name, account in self._accounts.items()}

    def statement(self, account):
        """A tuple (transaction_id, memo, amount, balance) for each transaction that moved the account."""
        return list(self._account(account).lines)

    def history(self):
        """A tuple (transaction_id, memo, postings) for each transaction."""
        return [(each.id, each.memo, each.postings) for each in self._transactions.values()]

    def _account(self, name):
        if name not in self._accounts:
            raise UnknownAccountError(name)
        return self._accounts[name]

    def _book(self, transaction):
        check_amounts(transaction.postings)
        if self._is_booked(transaction):
            return False
        check_balance(transaction.postings)
        movements = net(transaction.postings)
        self._check_limits(movements)
        for name, amount in movements.items():
            if amount:
                self._accounts[name].enter(transaction, amount)
        self._transactions[transaction.id] = transaction
        return True

    def _is_booked(self, transaction):
        booked = self._transactions.get(transaction.id)
        if booked is None:
            return False
        if not booked.is_same(transaction):
            raise ConflictError(f"{transaction.id} is booked with another content")
        return True

    def _check_limits(self, movements):
        for name, amount in movements.items():
            if not self._account(name).bears(amount):
                raise OverdraftError(name)
