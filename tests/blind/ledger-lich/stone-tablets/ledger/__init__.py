"""A double-entry ledger. State is a chain of frozen Books; a refused call simply makes no new one."""

from collections import Counter
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from .errors import (
    ConflictError,
    DuplicateAccountError,
    InvalidAmountError,
    LedgerError,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)
from .money import money, units

__all__ = [
    "ConflictError",
    "DuplicateAccountError",
    "InvalidAmountError",
    "Ledger",
    "LedgerError",
    "OverdraftError",
    "UnbalancedError",
    "UnknownAccountError",
    "UnknownTransactionError",
]


@dataclass(frozen=True)
class Transaction:
    """What was booked under an id."""

    id: str
    memo: str
    postings: tuple
    reverses: str | None = None

    def content(self):
        """What makes two transactions the same, in whatever order they were written."""
        return self.memo, Counter(self.postings)


@dataclass(frozen=True)
class Book:
    """Everything a ledger knows at one moment."""

    minimums: MappingProxyType = field(default_factory=lambda: MappingProxyType({}))
    sums: MappingProxyType = field(default_factory=lambda: MappingProxyType({}))
    entries: tuple = ()

    def find(self, transaction_id):
        """The transaction booked under an id, or None."""
        return next((entry for entry in self.entries if entry.id == transaction_id), None)

    def with_account(self, name, minimum):
        """This book and one more account."""
        if name in self.sums:
            raise DuplicateAccountError(name)
        floors = {**self.minimums, name: minimum}
        return replace(self, minimums=MappingProxyType(floors), sums=MappingProxyType({**self.sums, name: 0}))

    def with_transaction(self, entry):
        """This book and one more transaction, if it is a good one."""
        sums = dict(self.sums)
        total = 0
        for account, amount in entry.postings:
            if account not in sums:
                raise UnknownAccountError(account)
            number = units(amount)
            sums[account] += number
            total += number
        if total or len(entry.postings) < 2:
            raise UnbalancedError(f"{len(entry.postings)} postings leave {money(total)}")
        for account, _ in entry.postings:
            floor = self.minimums[account]
            if floor is not None and money(sums[account]) < floor:
                raise OverdraftError(f"{account} would stand at {money(sums[account])}")
        return replace(self, sums=MappingProxyType(sums), entries=(*self.entries, entry))


class Ledger:
    """Holds the newest book."""

    def __init__(self):
        self._book = Book()

    def open(self, account, minimum=None):
        """Open an account, with the lowest balance it may have."""
        self._book = self._book.with_account(account, minimum)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction; False if that had been done before."""
        frozen = tuple((account, amount) for account, amount in postings)
        return self._book_once(Transaction(transaction_id, memo, frozen))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book a transaction again with all signs turned; only once."""
        original = self._book.find(transaction_id)
        if original is None:
            raise UnknownTransactionError(transaction_id)
        earlier = [entry.id for entry in self._book.entries if entry.reverses == transaction_id]
        if earlier and earlier != [reversal_id]:
            raise ConflictError(f"{transaction_id} is reversed by {earlier[0]}")
        turned = tuple((account, amount.copy_negate()) for account, amount in original.postings)
        return self._book_once(Transaction(reversal_id, memo, turned, transaction_id))

    def balance(self, account):
        """What stands on an account."""
        self._must_be_open(account)
        return money(self._book.sums[account])

    def balances(self):
        """What stands on all accounts."""
        return {account: money(number) for account, number in self._book.sums.items()}

    def statement(self, account):
        """Every posting to an account, and where it left the account."""
        self._must_be_open(account)
        lines, number = [], 0
        for entry in self._book.entries:
            for name, amount in entry.postings:
                if name == account:
                    number += units(amount)
                    lines.append((entry.id, entry.memo, amount, money(number)))
        return lines

    def history(self):
        """Every transaction."""
        return [(entry.id, entry.memo, entry.postings) for entry in self._book.entries]

    def _must_be_open(self, account):
        if account not in self._book.sums:
            raise UnknownAccountError(account)

    def _book_once(self, entry):
        booked = self._book.find(entry.id)
        if booked is None:
            self._book = self._book.with_transaction(entry)
            return True
        if booked.content() != entry.content():
            raise ConflictError(f"{entry.id} is booked with another content")
        return False
