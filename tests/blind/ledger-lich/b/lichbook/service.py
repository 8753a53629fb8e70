"""The ledger itself, which puts the layers together."""

from collections.abc import Sequence

from lichbook.errors import DuplicateAccountError, UnknownAccountError
from lichbook.journal import Journal
from lichbook.model import Account, Transaction
from lichbook.money import ZERO, add
from lichbook.rules import STANDARD_RULES, Rule


class Ledger:
    """Accounts and the transactions between them."""

    def __init__(self, rules: Sequence[Rule] = STANDARD_RULES):
        """A ledger without accounts."""
        self._rules = tuple(rules)
        self._accounts: dict[str, Account] = {}
        self._journal = Journal()

    def open(self, account, minimum=None):
        """Open an account with a balance of zero."""
        if account in self._accounts:
            raise DuplicateAccountError(account)
        self._accounts[account] = Account(account, minimum)

    def post(self, transaction_id, postings, memo=""):
        """Book a transaction. True if it was booked now, False if it had been before."""
        return self._submit(Transaction.from_pairs(transaction_id, memo, postings))

    def reverse(self, transaction_id, reversal_id, memo=""):
        """Book the transaction that undoes another one. Returns what post returns."""
        original = self._journal.find(transaction_id)
        self._journal.check_reversal(transaction_id, reversal_id)
        result = self._submit(original.reversal(reversal_id, memo))
        self._journal.link_reversal(transaction_id, reversal_id)
        return result

    def balance(self, account):
        """The balance of an account."""
        return self._account(account).balance

    def balances(self):
        """All balances in the order of opening."""
        return {name: account.balance for name, account in self._accounts.items()}

    def statement(self, account):
        """All postings to an account with the balances after them."""
        self._account(account)
        lines, balance = [], ZERO
        for transaction in self._journal:
            for posting in transaction.postings:
                if posting.account == account:
                    balance = add(balance, posting.amount)
                    lines.append((transaction.identity, transaction.memo, posting.amount, balance))
        return lines

    def history(self):
        """All transactions in the order of booking."""
        return [transaction.as_tuple() for transaction in self._journal]

    def _account(self, name: str) -> Account:
        if name not in self._accounts:
            raise UnknownAccountError(name)
        return self._accounts[name]

    def _submit(self, transaction: Transaction) -> bool:
        for rule in self._rules:
            rule.check(transaction, self._accounts)
        if self._journal.holds(transaction):
            return False
        for name, movement in transaction.movements().items():
            self._accounts[name] = self._accounts[name].moved(movement)
        self._journal.append(transaction)
        return True
