"""
ledger.py
=========

A robust double-entry ledger. All amounts are stored as :class:`decimal.Decimal`, with a precision of 60 digits, which
is enough for every practical purpose. All public methods are protected against unexpected errors: whatever goes wrong
inside is reported as a :class:`LedgerError`.
"""

import copy
import decimal
from decimal import Decimal

decimal.getcontext().prec = 60


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
    """
    A double-entry ledger.

    Attributes
    ----------
    All attributes are private. Use the methods.

    Notes
    -----
    A transaction is booked as a whole or not at all. For this purpose a snapshot of the ledger is made before booking,
    and restored if anything goes wrong.
    """

    def __init__(self):
        """
        Initialise a ledger without accounts.
        """
        self._accounts = {}
        self._statements = {}
        self._history = []
        self._known = {}
        self._reversed = {}

    def open(self, account, minimum=None):
        """
        Open an account.

        Parameters
        ----------
        account : str
            The name of the account.
        minimum : Decimal or None
            The lowest balance that the account may have, or None if there is no limit.

        Raises
        ------
        DuplicateAccountError
            If the account is open already.
        """
        try:
            if account in self._accounts:
                raise DuplicateAccountError("account %s is open already" % account)
            self._accounts[account] = {"balance": Decimal("0"), "minimum": minimum}
            self._statements[account] = []
        except LedgerError:
            raise
        except Exception as error:
            raise LedgerError("could not open the account") from error

    def _to_amount(self, amount):
        """
        Convert an amount to a Decimal.

        Numbers and texts are converted through their text, so that 0.1 becomes exactly Decimal("0.1").

        Raises
        ------
        InvalidAmountError
            If this is not possible, or if the amount is zero or not finite.
        """
        try:
            result = Decimal(str(amount))
        except Exception as error:
            raise InvalidAmountError("not an amount: %r" % (amount,)) from error
        if not result.is_finite() or result == 0:
            raise InvalidAmountError("not an amount: %r" % (amount,))
        return result

    def post(self, transaction_id, postings, memo=""):
        """
        Book a transaction.

        Parameters
        ----------
        transaction_id : str
            The id of the transaction.
        postings : iterable
            Pairs of an account and an amount.
        memo : str
            A memo.

        Returns
        -------
        bool
            True if the transaction was booked, False if it had been booked before.

        Raises
        ------
        LedgerError
            One of its subclasses, if the transaction is refused.
        """
        try:
            items = tuple((account, self._to_amount(amount)) for account, amount in postings)
            content = (memo, sorted(items))
            if transaction_id in self._known:
                if self._known[transaction_id] == content:
                    return False
                raise ConflictError("the id %s is known already" % transaction_id)
            self._known[transaction_id] = content
            snapshot = copy.deepcopy((self._accounts, self._statements, self._history))
            try:
                if len(items) < 2:
                    raise UnbalancedError("a transaction needs two postings")
                if sum(amount for _, amount in items) != 0:
                    raise UnbalancedError("the amounts do not add up to zero")
                for account, amount in items:
                    if account not in self._accounts:
                        raise UnknownAccountError("account %s is not open" % account)
                    self._accounts[account]["balance"] += amount
                    self._statements[account].append(
                        (transaction_id, memo, amount, self._accounts[account]["balance"])
                    )
                for account, _ in items:
                    data = self._accounts[account]
                    if data["minimum"] is not None and data["balance"] < data["minimum"]:
                        raise OverdraftError("account %s is overdrawn" % account)
                self._history.append((transaction_id, memo, items))
            except Exception:
                self._accounts, self._statements, self._history = snapshot
                raise
            return True
        except LedgerError:
            raise
        except Exception as error:
            raise LedgerError("could not book the transaction") from error

    def reverse(self, transaction_id, reversal_id, memo=""):
        """
        Reverse a transaction.

        Parameters
        ----------
        transaction_id : str
            The id of the transaction that is to be reversed.
        reversal_id : str
            The id of the reversal.
        memo : str
            A memo.

        Returns
        -------
        bool
            What post returns.
        """
        try:
            for name, _, items in self._history:
                if name == transaction_id:
                    if self._reversed.get(transaction_id, reversal_id) != reversal_id:
                        raise ConflictError("the transaction %s is reversed already" % transaction_id)
                    result = self.post(reversal_id, [(account, -amount) for account, amount in items], memo)
                    self._reversed[transaction_id] = reversal_id
                    return result
            raise UnknownTransactionError("the transaction %s is not known" % transaction_id)
        except LedgerError:
            raise
        except Exception as error:
            raise LedgerError("could not reverse the transaction") from error

    def balance(self, account):
        """
        Return the balance of an account.

        Raises
        ------
        UnknownAccountError
            If the account is not open.
        """
        try:
            return self._accounts[account]["balance"]
        except Exception as error:
            raise UnknownAccountError("account %s is not open" % account) from error

    def balances(self):
        """
        Return a dict of all accounts with their balances.
        """
        return {account: data["balance"] for account, data in self._accounts.items()}

    def statement(self, account):
        """
        Return the statement of an account as a list of tuples.

        Raises
        ------
        UnknownAccountError
            If the account is not open.
        """
        try:
            return copy.deepcopy(self._statements[account])
        except Exception as error:
            raise UnknownAccountError("account %s is not open" % account) from error

    def history(self):
        """
        Return the history of the ledger as a list of tuples.
        """
        return copy.deepcopy(self._history)
