"""What a ledger may object to."""


class LedgerError(Exception):
    """Base of all objections."""


class InvalidAmountError(LedgerError):
    """Not money."""


class UnbalancedError(LedgerError):
    """Not zero in the end."""


class UnknownAccountError(LedgerError):
    """Never opened."""


class DuplicateAccountError(LedgerError):
    """Opened before."""


class OverdraftError(LedgerError):
    """Too low."""


class ConflictError(LedgerError):
    """Taken by another."""


class UnknownTransactionError(LedgerError):
    """Never booked."""
