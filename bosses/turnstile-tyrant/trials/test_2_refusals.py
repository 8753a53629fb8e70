"""What makes no sense is refused, and leaves no trace."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

BAD_COUNTS = ((ValueError, (0, -1)), (TypeError, (1.0, "3", True)))
BAD_SECONDS = ((ValueError, (-1, float("nan"), float("inf"))), (TypeError, ("5", False, [1])))

pytestmark = pytest.mark.group("refusals")


def raised(call, *args, **kwargs):
    """The error a call raises, or None."""
    try:
        call(*args, **kwargs)
    except PlayerError as error:
        return error
    return None


def refused(error, words, call, *args, **kwargs):
    """Fail with these words unless the call raises the error."""
    got = raised(call, *args, **kwargs)
    assert got is not None, words
    assert isinstance(got, error), f"{words} It raised {got.type_name} instead of {error.__name__}."


def limiter(player, limit=3, slept=None):
    """A new limiter on a clock that stands still; sleeps are noted."""
    return player.module("limiter").RateLimiter(limit, 10, lambda: 50, [].append if slept is None else slept.append)


def test_limits_and_periods_that_make_no_sense(player):
    """A limiter without a sensible limit or period is refused."""
    make = player.module("limiter").RateLimiter
    for error, limits in BAD_COUNTS:
        for limit in (*limits, None) if error is TypeError else limits:
            refused(
                error,
                "A limit must be an int (True is none), else TypeError, and 1 or more, else ValueError.",
                make,
                limit,
                10,
            )
    for error, periods in BAD_SECONDS:
        for period in (*periods, None) if error is TypeError else (*periods, 0):
            words = "A period must be a number (True is none), else TypeError, and finite and above 0, else ValueError."
            refused(error, words, make, 3, period)
    gate = make(1, 0.25, lambda: 50)
    assert [gate.try_acquire("ox"), gate.try_acquire("ox")] == [True, False], (
        "A short period and a limit of 1 are fine."
    )


def test_a_limit_of_its_own_that_makes_no_sense(player):
    """A limit of its own that makes no sense is refused, and the key keeps the one it had."""
    gate = limiter(player)
    gate.set_limit("ox", 5)
    for error, limits in BAD_COUNTS:
        for limit in limits:
            words = "set_limit must refuse a limit that is no int (TypeError) or below 1 (ValueError)."
            refused(error, words, gate.set_limit, "ox", limit)
    assert gate.available("ox") == 5, "A refused set_limit must leave the limit as it was."


def test_costs_that_make_no_sense(player):
    """A cost that makes no sense, or that the key's limit can never let through, is refused and takes nothing."""
    slept = []
    gate = limiter(player, 3, slept)
    gate.set_limit("cart", 5)
    for call in (gate.try_acquire, gate.acquire, gate.retry_after):
        for error, costs in BAD_COUNTS:
            for cost in costs:
                words = "A cost must be an int (True is none), else TypeError, and 1 or more, else ValueError."
                refused(error, words, call, "ox", cost)
        refused(ValueError, "A cost above the limit of its key can never be let through: ValueError.", call, "ox", 4)
        refused(ValueError, "A cost above the limit of its key can never be let through: ValueError.", call, "cart", 6)
    assert slept == [], "A refused call must not sleep."
    assert [gate.available("ox"), gate.available("cart"), len(gate)] == [3, 5, 0], "A refused call must take nothing."
    assert gate.try_acquire("cart", 5) is True, "A cost of the key's whole limit can be let through."


def test_timeouts_that_make_no_sense(player):
    """A timeout that makes no sense is refused, even if the units are free, and takes nothing."""
    slept = []
    gate = limiter(player, 3, slept)
    for error, timeouts in BAD_SECONDS:
        for timeout in timeouts:
            words = "A timeout must be a number or None, else TypeError, and finite and not negative, else ValueError."
            refused(error, words, gate.acquire, "ox", 1, timeout)
    assert slept == [], "A refused call must not sleep."
    assert gate.available("ox") == 3, "A refused call must take nothing."
    assert gate.acquire("ox", 1, timeout=0) is True, "A timeout of 0 is fine: the units are there, or they aren't."


def test_keys_that_cannot_be_hashed(player):
    """A key that can't be hashed is a TypeError in every method that takes a key, and changes nothing."""
    gate = limiter(player)
    words = "A key that can't be hashed must be refused with a TypeError."
    for call in (gate.try_acquire, gate.acquire, gate.available, gate.retry_after):
        refused(TypeError, words, call, ["no key"])
    refused(TypeError, words, gate.set_limit, ["no key"], 4)
    refused(TypeError, words, gate.set_limit, ["no key"], None)
    assert len(gate) == 0, "A refused call must take nothing."
    assert gate.try_acquire("ox") is True, "After refused calls the limiter goes on as before."
