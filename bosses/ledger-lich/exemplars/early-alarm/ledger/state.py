"""The state of a ledger, at one moment."""

from dataclasses import dataclass, field, replace
from decimal import Decimal

from ledger.errors import DuplicateAccountError, UnknownAccountError


@dataclass(frozen=True)
class State:
    """Minimums and balances by account, entries by id. Nobody changes these dicts: new states get new ones."""

    minimums: dict = field(default_factory=dict)
    balances: dict = field(default_factory=dict)
    entries: dict = field(default_factory=dict)

    def with_account(self, account, minimum):
        """The state with one more account."""
        if account in self.balances:
            raise DuplicateAccountError(f"{account} is open")
        return replace(
            self,
            minimums={**self.minimums, account: minimum},
            balances={**self.balances, account: Decimal(0)},
        )

    def balance(self, account):
        """What is in an account."""
        if account not in self.balances:
            raise UnknownAccountError(f"{account} is not open")
        return self.balances[account]
