"""Counting for one caller at a time: what is let through, and until when it counts."""

import pytest


class Clock:
    """A clock that stands where the trial sets it."""

    def __init__(self, now=1000):
        self.now = now

    def __call__(self):
        """The time."""
        return self.now


@pytest.fixture
def clock():
    """A clock that stands still until it is moved."""
    return Clock()


def limiter(player, clock, limit=3, period=10):
    """A new limiter on this clock."""
    return player.module("limiter").RateLimiter(limit, period, clock)


def tries(gate, key, count, *cost):
    """The answers to so many calls in a row."""
    return [gate.try_acquire(key, *cost) for _ in range(count)]


@pytest.mark.group("basics")
def test_so_many_and_no_more(player, clock):
    """A key gets as many units as its limit, and then no more while they are in use."""
    gate = limiter(player, clock)
    assert tries(gate, "ox", 5) == [True, True, True, False, False], (
        "try_acquire answers True as long as units are free, and False after that."
    )


@pytest.mark.group("basics")
def test_keys_have_nothing_to_do_with_each_other(player, clock):
    """What one key has taken, no other key has to do without."""
    gate = limiter(player, clock, limit=2)
    tries(gate, "ox", 4)
    assert tries(gate, ("cart", 7), 3) == [True, True, False], "Each key has units of its own, whatever others took."
    assert gate.available("mule") == 2, "A key that never came has its whole limit free."


@pytest.mark.group("basics")
def test_free_again(player, clock):
    """When the period is over the units are free again, and can be taken again."""
    gate = limiter(player, clock)
    tries(gate, "ox", 3)
    assert gate.available("ox") == 0, "available tells the limit less the units in use."
    clock.now += 60
    assert gate.available("ox") == 3, "Long after the period all units are free again."
    assert tries(gate, "ox", 4) == [True, True, True, False], "What is free again can be taken again, and no more."


@pytest.mark.group("basics")
def test_by_position_by_name_and_by_itself(player):
    """The constructor takes its arguments by name too, and without a clock the machine's own will do."""
    make = player.module("limiter").RateLimiter
    named = make(limit=1, period=2.5, clock=Clock(), sleep=lambda seconds: None)
    assert tries(named, "ox", 2) == [True, False], "limit, period, clock and sleep can be given by name."
    plain = make(1, 3600)
    assert tries(plain, "ox", 2) == [True, False], "Without a clock the limiter uses time.monotonic."


@pytest.mark.group("window")
def test_the_instant_of_the_end(player, clock):
    """A unit is in use until just before t + period, and free at t + period."""
    gate = limiter(player, clock, limit=1, period=2.5)
    assert gate.try_acquire("ox") is True, "A free unit is let through."
    clock.now += 2.25
    assert gate.try_acquire("ox") is False, "Just before t + period the unit is still in use."
    clock.now += 0.25
    assert gate.try_acquire("ox") is True, "At exactly t + period the unit is free: in use means clock < t + period."


@pytest.mark.group("window")
def test_nothing_comes_back_bit_by_bit(player, clock):
    """Units are in use for the whole period: none is free in the middle of it."""
    gate = limiter(player, clock)
    assert tries(gate, "ox", 4) == [True, True, True, False], "A key gets as many units as its limit, and no more."
    clock.now += 4
    assert gate.try_acquire("ox") is False, "Units stay in use for the whole period."


@pytest.mark.group("window")
def test_the_window_slides(player, clock):
    """Each unit is free one period after it was taken, not when some interval of the clock begins."""
    gate = limiter(player, clock, limit=2)
    clock.now = 1009
    gate.try_acquire("ox")
    clock.now = 1014
    gate.try_acquire("ox")
    clock.now = 1018
    assert gate.try_acquire("ox") is False, "A new interval of the clock, or a part of a period, frees nothing."
    clock.now = 1019
    assert tries(gate, "ox", 2) == [True, False], "One period after the first unit was taken, that unit alone is free."
    clock.now = 1024
    assert tries(gate, "ox", 2) == [True, False], "One period after the second unit was taken, that unit alone is free."


@pytest.mark.group("window")
def test_a_refusal_takes_nothing(player, clock):
    """However often a key is refused, its units are free when they would have been."""
    gate = limiter(player, clock, limit=2)
    tries(gate, "ox", 2)
    for _ in range(4):
        clock.now += 2.25
        assert gate.try_acquire("ox") is False, "Units stay in use for the whole period."
    clock.now += 1
    assert tries(gate, "ox", 3) == [True, True, False], "A refused call takes no units and prolongs nothing."


