"""What is handed to sleep, and when it is not called."""

import pytest

# All numbers are sums of powers of two, so that no instant is a matter of rounding.


def ask(settings, failures, rolls, took, overslept, wishes):
    """Let a Caller ask a service that fails so often, then answers; tell pauses, rolls of chance, and the end.

    `took` are the seconds of attempts, `overslept` what is added to pauses, `wishes` the retry_after of the errors.
    """
    import oracle

    world = {"now": 8192.0, "asked": 0, "slept": 0, "rolled": 0}
    pauses = []

    def part(values, number, default):
        return values[number] if number < len(values) else default

    def sleep(seconds):
        pauses.append(seconds)
        world["now"] += seconds + part(overslept, world["slept"], 0)
        world["slept"] += 1

    def chance():
        world["rolled"] += 1
        return part(rolls, world["rolled"] - 1, 0.0)

    def service():
        number = world["asked"]
        world["asked"] += 1
        world["now"] += part(took, number, 0)
        if number < failures:
            error = TimeoutError("not now")
            if number < len(wishes):
                error.retry_after = wishes[number]
            raise error
        return "so be it"

    caller = oracle.Caller(service, clock=lambda: world["now"], sleep=sleep, random=chance, **settings)
    told = {"answer": None, "error": "", "late": False}
    try:
        told["answer"] = caller.call()
    except Exception as error:
        told["error"] = type(error).__name__
        told["late"] = isinstance(error, getattr(oracle, "DeadlineError", ()))
    return {**told, "pauses": pauses, "rolled": world["rolled"], "asked": world["asked"]}


@pytest.fixture
def asked(player):
    """Lets a Caller ask, in a world in which only what is named happens."""

    def asked(settings, failures, rolls=(), took=(), overslept=(), wishes=()):
        return player.drive(ask, settings, failures, rolls, took, overslept, wishes)

    return asked


def same(pauses, expected):
    """Whether pauses are those expected, within one part in a billion."""
    return len(pauses) == len(expected) and all(
        isinstance(pause, int | float) and abs(pause - wanted) <= 1e-9 * wanted
        for pause, wanted in zip(pauses, expected, strict=True)
    )


@pytest.mark.group("backoff")
def test_pauses_double_up_to_the_cap(asked):
    """Without jitter each pause is twice the one before, up to the cap."""
    told = asked({"attempts": 9, "base": 0.75, "cap": 20, "jitter": 0}, 8)
    assert told["answer"] == "so be it", f"The service answered at the last attempt; there came {told['error']}."
    assert same(told["pauses"][:5], [0.75, 1.5, 3, 6, 12]), "Without jitter the n-th pause is base * 2**(n-1)."
    assert same(told["pauses"][5:], [20, 20, 20]), (
        "No pause is longer than the cap, and there is one between any two attempts."
    )


@pytest.mark.group("backoff")
def test_no_pause_without_need(asked):
    """There is no pause before the first attempt, after an answer, or after the last failure."""
    told = asked({"attempts": 3, "base": 2, "cap": 64, "jitter": 0}, 9)
    assert told["error"], "When the last attempt has failed, call raises."
    assert same(told["pauses"], [2, 4]), "After the last attempt there is no pause: nobody will ask again."
    told = asked({"attempts": 3, "base": 2, "cap": 1, "jitter": 0}, 1)
    assert same(told["pauses"], [1]), (
        "Each failed attempt that is followed by another costs one pause; the cap may lie below base."
    )


def ask_through(settings, threshold):
    """Let a Caller ask through a breaker a service that is down; tell the pauses made while the breaker was open."""
    import oracle

    world = {"now": 64.0, "asked": 0}
    in_vain = []

    def clock():
        return world["now"]

    def sleep(seconds):
        if breaker.state == "open":
            in_vain.append(seconds)
        world["now"] += seconds

    def service():
        world["asked"] += 1
        raise ConnectionError("not now")

    breaker = oracle.Breaker(threshold, 64.0, clock=clock)
    caller = oracle.Caller(service, breaker=breaker, clock=clock, sleep=sleep, random=lambda: 0.0, **settings)
    for _ in range(2):
        try:
            caller.call()
        except Exception as error:
            world["error"] = type(error).__name__
    return in_vain, world["asked"]


