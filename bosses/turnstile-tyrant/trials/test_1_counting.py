"""Counting for one caller at a time: what is let through, and until when it counts."""

import pytest

pytestmark = pytest.mark.clause("THE RULE")


class Clock:
    """A clock that shows the time the trial sets."""

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


def same(got, due, call):
    """Fail unless calls gave what the contract says."""
    assert got == due, f"expected {due!r} for {call}; got {got!r}"


@pytest.mark.group("basics")
@pytest.mark.clause("A LIMITER", "THE RULE")
@pytest.mark.advice(
    "Store each grant with its cost and end. Return True only if cost is at most the key's limit less the costs of "
    "its grants still in use."
)
def test_so_many_and_no_more(player, clock):
    """A key gets as many units as its limit, and no more while they are in use."""
    gate = limiter(player, clock)
    same(tries(gate, "ox", 5), [True] * 3 + [False] * 2, "5 times try_acquire('ox') at the same time, limit 3")


@pytest.mark.group("basics")
@pytest.mark.advice("Keep grants and units in use in dicts by key, and count 0 units for a key that isn't there.")
def test_keys_have_nothing_to_do_with_each_other(player, clock):
    """Keys are independent: what one has taken, the others still have."""
    gate = limiter(player, clock, limit=2)
    tries(gate, "ox", 4)
    same(tries(gate, ("cart", 7), 3), [True, True, False], "3 times try_acquire(('cart', 7)) after 4 for 'ox', limit 2")
    same(gate.available("mule"), 2, "available('mule') of a key never used, limit 2")


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Begin try_acquire and available with one helper that drops every grant whose end is <= clock(). Free is the "
    "limit less what remains."
)
def test_free_again(player, clock):
    """When the period is over, the units are free and can be taken again."""
    gate = limiter(player, clock)
    tries(gate, "ox", 3)
    same(gate.available("ox"), 0, "available('ox') with 3 of 3 units in use")
    clock.now += 60
    same(gate.available("ox"), 3, "available('ox') 60 s later, period 10")
    same(tries(gate, "ox", 4), [True] * 3 + [False], "4 times try_acquire('ox') 60 s later, limit 3, period 10")


@pytest.mark.group("basics")
@pytest.mark.clause("A LIMITER")
@pytest.mark.advice(
    "Write __init__(self, limit, period, clock=time.monotonic, sleep=time.sleep), and take any int or float above "
    "0 as period."
)
def test_by_position_by_name_and_by_itself(player):
    """Arguments may be given by name, and the system's clock is the default."""
    make = player.module("limiter").RateLimiter
    named = make(limit=1, period=2.5, clock=Clock(), sleep=lambda seconds: None)
    same(tries(named, "ox", 2), [True, False], "2 times try_acquire('ox') of RateLimiter(limit=1, period=2.5, ...)")
    same(tries(make(1, 3600), "cart", 2), [True, False], "2 times try_acquire('cart') of RateLimiter(1, 3600)")


@pytest.mark.group("window")
@pytest.mark.advice(
    "Store now + period as the end of each grant, and drop the grant once end <= now. Store nothing for a refused call."
)
def test_the_instant_of_the_end(player, clock):
    """A unit is in use until just before t + period, and free at t + period."""
    gate = limiter(player, clock, limit=1, period=2.5)
    same(gate.try_acquire("ox"), True, "try_acquire('ox') with 1 unit free")
    clock.now += 2.25
    same(gate.try_acquire("ox"), False, "try_acquire('ox') 2.25 s after the only unit was taken, period 2.5")
    clock.now += 0.25
    same(gate.try_acquire("ox"), True, "try_acquire('ox') exactly 2.5 s after the only unit was taken, period 2.5")


@pytest.mark.group("window")
@pytest.mark.advice(
    "Keep each grant until its end, now + period, and free its whole cost then. Compute nothing from the time that "
    "has passed."
)
def test_nothing_comes_back_bit_by_bit(player, clock):
    """Units are in use for the whole period: none is free in the middle of it."""
    gate = limiter(player, clock)
    same(tries(gate, "ox", 4), [True] * 3 + [False], "4 times try_acquire('ox') at the same time, limit 3")
    clock.now += 4
    same(gate.try_acquire("ox"), False, "try_acquire('ox') 4 s after all units were taken, period 10")


@pytest.mark.group("window")
@pytest.mark.advice(
    "Give each grant its own end, now + period, and drop it once end <= now. Use no fixed intervals such as now // "
    "period, and store no refusals."
)
def test_the_window_slides(player, clock):
    """Each unit is free one period after it was taken, not at fixed times."""
    gate = limiter(player, clock, limit=2)
    clock.now = 1009
    gate.try_acquire("ox")
    clock.now = 1014
    gate.try_acquire("ox")
    taken = "units taken at 1009 and 1014, limit 2, period 10"
    for now, due in ((1018, [False]), (1019, [True, False]), (1024, [True, False])):
        clock.now = now
        same(tries(gate, "ox", len(due)), due, f"{len(due)} times try_acquire('ox') at {now}, {taken}")


@pytest.mark.group("window")
@pytest.mark.advice(
    "Compare cost with what is free first, and return False before anything is stored or any end is moved. Drop "
    "grants once end <= now."
)
def test_a_refusal_takes_nothing(player, clock):
    """Refused calls do not change when a key's units are free."""
    gate = limiter(player, clock, limit=2)
    tries(gate, "ox", 2)
    for _ in range(4):
        clock.now += 2.25
        same(
            gate.try_acquire("ox"),
            False,
            f"try_acquire('ox') {clock.now - 1000} s after all units were taken, period 10",
        )
    clock.now += 1
    same(
        tries(gate, "ox", 3),
        [True, True, False],
        "3 times try_acquire('ox') 10 s after 2 units were taken and 4 calls refused, period 10",
    )


