"""What a good transaction is: functions of plain values that return or raise."""

from decimal import Decimal

from .errors import InvalidAmountError, OverdraftError, UnbalancedError, UnknownAccountError


def check_amounts(postings):
    """Refuse amounts that are no finite Decimals other than zero."""
    for account, amount in postings:
        if not isinstance(amount, Decimal):
            raise InvalidAmountError(f"{account}: {amount!r} is not a Decimal")
        if not amount.is_finite() or not amount:
            raise InvalidAmountError(f"{account}: {amount} is zero or not finite")


def check_count(moves):
    """Refuse fewer than two postings."""
    if len(moves) < 2:
        raise UnbalancedError("at least two postings are needed")


def check_sum(moves):
    """Refuse units that do not add up to zero."""
    left = sum(units for _, units in moves)
    if left != 0:
        raise UnbalancedError(f"{left} units are left over")


def check_accounts(moves, totals):
    """Refuse accounts that have no total."""
    for account, _ in moves:
        if account not in totals:
            raise UnknownAccountError(account)


def check_floors(totals, floors):
    """Refuse totals below the floor of their account."""
    for account, total in totals.items():
        floor = floors[account]
        if floor is not None and total < floor:
            raise OverdraftError(f"{account} would end below its minimum")


def same_content(entry, other):
    """Whether two entries have the same memo and the same postings, in any order."""
    return entry.memo == other.memo and sorted(entry.moves()) == sorted(other.moves())
