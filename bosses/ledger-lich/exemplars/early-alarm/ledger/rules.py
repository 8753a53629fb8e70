"""From one state to the next."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal, localcontext

from ledger.errors import (
    ConflictError,
    InvalidAmountError,
    OverdraftError,
    UnbalancedError,
    UnknownTransactionError,
)

PRECISION = 120


def booked(state, transaction_id, memo, pairs, reverses=None):
    """The state after booking; the same state if there is nothing to book."""
    check_amounts(pairs)
    known = state.entries.get(transaction_id)
    if known is not None:
        if known[1] == memo and Counter(known[2]) == Counter(pairs):
            return state
        raise ConflictError(f"{transaction_id} is something else")
    with localcontext() as context:
        context.prec = PRECISION
        if len(pairs) < 2 or sum(amount for _, amount in pairs) != 0:
            raise UnbalancedError(f"{transaction_id} is not balanced")
        balances = balances_after(state, pairs)
    entry = (transaction_id, memo, pairs, reverses)
    return replace(state, balances=balances, entries={**state.entries, transaction_id: entry})


def check_amounts(pairs):
    """Only Decimals are money."""
    for account, amount in pairs:
        if not isinstance(amount, Decimal) or not amount.is_finite():
            raise InvalidAmountError(f"{amount!r} for {account}")


def balances_after(state, pairs):
    """All balances once the pairs are booked, one after the other."""
    balances = dict(state.balances)
    for account, amount in pairs:
        state.balance(account)
        balances[account] += amount
        minimum = state.minimums[account]
        if minimum is not None and balances[account] < minimum:
            raise OverdraftError(f"{account} falls below {minimum}")
    return balances


def turned(state, transaction_id, reversal_id):
    """The pairs of a transaction with their signs turned."""
    if transaction_id not in state.entries:
        raise UnknownTransactionError(transaction_id)
    for other, _, _, reverses in state.entries.values():
        if reverses == transaction_id and other != reversal_id:
            raise ConflictError(f"{transaction_id} is reversed by {other}")
    return tuple((account, amount.copy_negate()) for account, amount in state.entries[transaction_id][2])


def lines_of(state, account):
    """The statement of an account."""
    state.balance(account)
    balance, lines = Decimal(0), []
    with localcontext() as context:
        context.prec = PRECISION
        for transaction_id, memo, pairs, _ in state.entries.values():
            for name, amount in pairs:
                if name == account:
                    balance += amount
                    lines.append((transaction_id, memo, amount, balance))
    return lines
