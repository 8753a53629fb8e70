"""Ledger of accounts, postings and transactions."""

import collections
import decimal
from decimal import Decimal

Posting = collections.namedtuple("Posting", "account amount")
Transaction = collections.namedtuple("Transaction", "id memo postings")
Line = collections.namedtuple("Line", "id memo amount balance")

PRECISION = 200


class LedgerError(Exception):
    """Base of all errors of the ledger."""


class InvalidAmountError(LedgerError):
    """Not a finite Decimal other than zero."""


class UnbalancedError(LedgerError):
    """Postings that do not add up to zero."""


class UnknownAccountError(LedgerError):
    """Account that is not open."""


class DuplicateAccountError(LedgerError):
    """Account that is open already."""


class OverdraftError(LedgerError):
    """Account that would end below its minimum."""


class ConflictError(LedgerError):
    """Id that is used for something else."""


class UnknownTransactionError(LedgerError):
    """Transaction that is not booked."""


def exact_sum(amounts):
    """Sum of Decimals without rounding."""
    context = decimal.Context(prec=PRECISION, traps=[decimal.Inexact])
    result = Decimal(0)
    for amount in amounts:
        result = context.add(result, amount)
    return result


def validate(postings):
    """Raise unless these are amounts that add up to zero."""
    for posting in postings:
        if not isinstance(posting.amount, Decimal):
            raise InvalidAmountError(f"amount must be a Decimal: {posting.amount!r}")
        if not posting.amount.is_finite() or not posting.amount:
            raise InvalidAmountError(f"amount must be finite and not zero: {posting.amount}")
    if len(postings) < 2:
        raise UnbalancedError("at least two postings are needed")
    if exact_sum(posting.amount for posting in postings):
        raise UnbalancedError("postings do not add up to zero")


def same_content(one, other):
    """Compare two transactions by memo and postings in any order."""
    return one.memo == other.memo and collections.Counter(one.postings) == collections.Counter(other.postings)


class Ledger:
    """Book of transactions."""

    def __init__(self):
        """Create an empty book."""
        self._minimums = {}
        self._lines = {}
        self._transactions = {}
        self._reversals = {}

    def open(self, account, minimum=None):
        """Open an account."""
        if account in self._lines:
            raise DuplicateAccountError(f"account {account} is already open")
        self._minimums[account] = minimum
        self._lines[account] = []

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction, return False if it is a repeat."""
        transaction = Transaction(transaction_id, memo, tuple(Posting(*posting) for posting in postings))
        validate(transaction.postings)
        if transaction_id in self._transactions:
            if same_content(self._transactions[transaction_id], transaction):
                return False
            raise ConflictError(f"{transaction_id} is booked with another content")
        self._check_accounts(transaction.postings)
        self._book(transaction)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book a transaction with all signs turned, return False if it is a repeat."""
        if transaction_id not in self._transactions:
            raise UnknownTransactionError(f"{transaction_id} is not booked")
        if self._reversals.get(transaction_id, reversal_id) != reversal_id:
            raise ConflictError(f"{transaction_id} has been reversed already")
        postings = [(account, -amount) for account, amount in self._transactions[transaction_id].postings]
        booked = self.post(reversal_id, postings, memo)
        self._reversals[transaction_id] = reversal_id
        return booked

    def balance(self, account):
        """Return the balance of an account."""
        lines = self._lines_of(account)
        return lines[-1].balance if lines else Decimal(0)

    def balances(self):
        """Return all balances in the order of opening."""
        return {account: self.balance(account) for account in self._lines}

    def statement(self, account):
        """Return the lines of an account."""
        return [tuple(line) for line in self._lines_of(account)]

    def history(self):
        """Return all transactions in the order of booking."""
        return [
            (transaction.id, transaction.memo, tuple(tuple(posting) for posting in transaction.postings))
            for transaction in self._transactions.values()
        ]

    def _lines_of(self, account):
        if account not in self._lines:
            raise UnknownAccountError(f"account {account} is not open")
        return self._lines[account]

    def _check_accounts(self, postings):
        changes = collections.defaultdict(list)
        for posting in postings:
            changes[posting.account].append(posting.amount)
        for account, amounts in changes.items():
            end = exact_sum([self.balance(account), *amounts])
            minimum = self._minimums[account]
            if minimum is not None and end < minimum:
                raise OverdraftError(f"{account} would end at {end}, below {minimum}")

    def _book(self, transaction):
        for posting in transaction.postings:
            balance = exact_sum([self.balance(posting.account), posting.amount])
            self._lines[posting.account].append(Line(transaction.id, transaction.memo, posting.amount, balance))
        self._transactions[transaction.id] = transaction
