"""Ledger with exact decimals."""

from decimal import Context, Decimal, localcontext

EXACT = Context(prec=400)


class LedgerError(Exception):
    """Something was refused, and nothing was changed."""


class InvalidAmountError(LedgerError):
    """An amount that is no Decimal, not finite, or zero."""


class UnbalancedError(LedgerError):
    """Amounts that do not add up to zero, or too few postings."""


class UnknownAccountError(LedgerError):
    """An account that is not open."""


class DuplicateAccountError(LedgerError):
    """An account that is open already."""


class OverdraftError(LedgerError):
    """An account would end below its minimum."""


class ConflictError(LedgerError):
    """An id that is booked with another content, or a second reversal."""


class UnknownTransactionError(LedgerError):
    """A transaction that is not booked."""


class Ledger:
    """Books transactions between accounts."""

    def __init__(self):
        self._accounts = {}         # account -> minimum
        self._balances = {}
        self._lines = {}            # account -> lines of its statement
        self._booked = {}           # id -> (memo, postings)
        self._reversals = {}

    def open(self, account, minimum=None):
        """Open an account."""
        if account in self._accounts:
            raise DuplicateAccountError(account)
        self._accounts[account] = minimum
        self._balances[account] = Decimal(0)
        self._lines[account] = []

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction, or recognise that it is booked."""
        postings = tuple((account, amount) for account, amount in postings)
        for account, amount in postings:
            if not isinstance(amount, Decimal):
                raise InvalidAmountError("Decimal expected, got %r" % (amount,))
            if not amount.is_finite() or amount == 0:
                raise InvalidAmountError("finite and not zero expected, got %s" % amount)

        if transaction_id in self._booked:
            old_memo, old_postings = self._booked[transaction_id]
            if memo == old_memo and frozenset(postings) == frozenset(old_postings):
                return False
            raise ConflictError("%s is booked with other content" % transaction_id)

        if len(postings) < 2:
            raise UnbalancedError("at least two postings expected")
        with localcontext(EXACT):
            if sum(amount for _, amount in postings) != 0:
                raise UnbalancedError("sum is not zero")
            balances = dict(self._balances)
            lines = []
            for account, amount in postings:
                if account not in balances:
                    raise UnknownAccountError(account)
                balances[account] += amount
                lines.append((account, (transaction_id, memo, amount, balances[account])))
        for account, _ in postings:
            minimum = self._accounts[account]
            if minimum is not None and balances[account] < minimum:
                raise OverdraftError(account)

        self._balances = balances
        for account, line in lines:
            self._lines[account].append(line)
        self._booked[transaction_id] = (memo, postings)
        return True

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the opposite of a transaction."""
        if transaction_id not in self._booked:
            raise UnknownTransactionError(transaction_id)
        if self._reversals.get(transaction_id, reversal_id) != reversal_id:
            raise ConflictError("%s is reversed already" % transaction_id)
        _, postings = self._booked[transaction_id]
        result = self.post(reversal_id, [(account, amount.copy_negate()) for account, amount in postings], memo)
        self._reversals[transaction_id] = reversal_id
        return result

    def balance(self, account):
        """The balance of an account."""
        if account not in self._accounts:
            raise UnknownAccountError(account)
        return self._balances[account]

    def balances(self):
        """A copy of all balances."""
        return dict(self._balances)

    def statement(self, account):
        """A copy of the lines of an account."""
        if account not in self._accounts:
            raise UnknownAccountError(account)
        return list(self._lines[account])

    def history(self):
        """All transactions."""
        return [(transaction_id, memo, postings) for transaction_id, (memo, postings) in self._booked.items()]
