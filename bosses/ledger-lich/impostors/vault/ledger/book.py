"""The book as one value, and the functions that make the next one from it."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from .errors import ConflictError, DuplicateAccountError, UnknownTransactionError
from .rules import check_accounts, check_count, check_floors, check_sum, same_content
from .units import to_decimal, to_units


class Entry(NamedTuple):
    """A transaction as it was given."""

    name: str
    memo: str
    postings: tuple[tuple[str, Decimal], ...]

    def moves(self):
        """Its postings with units for amounts."""
        return [(account, to_units(amount)) for account, amount in self.postings]


class Book(NamedTuple):
    """Everything that is known at one moment. Nothing in it is ever changed in place."""

    floors: dict[str, int | None]
    totals: dict[str, int]
    pages: dict[str, list[tuple]]
    journal: list[Entry]
    entries: dict[str, Entry]
    undone: dict[str, str]


def blank():
    """A book without accounts."""
    return Book({}, {}, {}, [], {}, {})


def frozen(postings):
    """The postings as tuples that nobody else holds."""
    return tuple((account, amount) for account, amount in postings)


def opened(book, account, minimum):
    """The book with one more account."""
    if account in book.totals:
        raise DuplicateAccountError(account)
    floor = None if minimum is None else to_units(minimum)
    return book._replace(
        floors={**book.floors, account: floor},
        totals={**book.totals, account: 0},
        pages={**book.pages, account: []},
    )


def is_repeat(book, entry):
    """Whether this very entry is in the book; its id must not stand for anything else."""
    known = book.entries.get(entry.name)
    if known is None:
        return False
    if not same_content(known, entry):
        raise ConflictError(f"{entry.name} is booked with another content")
    return True


def moved(totals, moves):
    """The new totals of the accounts that these moves touch."""
    after = {account: totals[account] for account, _ in moves}
    for account, units in moves:
        after[account] += units
    return after


def turned_pages(book, entry):
    """The pages of the touched accounts, with a line for each posting."""
    pages, running = {}, dict(book.totals)
    for account, amount in entry.postings:
        running[account] += to_units(amount)
        line = (entry.name, entry.memo, amount, to_decimal(running[account]))
        pages[account] = [*pages.get(account, book.pages[account]), line]
    return pages


def written(book, entry):
    """The book with one more entry."""
    moves = entry.moves()
    check_count(moves)
    check_sum(moves)
    check_accounts(moves, book.totals)
    after = moved(book.totals, moves)
    check_floors(after, book.floors)
    return book._replace(
        totals={**book.totals, **after},
        pages={**book.pages, **turned_pages(book, entry)},
        journal=[*book.journal, entry],
        entries={**book.entries, entry.name: entry},
    )


def opposite(book, name, reversal, memo):
    """The entry that takes another one back."""
    if name not in book.entries:
        raise UnknownTransactionError(name)
    if book.undone.get(name, reversal) != reversal:
        raise ConflictError(f"{name} was reversed before")
    turned = tuple((account, amount.copy_negate()) for account, amount in book.entries[name].postings)
    return Entry(reversal, memo, turned)
