"""All errors of the ledger."""


class LedgerError(Exception):
    """The base of all errors here."""


class InvalidAmountError(LedgerError):
    """The amount is no finite Decimal other than zero."""


class UnbalancedError(LedgerError):
    """The postings do not add up to zero, or are fewer than two."""


class UnknownAccountError(LedgerError):
    """The account is not open."""


class DuplicateAccountError(LedgerError):
    """The account is open already."""


class OverdraftError(LedgerError):
    """The account would end below its minimum."""


class ConflictError(LedgerError):
    """The id, or the reversal, is taken."""


class UnknownTransactionError(LedgerError):
    """The transaction is not booked."""
