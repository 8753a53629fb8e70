"""The ledger: accounts, and an append-only list of transactions."""

from dataclasses import dataclass

from .errors import (
    ConflictError,
    DuplicateAccountError,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)
from .money import as_decimal, exact_units, units


@dataclass(frozen=True)
class Entry:
    """A booked transaction; postings are pairs of account and units."""

    id: str
    memo: str
    postings: tuple
    reverses: str = None

    def published(self):
        """As callers see it."""
        return self.id, self.memo, tuple((account, as_decimal(amount)) for account, amount in self.postings)


def check_balanced(postings):
    """Refuse postings that are no double entry."""
    if len(postings) < 2:
        raise UnbalancedError("a transaction needs two postings")
    if sum(amount for _, amount in postings):
        raise UnbalancedError("the postings do not add up to zero")


class Ledger:
    """Keeps accounts; all amounts inside are whole numbers of units."""

    def __init__(self):
        self._minimums = {}
        self._totals = {}
        self._entries = {}

    def open(self, account, minimum=None):
        """Open an account."""
        if account in self._totals:
            raise DuplicateAccountError(account)
        self._minimums[account] = None if minimum is None else exact_units(minimum)
        self._totals[account] = 0

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction, unless it is booked already."""
        converted = tuple((account, units(amount)) for account, amount in postings)
        return self._append(Entry(transaction_id, memo, converted))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the opposite of a transaction."""
        if transaction_id not in self._entries:
            raise UnknownTransactionError(transaction_id)
        if any(e.reverses == transaction_id and e.id != reversal_id for e in self._entries.values()):
            raise ConflictError(f"{transaction_id} was reversed before")
        opposite = tuple((account, -amount) for account, amount in self._entries[transaction_id].postings)
        return self._append(Entry(reversal_id, memo, opposite, transaction_id))

    def balance(self, account):
        """The balance of one account."""
        return as_decimal(self._total(account))

    def balances(self):
        """The balances of all accounts."""
        return {account: as_decimal(total) for account, total in self._totals.items()}

    def statement(self, account):
        """What happened to one account."""
        self._total(account)
        lines, total = [], 0
        for entry in self._entries.values():
            for other, amount in entry.postings:
                if other == account:
                    total += amount
                    lines.append((entry.id, entry.memo, as_decimal(amount), as_decimal(total)))
        return lines

    def history(self):
        """All transactions."""
        return [entry.published() for entry in self._entries.values()]

    def _append(self, entry):
        known = self._entries.get(entry.id)
        if known is not None:
            if (known.memo, known.postings) != (entry.memo, entry.postings):
                raise ConflictError(f"{entry.id} is booked with another content")
            return False
        check_balanced(entry.postings)
        self._totals.update(self._totals_after(entry))
        self._entries[entry.id] = entry
        return True

    def _totals_after(self, entry):
        after = {}
        for account, amount in entry.postings:
            after[account] = after.get(account, self._total(account)) + amount
        for account, total in after.items():
            minimum = self._minimums[account]
            if minimum is not None and total < minimum:
                raise OverdraftError(account)
        return after

    def _total(self, account):
        if account not in self._totals:
            raise UnknownAccountError(account)
        return self._totals[account]