@pytest.mark.group("window")
@pytest.mark.clause("A LIMITER")
@pytest.mark.advice(
    "Use the clock's number as it is: start no time at 0, and test none by its truth. Drop a grant once end <= "
    "now, and store no refusals."
)
def test_time_below_zero(player):
    """A clock that starts below zero and passes zero works like any other."""
    clock = Clock(-10)
    gate = limiter(player, clock, limit=1)
    for now, due in ((-10, [True, False]), (-0.25, [False]), (0, [True, False])):
        clock.now = now
        calls = f"{len(due)} times try_acquire('ox') at {now}"
        same(tries(gate, "ox", len(due)), due, f"{calls}, first taken at -10, limit 1, period 10")


@pytest.mark.group("shares")
@pytest.mark.clause("THE RULE", "METHODS")
@pytest.mark.advice(
    "Store (now + period, cost) for each grant, and drop both once end <= now. If cost is more than what is free, "
    "return False and store nothing."
)
def test_costs_of_several_units(player, clock):
    """A call takes its whole cost or nothing; a smaller one may still pass."""
    gate = limiter(player, clock, limit=5)
    same(gate.try_acquire("ox", 3), True, "try_acquire('ox', 3) with 5 units free")
    clock.now += 1
    same(gate.try_acquire("ox", cost=3), False, "try_acquire('ox', cost=3) with 2 units free")
    same(gate.available("ox"), 2, "available('ox') after a refused call, 3 of 5 units in use")
    same(gate.try_acquire("ox", 2), True, "try_acquire('ox', 2) with 2 units free")
    clock.now += 9
    same(gate.available("ox"), 3, "available('ox') when 3 units of one call have ended and 2 of another have not")


@pytest.mark.group("shares")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Use the key itself in every dict, None included, and never str(), repr(), hash() or id() of it. Let len count "
    "the keys with grants."
)
def test_keys_that_look_alike(player, clock):
    """Keys are equal exactly if a dict says so: 1 and 1.0 are, 1 and "1" are not."""
    gate = limiter(player, clock, limit=2)
    same(tries(gate, 1, 3), [True, True, False], "3 times try_acquire(1), limit 2")
    for key in ("1", -1, -2, (1,), "(1,)", b"1", "None", None):
        same(gate.available(key), 2, f"available({key!r}) after other keys took units, limit 2")
        same(
            tries(gate, key, 3),
            [True, True, False],
            f"3 times try_acquire({key!r}) after other keys took units, limit 2",
        )
    same(gate.try_acquire(1.0), False, "try_acquire(1.0) where 1 has all units in use")
    same(len(gate), 9, "len(limiter) with 9 different keys in use")


@pytest.mark.group("shares")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Keep own limits in a dict apart from the grants, and use own.get(key, limit) in each call. Let set_limit(key, "
    "None) remove the entry."
)
def test_a_limit_of_its_own(player, clock):
    """A key may have its own limit; its units in use and other keys stay the same."""
    gate = limiter(player, clock, limit=3)
    tries(gate, "ox", 3)
    gate.set_limit("ox", 5)
    same(gate.available("ox"), 2, "available('ox') after 3 units and set_limit('ox', 5)")
    same(tries(gate, "ox", 3), [True, True, False], "3 times try_acquire('ox') after 3 units and set_limit('ox', 5)")
    same(tries(gate, "cart", 4), [True] * 3 + [False], "4 times try_acquire('cart') after set_limit('ox', 5), limit 3")
    gate.set_limit("ox", None)
    clock.now += 10.25
    same(tries(gate, "ox", 4), [True] * 3 + [False], "4 times try_acquire('ox') after set_limit('ox', None), limit 3")


@pytest.mark.group("shares")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Store (now + period, cost) for grants alone, which set_limit leaves as they are. Look the limit up in each "
    "call; available is max(0, limit - used)."
)
def test_a_limit_below_what_is_in_use(player, clock):
    """If more is in use than the new limit, the key waits until enough is free."""
    gate = limiter(player, clock, limit=4)
    for _ in range(4):
        gate.try_acquire("ox")
        clock.now += 1
    gate.set_limit("ox", 2)
    taken = "units taken at 1000, 1001, 1002 and 1003, period 10, and set_limit('ox', 2)"
    same(gate.available("ox"), 0, f"available('ox') at 1004 after {taken}")
    for now, due in ((1010.25, [False]), (1011.25, [False]), (1012.25, [True, False])):
        clock.now = now
        same(tries(gate, "ox", len(due)), due, f"try_acquire('ox') at {now} after {taken}")


@pytest.mark.group("shares")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "In __len__, drop grants once their time + period <= now, then count the keys with grants. Let available and "
    "set_limit add no entry there."
)
def test_keys_with_units_in_use(player, clock):
    """len counts exactly the keys that have units in use."""
    gate = limiter(player, clock, limit=1)
    gate.available("mule")
    gate.set_limit("mule", 2)
    same(len(gate), 0, "len(limiter) after available('mule') and set_limit('mule', 2)")
    tries(gate, "ox", 3)
    clock.now += 4
    tries(gate, "cart", 1)
    same(len(gate), 2, "len(limiter) with 'ox' and 'cart' in use")
    clock.now += 6
    same(len(gate), 1, "len(limiter) when one of two keys has nothing in use any more")
