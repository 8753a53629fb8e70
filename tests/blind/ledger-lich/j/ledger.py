"""A ledger as a fold: a book is a value, booking makes the next one, and Ledger only remembers which is the latest."""

from decimal import Decimal, localcontext
from functools import reduce
from typing import NamedTuple


class LedgerError(Exception):
    """Base of all refusals."""


def _refusal(name, text):
    return type(name, (LedgerError,), {"__doc__": text, "__module__": __name__})


InvalidAmountError = _refusal("InvalidAmountError", "No finite Decimal other than zero.")
UnbalancedError = _refusal("UnbalancedError", "Does not add up to zero.")
UnknownAccountError = _refusal("UnknownAccountError", "An account that is not open.")
DuplicateAccountError = _refusal("DuplicateAccountError", "An account that is open.")
OverdraftError = _refusal("OverdraftError", "Below the minimum.")
ConflictError = _refusal("ConflictError", "Booked with another content.")
UnknownTransactionError = _refusal("UnknownTransactionError", "Not booked.")


class Book(NamedTuple):
    """Everything there is to know. Never changed, only replaced."""

    minimums: dict = {}
    lines: tuple = ()  # (id, memo, postings)
    reversals: dict = {}  # id -> id of its reversal


def exactly(fold):
    """Let a function calculate without rounding."""

    def calculated(*args):
        with localcontext() as context:
            context.prec = 100
            return fold(*args)

    return calculated


@exactly
def total(amounts):
    """The sum of the amounts."""
    return sum(amounts, Decimal(0))


def amounts_of(book, account):
    """(id, memo, amount) of all postings to an account."""
    return ((name, memo, amount) for name, memo, postings in book.lines for to, amount in postings if to == account)


def balance_of(book, account):
    """What an account holds."""
    return total(amount for _, _, amount in amounts_of(book, account))


def canonical(postings):
    """The same for the same postings in any order."""
    return sorted(postings)


def turned(postings):
    """The postings with all signs turned."""
    return tuple((account, -amount) for account, amount in postings)


def check_posting(book, posting):
    """Raise for a posting that is none."""
    match posting:
        case (_, Decimal() as amount) if not amount.is_finite() or not amount:
            raise InvalidAmountError(amount)
        case (account, Decimal()) if account not in book.minimums:
            raise UnknownAccountError(account)
        case (_, Decimal()):
            return
        case (_, other):
            raise InvalidAmountError(other)


def check_minimums(book, postings):
    """Raise if an account of the postings stands below its minimum in the book."""
    for account in {account for account, _ in postings}:
        match book.minimums[account]:
            case None:
                continue
            case minimum if balance_of(book, account) < minimum:
                raise OverdraftError(account)


def booked(book, name, memo, postings):
    """The book with one more transaction, or the same book if that is in it."""
    for posting in postings:
        check_posting(book, posting)
    match [line for line in book.lines if line[0] == name]:
        case [(_, old_memo, old)] if old_memo == memo and canonical(old) == canonical(postings):
            return book
        case [_]:
            raise ConflictError(name)
    if len(postings) < 2 or total(amount for _, amount in postings):
        raise UnbalancedError(name)
    after = book._replace(lines=book.lines + ((name, memo, postings),))
    check_minimums(after, postings)
    return after


def reversed_in(book, name, reversal, memo):
    """The book with the reversal of a transaction."""
    match [postings for old, _, postings in book.lines if old == name]:
        case []:
            raise UnknownTransactionError(name)
        case [postings] if book.reversals.get(name, reversal) == reversal:
            after = booked(book, reversal, memo, turned(postings))
            return after if after is book else after._replace(reversals={**book.reversals, name: reversal})
        case _:
            raise ConflictError(name)


def running(lines):
    """Append to each line the balance after it."""
    step = exactly(lambda done, line: done + [(*line, line[2] + (done[-1][3] if done else 0))])
    return reduce(step, lines, [])


class Ledger:
    """The latest book."""

    def __init__(self):
        """An empty book."""
        self._book = Book()

    def _turn(self, page):
        before, self._book = self._book, page
        return before is not page

    def open(self, account, minimum=None):
        """Open an account."""
        if account in self._book.minimums:
            raise DuplicateAccountError(account)
        self._turn(self._book._replace(minimums={**self._book.minimums, account: minimum}))

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction; False if it is in the book."""
        return self._turn(booked(self._book, transaction_id, memo, tuple(map(tuple, postings))))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the opposite of a transaction."""
        return self._turn(reversed_in(self._book, transaction_id, reversal_id, memo))

    def balance(self, account):
        """The balance of an account."""
        if account not in self._book.minimums:
            raise UnknownAccountError(account)
        return balance_of(self._book, account)

    def balances(self):
        """All balances."""
        return {account: balance_of(self._book, account) for account in self._book.minimums}

    def statement(self, account):
        """All postings to an account, with running balances."""
        return running(amounts_of(self._book, account))

    def history(self):
        """All transactions."""
        return list(self._book.lines)
