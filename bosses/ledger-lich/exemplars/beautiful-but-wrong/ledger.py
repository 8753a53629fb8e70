"""A double-entry ledger that is kind to its callers.

Amounts may come as numbers or text; they are brought to cents. Where rounding leaves a difference, it is booked to an
account of its own, so that every transaction balances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

CENT: Final = Decimal("0.01")
ROUNDING_ACCOUNT: Final = "rounding"


class LedgerError(Exception):
    """Base of everything a ledger refuses."""


class InvalidAmountError(LedgerError):
    """Something that can't be brought to cents."""


class UnbalancedError(LedgerError):
    """A transaction without two sides."""


class UnknownAccountError(LedgerError):
    """An account that nobody opened."""


class DuplicateAccountError(LedgerError):
    """An account that is open already."""


class OverdraftError(LedgerError):
    """An account without enough in it."""


class ConflictError(LedgerError):
    """An id that stands for something else."""


class UnknownTransactionError(LedgerError):
    """A transaction that was never booked."""


@dataclass(frozen=True)
class Posting:
    """An amount that goes into an account, or out of it."""

    account: str
    amount: Decimal

    def turned(self) -> Posting:
        """The same with the sign turned."""
        return Posting(self.account, -self.amount)


@dataclass(frozen=True)
class Transaction:
    """Postings under one id."""

    id: str
    memo: str
    postings: tuple[Posting, ...]

    def matches(self, other: Transaction) -> bool:
        """Whether both say the same, in whatever order."""
        return self.memo == other.memo and Counter(self.postings) == Counter(other.postings)

    def as_tuple(self) -> tuple[str, str, tuple[tuple[str, Decimal], ...]]:
        """For callers."""
        return self.id, self.memo, tuple((p.account, p.amount) for p in self.postings)

    def accounts(self) -> Iterator[str]:
        """Each account once."""
        return iter(dict.fromkeys(posting.account for posting in self.postings))

    def effect_on(self, account: str) -> Decimal:
        """What it does to an account."""
        return sum((p.amount for p in self.postings if p.account == account), Decimal(0))


def to_cents(amount: object) -> Decimal:
    """Bring whatever was given to cents.

    Raises:
        InvalidAmountError: It is no number.
    """
    try:
        return Decimal(str(amount)).quantize(CENT, rounding=ROUND_HALF_EVEN)
    except ArithmeticError:
        raise InvalidAmountError(f"{amount!r} is no amount") from None


def balanced(postings: tuple[Posting, ...]) -> tuple[Posting, ...]:
    """The postings, with the difference that rounding has left."""
    if len(postings) < 2:
        raise UnbalancedError("a transaction has two sides")
    difference = sum(posting.amount for posting in postings)
    if not difference:
        return postings
    return (*postings, Posting(ROUNDING_ACCOUNT, -difference))


class Ledger:
    """Accounts and what happened between them."""

    def __init__(self) -> None:
        """A ledger without accounts."""
        self._minimums: dict[str, Decimal | None] = {}
        self._transactions: dict[str, Transaction] = {}
        self._reversals: dict[str, str] = {}

    def open(self, account: str, minimum: Decimal | None = None) -> None:
        """Open an account."""
        if account in self._minimums:
            raise DuplicateAccountError(account)
        self._minimums[account] = minimum

    def post(self, transaction_id: str, postings: Iterable[tuple[str, object]], memo: str = "") -> bool:
        """Book a transaction once."""
        given = tuple(Posting(account, to_cents(amount)) for account, amount in postings)
        return self._book(Transaction(transaction_id, memo, balanced(given)))

    def reverse(self, transaction_id: str, reversal_id: str, memo: str = "") -> bool:
        """Book the opposite of a transaction once."""
        original = self._transactions.get(transaction_id)
        if original is None:
            raise UnknownTransactionError(transaction_id)
        if self._reversals.get(transaction_id, reversal_id) != reversal_id:
            raise ConflictError(transaction_id)
        turned = tuple(posting.turned() for posting in original.postings)
        booked = self._book(Transaction(reversal_id, memo, turned))
        self._reversals[transaction_id] = reversal_id
        return booked

    def balance(self, account: str) -> Decimal:
        """The balance of an account."""
        lines = self.statement(account)
        return lines[-1][3] if lines else Decimal(0)

    def balances(self) -> dict[str, Decimal]:
        """All balances."""
        return {account: self.balance(account) for account in self._minimums}

    def statement(self, account: str) -> list[tuple[str, str, Decimal, Decimal]]:
        """What happened to an account."""
        self._check(account)
        balance, lines = Decimal(0), []
        for transaction in self._transactions.values():
            for posting in transaction.postings:
                if posting.account == account:
                    balance += posting.amount
                    lines.append((transaction.id, transaction.memo, posting.amount, balance))
        return lines

    def history(self) -> list[tuple[str, str, tuple[tuple[str, Decimal], ...]]]:
        """All that was booked."""
        return [transaction.as_tuple() for transaction in self._transactions.values()]

    def _book(self, transaction: Transaction) -> bool:
        known = self._transactions.get(transaction.id)
        if known is not None:
            if not known.matches(transaction):
                raise ConflictError(transaction.id)
            return False
        for account in transaction.accounts():
            self._check_room(account, transaction.effect_on(account))
        self._transactions[transaction.id] = transaction
        return True

    def _check_room(self, account: str, change: Decimal) -> None:
        if account == ROUNDING_ACCOUNT:
            self._minimums.setdefault(account, None)
        self._check(account)
        minimum = self._minimums[account]
        if minimum is not None and self.balance(account) + change < minimum:
            raise OverdraftError(account)

    def _check(self, account: str) -> None:
        if account not in self._minimums:
            raise UnknownAccountError(account)
