"""What makes no sense is refused, and leaves no trace."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

BAD_COUNTS = ((ValueError, (0, -1)), (TypeError, (1.0, "3", True)))
BAD_SECONDS = ((ValueError, (-1, float("nan"), float("inf"))), (TypeError, ("5", False, [1])))

pytestmark = [pytest.mark.group("refusals"), pytest.mark.clause("REFUSALS")]


def answer(call, *args):
    """What a call returns, or the error that it raises."""
    try:
        return call(*args)
    except PlayerError as error:
        return error


def refused(error, name, call, *args):
    """Fail unless the call raises the error."""
    got = answer(call, *args)
    said = f"it raised {got.type_name}" if isinstance(got, PlayerError) else f"it returned {got!r}"
    assert isinstance(got, PlayerError) and isinstance(got, error), (
        f"expected {error.__name__} for {name}({', '.join(map(repr, args))}); {said}"
    )


def same(got, due, call):
    """Fail unless calls gave what the contract says."""
    assert got == due, f"expected {due!r} for {call}; got {got!r}"


def limiter(player, limit=3, slept=None):
    """A new limiter on a clock that stands still; sleeps are noted."""
    return player.module("limiter").RateLimiter(limit, 10, lambda: 50, [].append if slept is None else slept.append)


@pytest.mark.advice(
    "Raise TypeError unless type(limit) is int and type(period) in (int, float). Then raise ValueError unless "
    "limit >= 1, isfinite(period) and period > 0."
)
def test_limits_and_periods_that_make_no_sense(player):
    """A limiter with an invalid limit or period is refused."""
    make = player.module("limiter").RateLimiter
    for error, limits in BAD_COUNTS:
        for limit in (*limits, None) if error is TypeError else limits:
            refused(error, "RateLimiter", make, limit, 10)
    for error, periods in BAD_SECONDS:
        for period in (*periods, None) if error is TypeError else (*periods, 0):
            refused(error, "RateLimiter", make, 3, period)
    gate = make(1, 0.25, lambda: 50)
    same([gate.try_acquire("ox"), gate.try_acquire("ox")], [True, False], "2 times try_acquire of RateLimiter(1, 0.25)")


@pytest.mark.advice(
    "Unless limit `is None`, check it before storing it: TypeError unless type(limit) is int, ValueError below 1. "
    "Share this check with __init__."
)
def test_a_limit_of_its_own_that_makes_no_sense(player):
    """An invalid limit for a key is refused, and the key keeps its old limit."""
    gate = limiter(player)
    gate.set_limit("ox", 5)
    before = gate.available("ox")
    for error, limits in BAD_COUNTS:
        for limit in limits:
            refused(error, "set_limit", gate.set_limit, "ox", limit)
    same(gate.available("ox"), before, "available('ox') after refused calls of set_limit")


@pytest.mark.advice(
    "Share one check in all three methods, before looking: TypeError unless type(cost) is int, ValueError below 1 "
    "or above the limit of that key."
)
def test_costs_that_make_no_sense(player):
    """An invalid cost, or one above the key's limit, is refused and takes nothing."""
    slept = []
    gate = limiter(player, 3, slept)
    gate.set_limit("cart", 5)
    for name in ("try_acquire", "acquire", "retry_after"):
        call = getattr(gate, name)
        for error, costs in BAD_COUNTS:
            for cost in costs:
                refused(error, name, call, "ox", cost)
        refused(ValueError, name, call, "ox", 4)
        refused(ValueError, name, call, "cart", 6)
    same(slept, [], "the sleeps of refused calls")
    same([gate.available("ox"), gate.available("cart"), len(gate)], [3, 5, 0], "available and len after refused calls")
    same(gate.try_acquire("cart", 5), True, "try_acquire('cart', 5) after set_limit('cart', 5)")


@pytest.mark.advice(
    "Check timeout first in acquire: TypeError unless it is None or type(timeout) in (int, float), ValueError "
    "unless isfinite(timeout) and >= 0."
)
def test_timeouts_that_make_no_sense(player):
    """An invalid timeout is refused, even if units are free, and takes nothing."""
    slept = []
    gate = limiter(player, 3, slept)
    for error, timeouts in BAD_SECONDS:
        for timeout in timeouts:
            refused(error, "acquire", gate.acquire, "ox", 1, timeout)
    same(slept, [], "the sleeps of refused calls")
    same(gate.available("ox"), 3, "available('ox') after refused calls, limit 3")


@pytest.mark.advice(
    "Call hash(key) first in every method that takes a key, set_limit(key, None) included, before anything changes."
)
def test_keys_that_cannot_be_hashed(player):
    """A key that can't be hashed raises TypeError everywhere and changes nothing."""
    gate = limiter(player)
    for name in ("try_acquire", "acquire", "available", "retry_after"):
        refused(TypeError, name, getattr(gate, name), ["no key"])
    refused(TypeError, "set_limit", gate.set_limit, ["no key"], 4)
    refused(TypeError, "set_limit", gate.set_limit, ["no key"], None)
    same([len(gate), gate.try_acquire("ox")], [0, True], "len(limiter) and try_acquire('ox') after refused calls")