@pytest.mark.group("backoff")
def test_no_pause_while_the_breaker_is_open(player):
    """There is no pause while the breaker is open: the call ends at once."""
    in_vain, asked = player.drive(ask_through, {"attempts": 3, "base": 2, "cap": 64, "jitter": 0}, 2)
    assert asked, "The service was never asked through the breaker."
    assert in_vain == [], f"expected no pause while the breaker is open; got {len(in_vain)}"


@pytest.mark.group("jitter")
def test_jitter_on_random_settings(asked, rng):
    """Every pause is its limit, less the share that jitter and chance take away."""
    for _ in range(12):
        base, cap, jitter = (
            rng.uniform(0.01, 3),
            rng.uniform(0.5, 40),
            rng.choice([0.0, 1.0, rng.random(), rng.random()]),
        )
        failures = rng.randint(1, 14)
        rolls = [rng.random() for _ in range(failures)]
        settings = {"attempts": failures + 1, "base": base, "cap": cap, "jitter": jitter}
        told = asked(settings, failures, rolls)
        limits = [min(cap, base * 2**n) for n in range(failures)]
        expected = [limit * (1 - jitter * roll) for limit, roll in zip(limits, rolls, strict=True)]
        assert same(told["pauses"], expected), (
            "A pause is limit * (1 - jitter * random()), where limit is the doubled base, at most the cap."
        )
        assert told["rolled"] == failures, "random is called once for each pause."


@pytest.mark.group("jitter")
def test_settings_that_nobody_gave(asked):
    """Unless told otherwise, pauses begin at a tenth of a second, end at ten, and jitter takes up to half."""
    told = asked({"attempts": 11}, 10, [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.0])
    limits = [min(10.0, 0.1 * 2**n) for n in range(10)]
    expected = [*limits[:1], limits[1] * 0.75, *limits[2:7], limits[7] * 0.875, *limits[8:]]
    assert same(told["pauses"], expected), "base is 0.1, cap is 10 and jitter is 0.5 unless told otherwise."


@pytest.mark.group("jitter")
def test_an_error_that_says_when(asked):
    """An error's retry_after makes its pause at least that long, beyond the cap as well."""
    wishes = [40, 1, None, 6, 8.5]
    told = asked({"attempts": 8, "base": 1, "cap": 8, "jitter": 0.5}, 6, [0.5] * 6, wishes=wishes)
    assert told["answer"] == "so be it", f"A retry_after of None is none at all; there came {told['error']}."
    assert same(told["pauses"], [40, 1.5, 3, 6, 8.5, 6]), (
        "The pause is the greater of the computed one and retry_after, which the cap does not bound."
    )
    assert told["rolled"] == 6, "random is called once for each pause, also where retry_after is greater."


@pytest.mark.group("jitter")
def test_very_many_attempts(asked):
    """After thousands of attempts the pause is the cap, as it should be."""
    told = asked({"attempts": 2600, "base": 0.5, "cap": 16, "jitter": 0.25}, 2500, [1 / 2] * 2500)
    assert told["answer"] == "so be it", f"Thousands of attempts are no reason to fail; there came {told['error']}."
    assert same(told["pauses"][-3:], [14, 14, 14]), "Far out, the limit is the cap."


@pytest.mark.group("deadline")
def test_a_pause_that_ends_too_late(asked):
    """No pause is begun that would end at or after the deadline."""
    settings = {"attempts": 9, "base": 1, "cap": 64, "jitter": 0}
    for deadline, pauses in ((1, []), (1.5, [1]), (3, [1]), (3.125, [1, 2]), (15, [1, 2, 4]), (15.5, [1, 2, 4, 8])):
        told = asked({**settings, "deadline": deadline}, 8)
        assert told["late"], (
            f"With no time left, call ends in DeadlineError; there came {told['error'] or 'an answer'}."
        )
        assert same(told["pauses"], pauses), (
            "A pause that would end before the deadline is made; one that would end at it or after it is not."
        )
        assert told["asked"] == len(pauses) + 1, "After a pause that ended in time comes the next attempt."
        assert told["rolled"] == len(pauses) + 1, "random is called once for each pause that is computed, made or not."


