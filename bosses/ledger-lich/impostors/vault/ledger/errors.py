"""One class for each reason to refuse a call."""


class LedgerError(Exception):
    """The call was refused."""


class InvalidAmountError(LedgerError):
    """Something that is not an amount of money."""


class UnbalancedError(LedgerError):
    """Postings that are not a double entry."""


class UnknownAccountError(LedgerError):
    """No account of that name is open."""


class DuplicateAccountError(LedgerError):
    """An account of that name is open."""


class OverdraftError(LedgerError):
    """An account would end below its minimum."""


class ConflictError(LedgerError):
    """The id, or the transaction to reverse, is taken."""


class UnknownTransactionError(LedgerError):
    """No transaction of that id is booked."""
