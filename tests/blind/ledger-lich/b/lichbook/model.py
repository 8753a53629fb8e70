"""Values that never change once they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from lichbook.money import ZERO, add


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that goes into an account, or out of it."""

    account: str
    amount: Decimal

    def turned(self) -> Posting:
        """The posting with the other sign."""
        return Posting(self.account, self.amount.copy_negate())


@dataclass(frozen=True, slots=True)
class Transaction:
    """Postings that belong together."""

    identity: str
    memo: str
    postings: tuple[Posting, ...]

    @classmethod
    def from_pairs(cls, identity: str, memo: str, pairs: Iterable) -> Transaction:
        """Freeze what a caller handed in."""
        return cls(identity, memo, tuple(Posting(account, amount) for account, amount in pairs))

    def reversal(self, identity: str, memo: str) -> Transaction:
        """The transaction that undoes this one."""
        return Transaction(identity, memo, tuple(posting.turned() for posting in self.postings))

    def says_the_same_as(self, other: Transaction) -> bool:
        """Whether id, memo and postings (in any order) are the same."""
        return (self.identity, self.memo) == (other.identity, other.memo) and Counter(self.postings) == Counter(
            other.postings
        )

    def movements(self) -> dict[str, Decimal]:
        """What the whole transaction adds to each account."""
        result: dict[str, Decimal] = {}
        for posting in self.postings:
            result[posting.account] = add(result.get(posting.account, ZERO), posting.amount)
        return result

    def as_tuple(self) -> tuple:
        """The form in which callers get it."""
        return self.identity, self.memo, tuple((posting.account, posting.amount) for posting in self.postings)


@dataclass(frozen=True, slots=True)
class Account:
    """An open account."""

    name: str
    minimum: Decimal | None = None
    balance: Decimal = ZERO

    def moved(self, amount: Decimal) -> Account:
        """The account after a movement."""
        return Account(self.name, self.minimum, add(self.balance, amount))

    @property
    def is_overdrawn(self) -> bool:
        """Whether it stands below its minimum."""
        return self.minimum is not None and self.balance < self.minimum
