"""A vault of postings: every change makes a new book out of the old one."""

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
from .vault import Ledger

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
