"""The ledger: holds the book of the moment, and answers from it."""

from .book import Entry, blank, frozen, is_repeat, opened, opposite, written
from .rules import check_accounts, check_amounts
from .units import to_decimal


class Ledger:
    """Accounts, and the transactions between them."""

    def __init__(self):
        """A ledger without accounts."""
        self._book = blank()

    def open(self, account, minimum=None):
        """Open an account; its balance must not end below the minimum."""
        self._book = opened(self._book, account, minimum)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction. False if it is booked already."""
        entry = Entry(transaction_id, memo, frozen(postings))
        check_amounts(entry.postings)
        if is_repeat(self._book, entry):
            return False
        self._book = written(self._book, entry)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the opposite of a transaction. False if that is booked already."""
        entry = opposite(self._book, transaction_id, reversal_id, memo)
        if is_repeat(self._book, entry):
            return False
        book = written(self._book, entry)
        self._book = book._replace(undone={**book.undone, transaction_id: reversal_id})
        return True

    def balance(self, account):
        """What is in one account."""
        check_accounts([(account, 0)], self._book.totals)
        return to_decimal(self._book.totals[account])

    def balances(self):
        """What is in every account, in the order of opening."""
        return {account: to_decimal(total) for account, total in self._book.totals.items()}

    def statement(self, account):
        """The lines on an account's page, oldest first."""
        check_accounts([(account, 0)], self._book.totals)
        return list(self._book.pages[account])

    def history(self):
        """All transactions, oldest first."""
        return list(self._book.journal)
