"""A double-entry ledger: what one account gets, others give, to the last digit."""

from __future__ import annotations

import decimal
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from typing import NamedTuple

_ZERO = Decimal(0)
_EXACT = decimal.Context(
    prec=9999,
    Emin=decimal.MIN_EMIN,
    Emax=decimal.MAX_EMAX,
    traps=[decimal.Inexact, decimal.InvalidOperation],
)


class LedgerError(Exception):
    """A call was refused, and nothing was changed."""


class InvalidAmountError(LedgerError):
    """Something is no amount: no Decimal, not finite, or zero."""


class UnbalancedError(LedgerError):
    """The amounts do not add up to zero, or there are fewer than two."""


class UnknownAccountError(LedgerError):
    """The account is not open."""


class DuplicateAccountError(LedgerError):
    """The account is open already."""


class OverdraftError(LedgerError):
    """An account would end below its minimum."""


class ConflictError(LedgerError):
    """The id is booked with another content, or the transaction is reversed under another id."""


class UnknownTransactionError(LedgerError):
    """The transaction is not booked."""


class Posting(NamedTuple):
    """What goes into an account, or out of it."""

    account: str
    amount: Decimal

    def turned(self) -> Posting:
        """The same with the other sign."""
        return Posting(self.account, self.amount.copy_negate())


@dataclass(frozen=True)
class Transaction:
    """A transaction as it was given."""

    id: str
    memo: str
    postings: tuple[Posting, ...]

    def same_as(self, other: Transaction) -> bool:
        """Whether both have the same content, in whatever order."""
        return self.memo == other.memo and Counter(self.postings) == Counter(other.postings)

    def as_tuple(self) -> tuple:
        """The form in which history shows it."""
        return self.id, self.memo, tuple(tuple(posting) for posting in self.postings)


@dataclass
class Account:
    """Where money is."""

    minimum: Decimal | None
    balance: Decimal = _ZERO

    def bears(self, balance: Decimal) -> bool:
        """Whether the account may have that balance."""
        return self.minimum is None or balance >= self.minimum


def total(amounts: Iterable[Decimal]) -> Decimal:
    """The exact sum, whatever context is in force."""
    return reduce(_EXACT.add, amounts, _ZERO)


def freeze(transaction_id: str, postings: Iterable, memo: str) -> Transaction:
    """A transaction that nobody can change; its amounts are amounts."""
    frozen = tuple(Posting(account, amount) for account, amount in postings)
    for posting in frozen:
        check_amount(posting.amount)
    return Transaction(transaction_id, memo, frozen)


def check_amount(amount: object) -> None:
    """Refuse whatever is no amount."""
    if not isinstance(amount, Decimal):
        raise InvalidAmountError(f"not a Decimal: {amount!r}")
    if not amount.is_finite() or amount.is_zero():
        raise InvalidAmountError(f"not finite, or zero: {amount!r}")


def check_balanced(transaction: Transaction) -> None:
    """Refuse what does not add up."""
    if len(transaction.postings) < 2:
        raise UnbalancedError(f"{transaction.id}: fewer than two postings")
    rest = total(posting.amount for posting in transaction.postings)
    if not rest.is_zero():
        raise UnbalancedError(f"{transaction.id}: {rest} is left over")


class Ledger:
    """Accounts, and the transactions between them in the order of booking."""

    def __init__(self) -> None:
        """A ledger without accounts."""
        self._accounts: dict[str, Account] = {}
        self._booked: dict[str, Transaction] = {}
        self._reversed_by: dict[str, str] = {}

    def open(self, account: str, minimum: Decimal | None = None) -> None:
        """Open an account with a balance of zero."""
        if account in self._accounts:
            raise DuplicateAccountError(f"{account} is open already")
        self._accounts[account] = Account(minimum)

    def post(self, transaction_id: str, postings: Iterable, memo: str = "") -> bool:
        """Book a transaction; whether it was booked now."""
        return self._post(freeze(transaction_id, postings, memo))

    def reverse(self, transaction_id: str, reversal_id: str, memo: str = "") -> bool:
        """Book the contrary of a transaction, once."""
        original = self._booked.get(transaction_id)
        if original is None:
            raise UnknownTransactionError(f"{transaction_id} is not booked")
        known = self._reversed_by.get(transaction_id, reversal_id)
        if known != reversal_id:
            raise ConflictError(f"{transaction_id} is reversed by {known}")
        booked = self._post(freeze(reversal_id, (posting.turned() for posting in original.postings), memo))
        self._reversed_by[transaction_id] = reversal_id
        return booked

    def balance(self, account: str) -> Decimal:
        """The balance of an account."""
        return self._account(account).balance

    def balances(self) -> dict[str, Decimal]:
        """All balances, in the order in which accounts were opened."""
        return {name: account.balance for name, account in self._accounts.items()}

    def statement(self, account: str) -> list[tuple[str, str, Decimal, Decimal]]:
        """One line for each posting to an account."""
        self._account(account)
        lines, balance = [], _ZERO
        for transaction in self._booked.values():
            for posting in transaction.postings:
                if posting.account == account:
                    balance = total((balance, posting.amount))
                    lines.append((transaction.id, transaction.memo, posting.amount, balance))
        return lines

    def history(self) -> list[tuple]:
        """All transactions as they were given."""
        return [transaction.as_tuple() for transaction in self._booked.values()]

    def _account(self, name: str) -> Account:
        try:
            return self._accounts[name]
        except KeyError:
            raise UnknownAccountError(f"{name} is not open") from None

    def _post(self, transaction: Transaction) -> bool:
        booked = self._booked.get(transaction.id)
        if booked is not None:
            if not booked.same_as(transaction):
                raise ConflictError(f"{transaction.id} is booked with another content")
            return False
        check_balanced(transaction)
        balances = self._balances_after(transaction)
        self._check_minimums(balances)
        self._book(transaction, balances)
        return True

    def _balances_after(self, transaction: Transaction) -> dict[str, Decimal]:
        balances: dict[str, Decimal] = {}
        for name, amount in transaction.postings:
            before = balances.get(name, self._account(name).balance)
            balances[name] = total((before, amount))
        return balances

    def _check_minimums(self, balances: dict[str, Decimal]) -> None:
        for name, balance in balances.items():
            if not self._accounts[name].bears(balance):
                raise OverdraftError(f"{name} would end at {balance}")

    def _book(self, transaction: Transaction, balances: dict[str, Decimal]) -> None:
        for name, balance in balances.items():
            self._accounts[name].balance = balance
        self._booked[transaction.id] = transaction
