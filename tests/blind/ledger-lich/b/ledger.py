"""The door to the package lichbook: Ledger and its errors."""

from lichbook.errors import (
    ConflictError,
    DuplicateAccountError,
    InvalidAmountError,
    LedgerError,
    OverdraftError,
    UnbalancedError,
    UnknownAccountError,
    UnknownTransactionError,
)
from lichbook.service import Ledger

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
