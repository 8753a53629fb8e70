"""What a ledger says when it says no. Each is its own class; the docstring is the reason."""


class LedgerError(Exception):
    """The ledger refuses."""


class InvalidAmountError(LedgerError):
    """Not a finite Decimal other than zero."""


class UnbalancedError(LedgerError):
    """The postings do not add up to zero, or there are not enough of them."""


class UnknownAccountError(LedgerError):
    """No such account is open."""


class DuplicateAccountError(LedgerError):
    """The account is open already."""


class OverdraftError(LedgerError):
    """An account would end below its minimum."""


class ConflictError(LedgerError):
    """The id, or the reversal, is taken by something else."""


class UnknownTransactionError(LedgerError):
    """Nothing is booked under this id."""
