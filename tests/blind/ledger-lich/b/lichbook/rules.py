"""What makes a transaction good. A rule looks at a transaction and raises, or does nothing."""

from collections.abc import Mapping
from typing import Protocol

from lichbook.errors import InvalidAmountError, OverdraftError, UnbalancedError, UnknownAccountError
from lichbook.model import Account, Transaction
from lichbook.money import is_amount, total


class Rule(Protocol):
    """A condition that every transaction has to meet."""

    def check(self, transaction: Transaction, accounts: Mapping[str, Account]) -> None:
        """Raise a LedgerError if the transaction breaks the rule."""


class AmountsAreAmounts:
    """Each amount is a finite Decimal other than zero."""

    def check(self, transaction, accounts):
        """Raise InvalidAmountError for the first that is not."""
        for posting in transaction.postings:
            if not is_amount(posting.amount):
                raise InvalidAmountError(f"{posting.amount!r} is not an amount")


class AccountsAreOpen:
    """Each account is open."""

    def check(self, transaction, accounts):
        """Raise UnknownAccountError for the first that is not."""
        for posting in transaction.postings:
            if posting.account not in accounts:
                raise UnknownAccountError(posting.account)


class AmountsAddUp:
    """There are two postings or more, and they add up to zero."""

    def check(self, transaction, accounts):
        """Raise UnbalancedError if not."""
        if len(transaction.postings) < 2:
            raise UnbalancedError("fewer than two postings")
        if total(posting.amount for posting in transaction.postings):
            raise UnbalancedError("the amounts do not add up to zero")


class MinimumsAreKept:
    """No account ends below its minimum."""

    def check(self, transaction, accounts):
        """Raise OverdraftError for the first that would."""
        for name, movement in transaction.movements().items():
            if accounts[name].moved(movement).is_overdrawn:
                raise OverdraftError(name)


STANDARD_RULES: tuple[Rule, ...] = (AmountsAreAmounts(), AccountsAreOpen(), AmountsAddUp(), MinimumsAreKept())
