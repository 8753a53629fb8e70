"""A double-entry ledger: what one account gets, others give, exactly, once, and for good."""

from collections import Counter
from collections.abc import Iterable
from decimal import Context, Decimal, InvalidOperation
from functools import reduce
from typing import NamedTuple

_EXACT = Context(prec=200, traps=[InvalidOperation])
_FEWEST_POSTINGS = 2


class LedgerError(Exception):
    """A call that the ledger refuses. It has changed nothing."""


class InvalidAmountError(LedgerError):
    """An amount that is no finite Decimal other than zero."""


class UnbalancedError(LedgerError):
    """Postings that are too few, or do not add up to zero."""


class UnknownAccountError(LedgerError):
    """An account that is not open."""


class DuplicateAccountError(LedgerError):
    """An account that is open already."""


class OverdraftError(LedgerError):
    """A transaction that would leave an account below its minimum."""


class ConflictError(LedgerError):
    """An id, or a transaction to reverse, that is taken by something else."""


class UnknownTransactionError(LedgerError):
    """A transaction that is not booked."""


class Posting(NamedTuple):
    """One amount into (above zero) or out of (below zero) an account."""

    account: str
    amount: Decimal


class Transaction(NamedTuple):
    """Postings that are booked together."""

    transaction_id: str
    memo: str
    postings: tuple[Posting, ...]

    def says_the_same_as(self, other: "Transaction") -> bool:
        """Whether both have one memo, and the same postings in whatever order."""
        return self.memo == other.memo and Counter(self.postings) == Counter(other.postings)


class Line(NamedTuple):
    """One line of a statement."""

    transaction_id: str
    memo: str
    amount: Decimal
    balance: Decimal


class Ledger:
    """Accounts and the transactions between them.

    A transaction is frozen and checked before anything changes; booking it then is two assignments that can't fail.
    """

    def __init__(self) -> None:
        """A ledger without accounts."""
        self._minimums: dict[str, Decimal | None] = {}
        self._balances: dict[str, Decimal] = {}
        self._booked: dict[str, Transaction] = {}
        self._reversals: dict[str, str] = {}

    def open(self, account: str, minimum: Decimal | None = None) -> None:
        """Open an account with a balance of zero.

        Raises:
            DuplicateAccountError: It is open already.
        """
        if account in self._balances:
            raise DuplicateAccountError(f"{account} is open already")
        self._minimums[account] = minimum
        self._balances[account] = Decimal(0)

    def post(self, transaction_id: str, postings: Iterable[tuple[str, Decimal]], memo: str = "") -> bool:
        """Book a transaction; False if this very one had been booked before.

        Raises:
            LedgerError: One of its kinds, when the transaction is not a good one.
        """
        frozen = tuple(Posting(account, amount) for account, amount in postings)
        return self._book(Transaction(transaction_id, memo, frozen))

    def reverse(self, transaction_id: str, reversal_id: str, memo: str = "") -> bool:
        """Book the postings of a transaction with their signs turned; False if that was done before.

        Raises:
            UnknownTransactionError: There is no such transaction.
            ConflictError: It was reversed under another id, or the reversal's id is taken.
            OverdraftError: An account can't bear the reversal.
        """
        if transaction_id not in self._booked:
            raise UnknownTransactionError(f"{transaction_id} is not booked")
        known = self._reversals.get(transaction_id, reversal_id)
        if known != reversal_id:
            raise ConflictError(f"{transaction_id} was reversed by {known}")
        postings = self._booked[transaction_id].postings
        turned = tuple(Posting(account, amount.copy_negate()) for account, amount in postings)
        is_new = self._book(Transaction(reversal_id, memo, turned))
        self._reversals[transaction_id] = reversal_id
        return is_new

    def balance(self, account: str) -> Decimal:
        """The balance of an account.

        Raises:
            UnknownAccountError: It is not open.
        """
        self._check_open(account)
        return self._balances[account]

    def balances(self) -> dict[str, Decimal]:
        """The balances of all accounts, in the order they were opened."""
        return dict(self._balances)

    def statement(self, account: str) -> list[Line]:
        """One line for each posting to an account, with the balance right after it.

        Raises:
            UnknownAccountError: It is not open.
        """
        self._check_open(account)
        balance, lines = Decimal(0), list[Line]()
        for transaction_id, memo, postings in self._booked.values():
            for posting in postings:
                if posting.account == account:
                    balance = _EXACT.add(balance, posting.amount)
                    lines.append(Line(transaction_id, memo, posting.amount, balance))
        return lines

    def history(self) -> list[Transaction]:
        """All transactions in the order of booking."""
        return list(self._booked.values())

    def _book(self, transaction: Transaction) -> bool:
        check_amounts(transaction.postings)
        known = self._booked.get(transaction.transaction_id)
        if known is not None:
            if known.says_the_same_as(transaction):
                return False
            raise ConflictError(f"{transaction.transaction_id} is booked with another content")
        check_balance(transaction.postings)
        after = self._balances_after(transaction.postings)
        self._balances.update(after)
        self._booked[transaction.transaction_id] = transaction
        return True

    def _balances_after(self, postings: tuple[Posting, ...]) -> dict[str, Decimal]:
        """The new balances of the accounts that the postings touch."""
        after: dict[str, Decimal] = {}
        for account, amount in postings:
            self._check_open(account)
            after[account] = _EXACT.add(after.get(account, self._balances[account]), amount)
        for account, balance in after.items():
            minimum = self._minimums[account]
            if minimum is not None and balance < minimum:
                raise OverdraftError(f"{account} would stand at {balance}, below {minimum}")
        return after

    def _check_open(self, account: str) -> None:
        if account not in self._balances:
            raise UnknownAccountError(f"{account} is not open")


def check_amounts(postings: Iterable[Posting]) -> None:
    """Refuse what is no amount.

    Raises:
        InvalidAmountError: An amount is no Decimal, not finite, or zero.
    """
    for account, amount in postings:
        if not isinstance(amount, Decimal):
            raise InvalidAmountError(f"{amount!r} for {account} is not a Decimal")
        if not amount.is_finite() or amount == 0:
            raise InvalidAmountError(f"{amount} for {account} is not an amount")


def check_balance(postings: tuple[Posting, ...]) -> None:
    """Refuse what is no double entry.

    Raises:
        UnbalancedError: The postings are too few, or do not add up to zero.
    """
    if len(postings) < _FEWEST_POSTINGS:
        raise UnbalancedError("a transaction has two postings or more")
    total = reduce(_EXACT.add, (posting.amount for posting in postings))
    if total != 0:
        raise UnbalancedError(f"the postings are {total} away from zero")