@pytest.mark.group("window")
def test_time_below_zero(player):
    """A clock that starts below zero and passes it is a clock like any other."""
    clock = Clock(-10)
    gate = limiter(player, clock, limit=1)
    assert tries(gate, "ox", 2) == [True, False], "The clock's numbers may start anywhere."
    clock.now = -0.25
    assert gate.try_acquire("ox") is False, "A unit that is free at zero is in use until then."
    clock.now = 0
    assert tries(gate, "ox", 2) == [True, False], "An end at zero is an end, and a start at zero a start."


@pytest.mark.group("shares")
def test_costs_of_several_units(player, clock):
    """A call takes its whole cost or nothing, and a smaller one may pass where a larger one did not."""
    gate = limiter(player, clock, limit=5)
    assert gate.try_acquire("ox", 3) is True, "A cost that is free is let through."
    clock.now += 1
    assert gate.try_acquire("ox", cost=3) is False, "A cost above what is free is not let through."
    assert gate.available("ox") == 2, "A refused call takes nothing, not even a part of its cost."
    assert gate.try_acquire("ox", 2) is True, "A cost of exactly what is free is let through."
    clock.now += 9
    assert gate.available("ox") == 3, "The units of one call are free all at once, one period after they were taken."


@pytest.mark.group("shares")
def test_keys_that_look_alike(player, clock):
    """Keys share their units exactly if a dict takes them for the same key: 1 and 1.0 do, 1 and "1" don't."""
    gate = limiter(player, clock, limit=2)
    assert tries(gate, 1, 3) == [True, True, False], "A key gets as many units as its limit, and no more."
    for key in ("1", -1, -2, (1,), "(1,)", b"1", "None", None):
        assert gate.available(key) == 2, f"{key!r} is a key of its own: what 1 or another key took does not count."
        assert tries(gate, key, 3) == [True, True, False], f"{key!r} has a limit of its own, whatever others took."
    assert gate.try_acquire(1.0) is False, "1 and 1.0 are the same key for a dict, so they share their units."
    assert len(gate) == 9, "len counts keys that are equal once, and others each for itself."


@pytest.mark.group("shares")
def test_a_limit_of_its_own(player, clock):
    """A key may have a limit of its own, higher or lower, without touching what it has in use or other keys."""
    gate = limiter(player, clock, limit=3)
    tries(gate, "ox", 3)
    gate.set_limit("ox", 5)
    assert gate.available("ox") == 2, "With a higher limit more is free, and what is in use stays so."
    assert tries(gate, "ox", 3) == [True, True, False], "A key with its own limit gets that, and no more."
    assert tries(gate, "cart", 4) == [True, True, True, False], "The limit of one key is not that of others."
    gate.set_limit("ox", None)
    clock.now += 10
    assert tries(gate, "ox", 4) == [True, True, True, False], "None gives the key the limiter's own limit back."


@pytest.mark.group("shares")
def test_a_limit_below_what_is_in_use(player, clock):
    """If more is in use than the new limit, the key gets nothing until enough of it is free."""
    gate = limiter(player, clock, limit=4)
    for _ in range(4):
        gate.try_acquire("ox")
        clock.now += 1
    gate.set_limit("ox", 2)
    assert gate.available("ox") == 0, "available is never below 0."
    clock.now += 6
    assert gate.try_acquire("ox") is False, "Units in use stay in use, also those above a lowered limit."
    clock.now += 1
    assert gate.try_acquire("ox") is False, "With as many units in use as the limit allows, none is free."
    clock.now += 1
    assert tries(gate, "ox", 2) == [True, False], (
        "When fewer units are in use than the lowered limit, the rest is free."
    )


@pytest.mark.group("shares")
def test_keys_with_units_in_use(player, clock):
    """len counts the keys that have units in use now, and no others."""
    gate = limiter(player, clock, limit=1)
    gate.available("mule")
    gate.set_limit("mule", 2)
    assert len(gate) == 0, "Asking about a key or setting its limit puts nothing in use."
    tries(gate, "ox", 3)
    clock.now += 4
    tries(gate, "cart", 1)
    assert len(gate) == 2, "A key with units in use counts once."
    clock.now += 6
    assert len(gate) == 1, "At t + period a key has nothing in use any more, whether or not it came again."
