"""Everything that a ledger refuses."""


class LedgerError(Exception):
    """Something was refused, and nothing was changed."""


class InvalidAmountError(LedgerError):
    """Not an amount."""


class UnbalancedError(LedgerError):
    """Not a double entry."""


class UnknownAccountError(LedgerError):
    """No such account."""


class DuplicateAccountError(LedgerError):
    """That account exists."""


class OverdraftError(LedgerError):
    """An account can't bear it."""


class ConflictError(LedgerError):
    """Already something else."""


class UnknownTransactionError(LedgerError):
    """No such transaction."""