@pytest.mark.group("deadline")
def test_attempts_take_time(asked):
    """The time that attempts take counts against the deadline; an answer counts however late it comes."""
    settings = {"attempts": 6, "base": 1, "cap": 64, "jitter": 0, "deadline": 16}
    told = asked(settings, 9, took=[4, 4, 4])
    assert told["late"], "The deadline counts from the beginning of call, attempts included."
    assert same(told["pauses"], [1, 2]), "The deadline counts from the beginning of call, attempts included."
    told = asked(settings, 1, took=[8, 300])
    assert told["answer"] == "so be it", "An attempt that was begun in time may end late: its answer is returned."
    told = asked(settings, 9, took=[300])
    assert (told["asked"], told["pauses"]) == (1, []), (
        "The first attempt is always made, and a failure after the deadline ends the call."
    )
    assert told["late"], f"An attempt that failed after the deadline ends in DeadlineError, no {told['error']}."


@pytest.mark.group("deadline")
def test_sleep_takes_longer(asked):
    """If sleep took so long that the deadline has been reached, there is no further attempt."""
    settings = {"attempts": 6, "base": 1, "cap": 64, "jitter": 0, "deadline": 8}
    for overslept, count in ((6.75, 2), (7, 1), (50, 1)):
        told = asked(settings, 9, overslept=[overslept])
        assert told["asked"] == count, "Look at the clock after sleeping: at the deadline no attempt begins any more."
        assert told["late"], "A sleep that reached the deadline ends in DeadlineError."
        assert same(told["pauses"][:1], [1]), "The pause itself was right: it would have ended in time."


@pytest.mark.group("deadline")
def test_every_call_has_its_own_deadline(player, asked):
    """The deadline counts from the beginning of each call; a wish can miss it; and None is no deadline."""
    told = player.drive(ask_twice, {"attempts": 9, "base": 1, "cap": 64, "jitter": 0, "deadline": 8})
    assert told == [["so be it", [1, 2]], ["so be it", [1, 2]]], "Each call has the whole deadline to itself."
    told = asked({"attempts": 9, "base": 1, "cap": 64, "jitter": 0, "deadline": 8}, 5, wishes=[8])
    assert told["late"], "A retry_after that reaches the deadline ends the call at once."
    assert told["pauses"] == [], "A retry_after that reaches the deadline ends the call at once."
    told = asked({"attempts": 40, "base": 4, "cap": 4096, "jitter": 0}, 39)
    assert told["answer"] == "so be it", "Without a deadline there is time for every attempt."
    told = asked({"attempts": 2, "base": 4, "cap": 64, "jitter": 0, "deadline": 3}, 9, took=[0, 9])
    assert told["late"], "The deadline is looked at after every failed attempt that is not the last."
    told = asked({"attempts": 1, "base": 4, "cap": 64, "jitter": 0, "deadline": 3}, 9, took=[9])
    assert not told["late"], "When the last attempt has failed, the attempts are exhausted, whatever the time."
    assert told["error"] == "RetriesExhaustedError", "When the last attempt has failed, the attempts are exhausted."


def ask_twice(settings):
    """Let one Caller ask twice, with time in between; tell both answers and their pauses."""
    import oracle

    world = {"now": 0.0, "asked": 0}
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        world["now"] += seconds

    def service():
        world["asked"] += 1
        if world["asked"] % 3:
            raise ConnectionError("not now")
        return "so be it"

    caller = oracle.Caller(service, clock=lambda: world["now"], sleep=sleep, random=lambda: 0.0, **settings)
    told = []
    for _ in range(2):
        world["now"] += 1000.0
        pauses.clear()
        try:
            answer = caller.call()
        except Exception as error:
            answer = type(error).__name__
        told.append([answer, list(pauses)])
    return told
