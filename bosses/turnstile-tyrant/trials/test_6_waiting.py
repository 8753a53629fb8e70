"""Waiting: how long, for what, and when to give up."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("METHODS")


class World:
    """A clock, and a sleep that moves it: by what was asked for and what it is late, or by what the trial says."""

    def __init__(self, player, limit=2, period=10, moves=(), late=0):
        self.now, self.slept, self.moves, self.late = 100, [], list(moves), late
        self.gate = player.module("limiter").RateLimiter(limit, period, lambda: self.now, self.sleep)

    def sleep(self, seconds):
        """Note the wish, and let time pass; too many wishes are an error, or the trial would never end."""
        self.slept.append(seconds)
        if len(self.slept) > 1500:
            raise RuntimeError("this sleeps too often")
        self.now += self.moves.pop(0) if self.moves else seconds + self.late

    def take(self, key, costs, pause=1):
        """Take units, with a pause after each call."""
        for cost in costs:
            self.gate.try_acquire(key, cost)
            self.now += pause


def same(got, due, calls):
    """Fail unless calls gave what the contract says."""
    assert got == due, f"expected {due!r} for {calls}; got {got!r}"


def slides(player):
    """Whether units are free exactly one period after they were taken; if not, it is reported with counting."""
    now = [-50]
    gate = player.module("limiter").RateLimiter(2, 10, lambda: now[0])
    gate.try_acquire("mule")
    seen = []
    for later in (4, 5.75, 0.25, 3.75, 0.25):
        now[0] += later
        seen.append(gate.try_acquire("mule"))
    return seen == [True, False, True, False, True]


def steal(limit, period, times, key):
    """While acquire sleeps, another thread takes the units that come free, so many times. Gives thefts and outcome."""
    import threading

    import limiter

    now, slept, stolen = [0], [], []

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) > 50:
            raise RuntimeError("this sleeps too often")
        now[0] += seconds
        if len(slept) <= times:
            thief = threading.Thread(target=lambda: stolen.append(gate.try_acquire(key, limit)), daemon=True)
            thief.start()
            thief.join(0.5)

    gate = limiter.RateLimiter(limit, period, lambda: now[0], sleep)
    gate.try_acquire(key, limit)
    got = gate.acquire(key, 1, 3 * period)
    return [stolen.count(True), [got, slept, now[0]]]


# In the three trials of plain waiting sleep is late, as it may be: the very instant of the end is asked elsewhere.
LATE = 0.25


@pytest.mark.group("waits")
@pytest.mark.advice(
    "In acquire, look before you wait: drop what has ended, and if the cost is free, take it and return True "
    "without calling sleep."
)
def test_no_need_to_wait(player):
    """If units are free, acquire takes them at once and does not sleep."""
    world = World(player, late=LATE)
    same([world.gate.acquire("ox"), world.gate.acquire("ox", 1, 5)], [True, True], "acquire('ox') twice, 2 units free")
    same(world.slept, [], "the sleeps of acquire('ox') where units are free")
    same(world.gate.available("ox"), 0, "available('ox') after acquire('ox') twice, limit 2")


@pytest.mark.group("waits")
@pytest.mark.clause("A LIMITER", "METHODS")
@pytest.mark.advice(
    "Loop in acquire: take the cost and return True if it is free. Otherwise call the given sleep for the seconds "
    "until it is, and look again."
)
def test_waiting_for_a_unit(player):
    """If none is free, acquire calls the given sleep until one is, and takes it."""
    world = World(player, late=LATE)
    world.take("ox", [2], pause=0)
    same(world.gate.acquire("ox"), True, "acquire('ox') with both units in use until 110")
    same(world.now >= 110, True, f"the clock at 110 or later when acquire('ox') returns (it shows {world.now})")
    same(world.gate.available("ox"), 1, "available('ox') when acquire has waited for one of two units")


@pytest.mark.group("waits")
@pytest.mark.advice(
    "Before each sleep, return False if now + wait is later than start + timeout. Otherwise sleep for that wait "
    "and look again."
)
def test_giving_up(player):
    """With too short a timeout, acquire returns False; with a long one, it waits."""
    world = World(player, late=LATE)
    world.take("ox", [2], pause=0)
    same(world.gate.acquire("ox", 1, 4), False, "acquire('ox', 1, timeout=4) where units are free in 10 s")
    same(world.gate.acquire("ox", 1, 60), True, "acquire('ox', 1, timeout=60) where units are free within 10 s")
    same(world.gate.available("ox"), 1, "available('ox') after one acquire gave up and one got its unit, limit 2")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Compute the wait, end - now, in one function for retry_after and acquire. Return False before sleeping if now "
    "+ wait > start + timeout."
)
def test_sleeps_as_foretold(player):
    """acquire sleeps once, as long as retry_after says, or gives up at once."""
    world = World(player, limit=4, late=LATE)
    world.take("ox", [1, 1, 1, 1], pause=0)
    told = world.gate.retry_after("ox")
    same(told > 0, True, "retry_after('ox') > 0 where all units are in use")
    same(world.gate.acquire("ox", 1, told / 2), False, f"acquire('ox', 1, {told / 2}) after retry_after gave {told}")
    same(world.slept, [], f"the sleeps of acquire('ox', 1, {told / 2}) after retry_after gave {told}")
    same(world.gate.acquire("ox", 1, told + 1), True, f"acquire('ox', 1, {told + 1}) after retry_after gave {told}")
    same(world.slept, [told], f"the sleeps of acquire('ox', 1, {told + 1}) after retry_after gave {told}")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Add up the key's grants from the oldest until the whole cost will be free, and sleep once, for that grant's "
    "end - now."
)
def test_one_sleep_of_the_right_length(player):
    """acquire sleeps once, for exactly as long as its whole cost needs."""
    if not slides(player):
        return
    world = World(player, limit=6)
    world.take("ox", [2, 1, 3], pause=2)
    taken = "2, 1 and 3 units taken at 100, 102 and 104, limit 6, period 10"
    same(world.gate.acquire("ox", 3), True, f"acquire('ox', 3) at 106, {taken}")
    same(world.slept, [6], f"the sleeps of acquire('ox', 3) at 106, {taken}")
    same(world.gate.acquire("ox", 4), True, f"acquire('ox', 4) at 112, {taken} and 3 at 112")
    same(world.slept, [6, 10], f"the sleeps up to acquire('ox', 4) at 112, {taken} and 3 at 112")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Look up the key's own limit where you compute the wait. Add up its grants from the oldest until cost fits "
    "under it; the wait is that end - now."
)
def test_a_limit_of_its_own(player):
    """acquire and retry_after use the limit of the key."""
    world = World(player)
    world.gate.set_limit("cart", 4)
    if not slides(player) or world.gate.available("cart") != 4:
        return  # Whether a limit of its own is heeded at all is asked where counting is.
    world.take("cart", [2, 2], pause=2)
    taken = "2 units taken at 100 and 2 at 102, set_limit('cart', 4), period 10"
    same(
        [world.gate.retry_after("cart", cost) for cost in (1, 2)],
        [6, 6],
        f"retry_after('cart', 1) and 2 at 104, {taken}",
    )
    same(world.gate.acquire("cart", 2), True, f"acquire('cart', 2) at 104, {taken}")
    same(world.slept, [6], f"the sleeps of acquire('cart', 2) at 104, {taken}")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Take free units first. Then return False, before sleeping, only if now + wait > start + timeout. Compare "
    "timeout with None, since 0 is a timeout."
)
def test_the_last_instant(player):
    """Units free at exactly start + timeout are in time; later ones are too late."""
    if not slides(player):
        return
    world = World(player)
    world.take("ox", [2], pause=4)
    same(world.gate.acquire("ox", 1, 5.75), False, "acquire('ox', 1, 5.75) where a unit is free in 6 s")
    same(
        [world.slept, world.now],
        [[], 104],
        "the sleeps of acquire('ox', 1, 5.75) where a unit is free in 6 s, and the clock",
    )
    same(world.gate.acquire("ox", 1, 6), True, "acquire('ox', 1, 6) where a unit is free in 6 s")
    same(world.slept, [6], "the sleeps of acquire('ox', 1, 6) where a unit is free in 6 s")
    world.take("ox", [1], pause=0)
    same(world.gate.acquire("ox", 1, 0), False, "acquire('ox', 1, 0) where no unit is free")
    same(world.gate.acquire("mule", 1, 0), True, "acquire('mule', 1, 0) where units are free")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Compute the deadline once. Then loop: take if free, give up only if now + wait > deadline, sleep for that "
    "wait, and read the clock again."
)
def test_a_sleep_that_ends_early(player):
    """If sleep returns early, acquire checks again and sleeps for the rest."""
    if not slides(player):
        return
    world = World(player, moves=[4, 0, 5.5])
    world.take("ox", [2], pause=0)
    early = "units free in 10 s, where sleep returns after 4, 0 and 5.5 s"
    same(world.gate.acquire("ox", 2, 10), True, f"acquire('ox', 2, 10), {early}")
    same(world.slept, [10, 6, 6, 0.5], f"the sleeps of acquire('ox', 2, 10), {early}")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "After a sleep, take free units before you compare with the deadline. Compute the grant's end from the clock "
    "read then."
)
def test_a_sleep_that_ends_late(player):
    """If sleep returns late, free units are taken even after the timeout."""
    world = World(player, moves=[25])
    world.take("ox", [2], pause=0)
    late = "units free in 10 s, where sleep returns after 25 s"
    same(world.gate.acquire("ox", 1, 12), True, f"acquire('ox', 1, 12), {late}")
    same(world.now, 125, f"the clock after acquire('ox', 1, 12) at 100, {late}")
    if slides(player):
        world.now += 9.75
        same(world.gate.available("ox"), 1, "available('ox') 9.75 s after acquire took its unit, limit 2, period 10")


@pytest.mark.limits(seconds=3)
@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Compute start + timeout once. In each round take if free, return False at once if now + wait is later than "
    "that, or else sleep for that wait."
)
def test_others_were_quicker(player):
    """If others took the units meanwhile, acquire waits on within its timeout."""
    if not slides(player):
        return
    # Who sleeps with the lock in hand is robbed less often: that is for the trials with threads to say.
    for times, key in ((2, "ox"), (3, "cart")):
        thefts, outcome = player.drive(steal, 3, 10, times, key)
        sleeps = min(3, thefts + 1)
        words = f"acquire({key!r}, 1, 30): its answer, sleeps and the clock, when others take all units {thefts} times"
        same(outcome, [thefts < 3, [10] * sleeps, 10 * sleeps], f"{words} at 10, 20, ..., limit 3, period 10")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Catch nothing around sleep, hold no lock during it, and store a grant only after it, when the units are found "
    "free."
)
def test_a_sleep_that_fails(player):
    """An exception that sleep raises reaches the caller, and nothing is taken."""
    now = [100]

    def rung(seconds):
        now[0] += 10.25
        raise InterruptedError("the bell")

    gate = player.module("limiter").RateLimiter(2, 10, lambda: now[0], rung)
    gate.try_acquire("ox", 2)
    try:
        got = gate.acquire("ox")
    except PlayerError as error:
        got = error
    said = f"it raised {got.type_name}" if isinstance(got, PlayerError) else f"it returned {got!r}"
    assert isinstance(got, InterruptedError), (
        f"expected InterruptedError from acquire('ox') with a sleep that raises InterruptedError; {said}"
    )
    same(gate.available("ox"), 2, "available('ox') after a sleep that failed, when all units have ended")
    same(gate.try_acquire("ox", 2), True, "try_acquire('ox', 2) after a sleep that failed, when all units have ended")


@pytest.mark.group("punctual")
@pytest.mark.advice(
    "Return 0 if cost is free. Otherwise add up the key's grants from the oldest until it will be, and return that "
    "end - now. Store nothing."
)
def test_retry_after(player):
    """retry_after returns the seconds until a cost is free, and takes nothing."""
    world = World(player, limit=4)
    same(world.gate.retry_after("ox", 4), 0, "retry_after('ox', 4) with 4 units free")
    same(world.gate.retry_after("cart"), 0, "retry_after('cart') of a key never used")
    same(world.slept, [], "the sleeps of retry_after")
    if not slides(player):
        return
    world.take("ox", [1, 2, 1], pause=2)
    taken = "1, 2 and 1 units taken at 100, 102 and 104, limit 4, period 10"
    told = [world.gate.retry_after("ox", cost) for cost in (1, 2, 3, 4)]
    same(told, [4, 6, 6, 8], f"retry_after('ox', cost) for 1 to 4 at 106, {taken}")
    same(world.gate.retry_after("ox"), 4, f"retry_after('ox') at 106, {taken}")
    same([world.slept, world.gate.available("ox")], [[], 0], f"sleeps, and available('ox') after retry_after, {taken}")
