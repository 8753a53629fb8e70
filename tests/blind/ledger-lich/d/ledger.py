"""A double-entry ledger: what one account gets, others give, to the last digit."""

from collections import Counter
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact
from typing import NamedTuple

_EXACT = Context(prec=1000, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


class LedgerError(Exception):
    """Something was refused, and nothing was changed."""


class InvalidAmountError(LedgerError):
    """Not a Decimal, not finite, or zero."""


class UnbalancedError(LedgerError):
    """Amounts that do not add up to zero, or fewer than two postings."""


class UnknownAccountError(LedgerError):
    """An account that is not open."""


class DuplicateAccountError(LedgerError):
    """An account that is open already."""


class OverdraftError(LedgerError):
    """An account would end below its minimum."""


class ConflictError(LedgerError):
    """An id is taken by another transaction, or a transaction is reversed already."""


class UnknownTransactionError(LedgerError):
    """A transaction that is not booked."""


class Transaction(NamedTuple):
    """What history hands out; immutable throughout."""

    id: str
    memo: str
    postings: tuple

    def same_as(self, other):
        """Whether both say the same, in whatever order."""
        return self.memo == other.memo and Counter(self.postings) == Counter(other.postings)


class Ledger:
    """Accounts and the transactions between them."""

    def __init__(self):
        """A ledger without accounts."""
        self._minimums = {}
        self._balances = {}
        self._booked = {}  # id -> Transaction, in the order of booking
        self._reversals = {}  # id -> id of its reversal

    def open(self, account, minimum=None):
        """Open an account with a balance of zero and, perhaps, a lowest balance."""
        if account in self._balances:
            raise DuplicateAccountError(account)
        self._minimums[account] = minimum
        self._balances[account] = Decimal(0)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction; False if this very one had been booked before."""
        postings = tuple((account, amount) for account, amount in postings)
        return self._book(Transaction(transaction_id, memo, postings))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book a transaction with all signs turned, once."""
        if transaction_id not in self._booked:
            raise UnknownTransactionError(transaction_id)
        earlier = self._reversals.get(transaction_id, reversal_id)
        if earlier != reversal_id:
            raise ConflictError(f"{transaction_id} is reversed by {earlier}")
        turned = tuple((account, amount.copy_negate()) for account, amount in self._booked[transaction_id].postings)
        booked = self._book(Transaction(reversal_id, memo, turned))
        self._reversals[transaction_id] = reversal_id
        return booked

    def balance(self, account):
        """The balance of an account."""
        self._require(account)
        return self._balances[account]

    def balances(self):
        """All balances, in the order the accounts were opened."""
        return dict(self._balances)

    def statement(self, account):
        """(id, memo, amount, balance) for each posting to the account."""
        self._require(account)
        lines, balance = [], Decimal(0)
        for transaction in self._booked.values():
            for name, amount in transaction.postings:
                if name == account:
                    balance = _EXACT.add(balance, amount)
                    lines.append((transaction.id, transaction.memo, amount, balance))
        return lines

    def history(self):
        """All transactions, in the order of booking."""
        return list(self._booked.values())

    def _book(self, transaction):
        _check_amounts(transaction.postings)
        if transaction.id in self._booked:
            if not transaction.same_as(self._booked[transaction.id]):
                raise ConflictError(f"{transaction.id} is booked with another content")
            return False
        _check_balanced(transaction.postings)
        self._balances |= self._balances_after(transaction.postings)
        self._booked[transaction.id] = transaction
        return True

    def _balances_after(self, postings):
        after = {}
        for account, amount in postings:
            self._require(account)
            after[account] = _EXACT.add(after.get(account, self._balances[account]), amount)
        for account, balance in after.items():
            minimum = self._minimums[account]
            if minimum is not None and balance < minimum:
                raise OverdraftError(f"{account} would stand at {balance}, below {minimum}")
        return after

    def _require(self, account):
        if account not in self._balances:
            raise UnknownAccountError(account)


def _check_amounts(postings):
    for _, amount in postings:
        if not isinstance(amount, Decimal) or not amount.is_finite() or amount.is_zero():
            raise InvalidAmountError(f"{amount!r} is no amount")


def _check_balanced(postings):
    if len(postings) < 2:
        raise UnbalancedError("a transaction has two postings or more")
    total = Decimal(0)
    for _, amount in postings:
        total = _EXACT.add(total, amount)
    if not total.is_zero():
        raise UnbalancedError(f"off by {total}")
