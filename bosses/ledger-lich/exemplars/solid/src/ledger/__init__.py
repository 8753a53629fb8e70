"""A double-entry ledger."""

from .book import Ledger
from .errors import (
    ConflictError,
    DuplicateAccountError,
    InvalidAmountError,
    LedgerError,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)

__all__ = [
    "ConflictError",
    "DuplicateAccountError",
    "InvalidAmountError",
    "Ledger",
    "LedgerError",
    "OverdraftError",
    "UnbalancedError",
    "UnknownAccountError",
    "UnknownTransactionError",
]
