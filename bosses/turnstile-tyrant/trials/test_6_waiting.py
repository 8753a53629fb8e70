"""Waiting: how long, for what, and when to give up."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError


class World:
    """A clock, and a sleep that moves it: by what was asked for, or by what the trial says instead."""

    def __init__(self, player, limit=2, period=10, moves=()):
        self.now, self.slept, self.moves = 100, [], list(moves)
        self.gate = player.module("limiter").RateLimiter(limit, period, lambda: self.now, self.sleep)

    def sleep(self, seconds):
        """Note the wish, and let time pass; too many wishes are an error, or the trial would never end."""
        self.slept.append(seconds)
        if len(self.slept) > 1500:
            raise RuntimeError("this sleeps too often")
        self.now += self.moves.pop(0) if self.moves else seconds

    def take(self, key, costs, pause=1):
        """Take units, with a pause after each call."""
        for cost in costs:
            self.gate.try_acquire(key, cost)
            self.now += pause


def steal(limit, period, times):
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
            thief = threading.Thread(target=lambda: stolen.append(gate.try_acquire("ox", limit)), daemon=True)
            thief.start()
            thief.join(0.5)

    gate = limiter.RateLimiter(limit, period, lambda: now[0], sleep)
    gate.try_acquire("ox", limit)
    got = gate.acquire("ox", 1, 3 * period)
    return [stolen.count(True), [got, slept, now[0]]]


@pytest.mark.group("waits")
def test_no_need_to_wait(player):
    """Where units are free, acquire takes them at once and does not sleep."""
    world = World(player)
    assert [world.gate.acquire("ox"), world.gate.acquire("ox", 1, 5)] == [True, True], (
        "acquire answers True when it has the units."
    )
    assert world.slept == [], "Where units are free acquire must not sleep."
    assert world.gate.available("ox") == 0, "acquire takes its units as try_acquire does."


@pytest.mark.group("waits")
def test_waiting_for_a_unit(player):
    """Where none is free, acquire sleeps by the sleep handed in until one is, and takes it."""
    world = World(player)
    world.take("ox", [1, 1])
    assert world.gate.acquire("ox") is True, "Without a timeout acquire waits until it has its units."
    assert world.now >= 110, "acquire waits by calling the sleep handed in, until the unit is free."
    assert world.gate.available("ox") == 0, "When acquire comes back its unit is in use, from that instant on."


@pytest.mark.group("waits")
def test_giving_up(player):
    """With a timeout that is too short acquire answers False and takes nothing; with a long one it gets its unit."""
    world = World(player)
    world.take("ox", [2], pause=0)
    assert world.gate.acquire("ox", 1, timeout=4) is False, "If the units can't be free in time, acquire answers False."
    assert world.gate.acquire("ox", timeout=60) is True, "If the units will be free in time, acquire waits for them."
    assert world.gate.available("ox") == 1, "An acquire that gave up has taken nothing."


@pytest.mark.group("punctual")
def test_one_sleep_of_the_right_length(player):
    """acquire sleeps once, for exactly as long as it takes until enough units are free for its cost."""
    world = World(player, limit=6)
    world.take("ox", [2, 1, 3], pause=2)
    assert world.gate.acquire("ox", 3) is True, "acquire waits until its whole cost is free."
    assert world.slept == [6], (
        "One sleep until enough units are free: not until the first one is, and not until all are."
    )
    assert world.gate.acquire("ox", 4) is True, "acquire waits until its whole cost is free."
    assert world.slept == [6, 10], "How long to sleep follows from what is in use now, whatever was waited for before."


@pytest.mark.group("punctual")
def test_the_last_instant(player):
    """Units that are free at exactly start + timeout are in time; a moment later is too late, and not waited for."""
    world = World(player)
    world.take("ox", [2], pause=4)
    assert world.gate.acquire("ox", 1, 5.75) is False, "Units that are free after start + timeout are too late."
    assert [world.slept, world.now] == [[], 104], (
        "When it is clear that it will be too late, acquire gives up without a sleep."
    )
    assert world.gate.acquire("ox", 1, 6) is True, "Units that are free at exactly start + timeout are in time."
    assert world.slept == [6], "To get units at the last instant, acquire sleeps until then."
    world.take("ox", [1], pause=0)
    assert world.gate.acquire("ox", 1, 0) is False, "With a timeout of 0 acquire answers at once."


@pytest.mark.group("punctual")
def test_a_sleep_that_ends_early(player):
    """If sleep comes back early, acquire looks again and sleeps for the rest."""
    world = World(player, moves=[4, 0, 5.5])
    world.take("ox", [2], pause=0)
    assert world.gate.acquire("ox", 2, 10) is True, "A sleep that comes back early is no reason to give up, or to pass."
    assert world.slept == [10, 6, 6, 0.5], "After an early return the rest is slept, counted from the clock."


@pytest.mark.group("punctual")
def test_a_sleep_that_ends_late(player):
    """If sleep comes back late, units that are free are taken; the timeout counts for waiting on, not for taking."""
    world = World(player, moves=[25])
    world.take("ox", [2], pause=0)
    assert world.gate.acquire("ox", 1, 12) is True, (
        "Units that are free when it looks are taken, however late sleep came back."
    )
    assert world.now == 125, "A sleep that came back late is not followed by another one if the units are free."
    world.now += 9.75
    assert world.gate.available("ox") == 1, "Units count from when they were taken, not from when they came free."


@pytest.mark.limits(seconds=3)
@pytest.mark.group("punctual")
def test_others_were_quicker(player):
    """If others took the units meanwhile, acquire waits on within its timeout, and then gives up."""
    # Who sleeps with the lock in hand is robbed less often: that is for the trials with threads to say.
    thefts, outcome = player.drive(steal, 3, 10, 2)
    assert outcome == [True, [10] * (thefts + 1), 10 * (thefts + 1)], (
        "Whoever finds that others were quicker looks again, and sleeps until the units are free next."
    )
    thefts, outcome = player.drive(steal, 3, 10, 3)
    sleeps = min(3, thefts + 1)
    assert outcome == [thefts < 3, [10] * sleeps, 10 * sleeps], (
        "The timeout is counted from the start of the call, however often others were quicker."
    )


@pytest.mark.group("punctual")
def test_a_sleep_that_fails(player):
    """An exception out of sleep passes through as it is, and nothing was taken."""
    now = [100]

    def rung(seconds):
        now[0] += 10
        raise InterruptedError("the bell")

    gate = player.module("limiter").RateLimiter(2, 10, lambda: now[0], rung)
    assert [gate.try_acquire("ox", 2), gate.try_acquire("ox")] == [True, False], (
        "A free unit is let through, and no more."
    )
    got = None
    try:
        gate.acquire("ox")
    except PlayerError as error:
        got = error
    assert isinstance(got, InterruptedError), "An exception out of sleep must come out of acquire as it is."
    assert gate.available("ox") == 2, "If sleep fails nothing was taken."
    assert gate.try_acquire("ox", 2) is True, "After a failed sleep the limiter goes on as before."


@pytest.mark.group("punctual")
def test_retry_after(player):
    """retry_after tells the seconds until a cost is free, 0 if it is now, and takes nothing."""
    world = World(player, limit=4)
    assert world.gate.retry_after("ox", 4) == 0, "What is free now needs no wait."
    world.take("ox", [1, 2, 1], pause=2)
    told = [world.gate.retry_after("ox", cost) for cost in (1, 2, 3, 4)]
    assert told == [4, 6, 6, 8], "retry_after tells when as many units as the cost will be free together."
    assert world.gate.retry_after("ox") == 4, "Without a cost retry_after is asked for one unit."
    assert world.gate.retry_after("cart") == 0, "What one key has in use does not concern another."
    assert world.slept == [], "retry_after never sleeps."
    assert world.gate.available("ox") == 0, "retry_after takes nothing."
