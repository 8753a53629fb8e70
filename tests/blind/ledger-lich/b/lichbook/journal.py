"""The journal: transactions in the order of booking, each id once."""

from collections.abc import Iterator

from lichbook.errors import ConflictError, UnknownTransactionError
from lichbook.model import Transaction


class Journal:
    """Only grows."""

    def __init__(self):
        self._transactions: dict[str, Transaction] = {}
        self._reversals: dict[str, str] = {}

    def __iter__(self) -> Iterator[Transaction]:
        return iter(self._transactions.values())

    def find(self, identity: str) -> Transaction:
        """The transaction with that id."""
        if identity not in self._transactions:
            raise UnknownTransactionError(identity)
        return self._transactions[identity]

    def holds(self, transaction: Transaction) -> bool:
        """Whether this very transaction is booked; raises ConflictError if another one has its id."""
        booked = self._transactions.get(transaction.identity)
        if booked is None:
            return False
        if not booked.says_the_same_as(transaction):
            raise ConflictError(f"{transaction.identity} is booked with another content")
        return True

    def append(self, transaction: Transaction) -> None:
        """Write the transaction down."""
        self._transactions[transaction.identity] = transaction

    def check_reversal(self, identity: str, reversal: str) -> None:
        """Raise ConflictError if the transaction was reversed under another id."""
        if self._reversals.get(identity, reversal) != reversal:
            raise ConflictError(f"{identity} is reversed by {self._reversals[identity]}")

    def link_reversal(self, identity: str, reversal: str) -> None:
        """Remember what reversed the transaction."""
        self._reversals[identity] = reversal
