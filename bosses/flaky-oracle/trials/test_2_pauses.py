"""What is handed to sleep, and when it is not called."""

import pytest

pytestmark = pytest.mark.clause("A PAUSE")

# All numbers are sums of powers of two, so that no instant is a matter of rounding.


def ask(settings, failures, rolls, took, overslept, wishes):
    """Let a Caller ask a service that fails so often, then answers; return pauses, rolls of chance, and the end.

    `took` are the seconds of attempts, `overslept` what is added to pauses, `wishes` the retry_after of the errors.
    """
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

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
    outcome = {"answer": None, "error": "", "late": False}
    try:
        outcome["answer"] = caller.call()
    except Exception as error:
        outcome["error"] = type(error).__name__
        outcome["late"] = isinstance(error, getattr(oracle, "DeadlineError", ()))
    return {**outcome, "pauses": pauses, "rolled": world["rolled"], "asked": world["asked"]}


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


def expect_pauses(pauses, expected, settings):
    """Fail unless these are the pauses, within one part in a billion."""
    shown = ", ".join(f"{name}={value}" for name, value in settings.items())
    wrong = next((n for n, wanted in enumerate(expected) if not same(pauses[n : n + 1], [wanted])), None)
    assert wrong is None, (
        f"expected {expected[wrong]!r} as pause {wrong + 1} with {shown}; "
        f"got {pauses[wrong] if wrong < len(pauses) else 'none'!r}"
    )
    assert len(pauses) == len(expected), (
        f"expected {len(expected)} pauses with {shown}; got {len(pauses)}: {pauses[-3:]}"
    )


def expect_answer(outcome, what):
    """Fail unless the call had the service's answer."""
    assert outcome["answer"] == "so be it", f"expected an answer {what}; got {outcome['error']}"


def expect_late(outcome, what):
    """Fail unless the call ended in DeadlineError."""
    assert outcome["late"], f"expected DeadlineError {what}; got {outcome['error'] or 'an answer'}"


@pytest.mark.group("backoff")
@pytest.mark.advice(
    "Count n from 1 in each call."
    " After the n-th failed attempt sleep min(cap, base * 2 ** (n - 1)), which jitter=0 leaves as it is."
)
def test_pauses_double_up_to_the_cap(asked):
    """Without jitter each pause is twice the one before, up to the cap."""
    settings = {"attempts": 9, "base": 0.75, "cap": 20, "jitter": 0}
    outcome = asked(settings, 8)
    expect_answer(outcome, "at the last of 9 attempts")
    expect_pauses(outcome["pauses"], [0.75, 1.5, 3, 6, 12, 20, 20, 20], settings)


@pytest.mark.group("backoff")
@pytest.mark.clause("CALLER", "A PAUSE")
@pytest.mark.advice(
    "After a failed attempt raise first if it was the last."
    " Else sleep min(cap, base * 2 ** (n - 1)) once, n counting from 1, and sleep nowhere else."
)
def test_no_pause_without_need(asked):
    """There is no pause before the first attempt, after an answer, or at the end.

    How many attempts there are, and whether a cap below base is accepted, is judged elsewhere.
    """
    settings = {"attempts": 3, "base": 2, "cap": 64, "jitter": 0}
    outcome = asked(settings, 9)
    expect_pauses(outcome["pauses"], [2 * 2**n for n in range(outcome["asked"] - 1)], settings)
    settings = {"attempts": 3, "base": 2, "cap": 1, "jitter": 0}
    try:
        outcome = asked(settings, 1)
    except ValueError:
        settings["cap"] = 2
        outcome = asked(settings, 1)
    expect_pauses(outcome["pauses"], [settings["cap"]], settings)


def ask_through(settings, threshold):
    """Let a Caller ask through a breaker a service that is down; return the pauses made while the breaker was open."""
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

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


@pytest.mark.group("jitter")
@pytest.mark.clause("CALLER")
@pytest.mark.advice(
    "Make attempts by breaker.call(service, ...)."
    " When one has failed, raise CircuitOpenError if breaker.state is 'open', before a pause is computed."
)
def test_no_pause_while_the_breaker_is_open(player):
    """There is no pause while the breaker is open: the call ends at once."""
    in_vain, asked = player.drive(ask_through, {"attempts": 3, "base": 2, "cap": 64, "jitter": 0}, 2)
    assert asked, "expected the service to be asked through the breaker; it was not"
    assert in_vain == [], f"expected no pause while the breaker is open (threshold 2, 3 attempts); got {in_vain}"


@pytest.mark.group("jitter")
@pytest.mark.advice(
    "Compute min(cap, base * 2 ** (n - 1)) * (1 - jitter * random()), n from 1: first the cap, then jitter."
    " Call random() once for each pause."
)
def test_jitter_on_random_settings(asked, rng):
    """Every pause is its limit less the share that jitter and random() take away."""
    for _ in range(12):
        base, cap, jitter = (
            rng.uniform(0.01, 3),
            rng.uniform(0.5, 40),
            rng.choice([0.0, 1.0, rng.random(), rng.random()]),
        )
        failures = rng.randint(1, 14)
        rolls = [rng.random() for _ in range(failures)]
        settings = {"attempts": failures + 1, "base": base, "cap": cap, "jitter": jitter}
        outcome = asked(settings, failures, rolls)
        limits = [min(cap, base * 2**n) for n in range(failures)]
        expected = [limit * (1 - jitter * roll) for limit, roll in zip(limits, rolls, strict=True)]
        expect_pauses(outcome["pauses"], expected, {**settings, "random() in turn": rolls})
        rolled = outcome["rolled"]
        assert rolled == failures, f"expected {failures} calls of random() for {failures} pauses; got {rolled}"


@pytest.mark.group("jitter")
@pytest.mark.advice(
    "Use the defaults base=0.1, cap=10.0, jitter=0.5."
    " Compute min(cap, base * 2 ** (n - 1)) * (1 - jitter * random()) with n from 1."
)
def test_settings_that_nobody_gave(asked):
    """By default, pauses go from 0.1 s to 10 s, and jitter takes up to half."""
    outcome = asked({"attempts": 11}, 10, [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.0])
    limits = [min(10.0, 0.1 * 2**n) for n in range(10)]
    expected = [*limits[:1], limits[1] * 0.75, *limits[2:7], limits[7] * 0.875, *limits[8:]]
    expect_pauses(outcome["pauses"], expected, {"attempts": 11, "random() in turn": "0, 0.5, 0, 0, 0, 0, 0, 0.25, 0"})


@pytest.mark.group("jitter")
@pytest.mark.advice(
    "Compute min(cap, base * 2 ** (n - 1)) * (1 - jitter * random()) every time."
    " Then take max(pause, error.retry_after), if there is one and it isn't None."
)
def test_an_error_that_says_when(asked):
    """An error's retry_after makes its pause at least that long, even above the cap."""
    wishes = [40, 1, None, 6, 8.5]
    settings = {"attempts": 8, "base": 1, "cap": 8, "jitter": 0.5}
    outcome = asked(settings, 6, [0.5] * 6, wishes=wishes)
    expect_answer(outcome, f"after six errors with the retry_after {wishes}")
    expect_pauses(
        outcome["pauses"], [40, 1.5, 3, 6, 8.5, 6], {**settings, "random()": 0.5, "retry_after in turn": wishes}
    )
    rolled = outcome["rolled"]
    assert rolled == 6, f"expected 6 calls of random() for 6 pauses, three of them by retry_after; got {rolled}"


@pytest.mark.group("jitter")
@pytest.mark.advice(
    "In a loop, not by recursion, take limit = min(cap, base * 2 ** min(n - 1, 1000)), since a float ends at 2**1024."
    " Then apply 1 - jitter * random()."
)
def test_very_many_attempts(asked):
    """After thousands of attempts, the pause is the cap."""
    outcome = asked({"attempts": 2600, "base": 0.5, "cap": 16, "jitter": 0.25}, 2500, [1 / 2] * 2500)
    expect_answer(outcome, "at attempt 2501 of 2600")
    last = outcome["pauses"][-3:]
    assert same(last, [14, 14, 14]), f"expected the pauses 14, 14, 14 before attempt 2501 with cap=16; got {last}"


@pytest.mark.group("deadline")
@pytest.mark.clause("THE DEADLINE")
@pytest.mark.advice(
    "Compute the pause, with random(). If clock() + pause >= the start of call plus deadline, raise DeadlineError"
    " instead of sleeping, and never shorten it."
)
def test_a_pause_that_ends_too_late(asked):
    """No pause is started that would end at or after the deadline."""
    for deadline, pauses in ((1, []), (1.5, [1]), (3, [1]), (3.125, [1, 2]), (15, [1, 2, 4]), (15.5, [1, 2, 4, 8])):
        settings = {"attempts": 9, "base": 1, "cap": 64, "jitter": 0, "deadline": deadline}
        outcome = asked(settings, 8)
        expect_late(outcome, f"with deadline={deadline} and pauses of 1, 2, 4, 8, ... s")
        expect_pauses(outcome["pauses"], pauses, settings)
        for count, what in ((outcome["asked"], "attempts"), (outcome["rolled"], "calls of random()")):
            expected = len(pauses) + 1
            assert count == expected, f"expected {expected} {what} with deadline={deadline}; got {count}"


@pytest.mark.group("deadline")
@pytest.mark.clause("THE DEADLINE")
@pytest.mark.advice(
    "Look at the deadline only after a failed attempt: DeadlineError if clock(), read then, plus the pause is at"
    " or after it. Return an answer however late."
)
def test_attempts_take_time(asked):
    """Time spent in attempts counts against the deadline; a late answer is returned."""
    settings = {"attempts": 6, "base": 1, "cap": 64, "jitter": 0, "deadline": 16}
    outcome = asked(settings, 9, took=[4, 4, 4])
    expect_late(outcome, "with deadline=16 and attempts of 4 s each")
    expect_pauses(outcome["pauses"], [1, 2], {**settings, "seconds of each attempt": 4})
    expect_answer(
        asked(settings, 1, took=[8, 300]), "of an attempt that began in time, even if it comes 300 s after the deadline"
    )
    outcome = asked(settings, 9, took=[300])
    expect_late(outcome, "where the first attempt fails after 300 s, with deadline=16")
    expect_pauses(outcome["pauses"], [], {**settings, "seconds of the first attempt": 300})


@pytest.mark.group("deadline")
@pytest.mark.clause("THE DEADLINE")
@pytest.mark.advice(
    "Compute end = clock() + deadline as call begins."
    " Raise DeadlineError before sleep if clock() + pause >= end, and after it if clock() >= end."
)
def test_sleep_takes_longer(asked):
    """If sleep overruns the deadline, there is no further attempt."""
    settings = {"attempts": 6, "base": 1, "cap": 64, "jitter": 0, "deadline": 8}
    for overslept, count in ((6.75, 2), (7, 1), (50, 1)):
        outcome = asked(settings, 9, overslept=[overslept])
        words = f"with deadline=8, where sleep(1) takes {1 + overslept} s"
        noun = "attempt" if count == 1 else "attempts"
        assert outcome["asked"] == count, f"expected {count} {noun} {words}; got {outcome['asked']}"
        expect_late(outcome, words)
        assert same(outcome["pauses"][:1], [1]), f"expected a first pause of 1 {words}; got {outcome['pauses'][:1]}"


@pytest.mark.group("deadline")
@pytest.mark.clause("THE DEADLINE")
@pytest.mark.advice(
    "Compute end = clock() + deadline as each call begins, or None without a deadline."
    " Compare clock() + pause >= end after retry_after has raised pause."
)
def test_every_call_has_its_own_deadline(player, asked):
    """The deadline starts with each call, limits retry_after, and None means none."""
    settings = {"attempts": 9, "base": 1, "cap": 64, "jitter": 0, "deadline": 8}
    answers = player.drive(ask_twice, settings)
    wanted = [["so be it", [1, 2]], ["so be it", [1, 2]]]
    assert answers == wanted, f"expected {wanted} for two calls, 1000 s apart, with deadline=8; got {answers}"
    outcome = asked(settings, 5, wishes=[8])
    expect_late(outcome, "with deadline=8 and a retry_after of 8")
    expect_pauses(outcome["pauses"], [], {**settings, "retry_after": 8})
    expect_answer(asked({"attempts": 40, "base": 4, "cap": 4096, "jitter": 0}, 39), "at attempt 40 without a deadline")
    outcome = asked({"attempts": 2, "base": 4, "cap": 64, "jitter": 0, "deadline": 3}, 9, took=[0, 9])
    expect_late(outcome, "at the first of two failed attempts, with deadline=3 and a pause of 4")


@pytest.mark.group("deadline")
@pytest.mark.clause("THE DEADLINE")
@pytest.mark.advice(
    "After a failed attempt ask first whether it was the last, and raise RetriesExhaustedError then, before a"
    " pause is made or the clock is read."
)
def test_the_last_attempt_knows_no_deadline(player, asked):
    """If the last attempt fails, the error is RetriesExhaustedError, however late."""
    count = player.drive(attempts_for, 2)
    outcome = asked({"attempts": count, "base": 4, "cap": 64, "jitter": 0, "deadline": 30}, 9, took=[0, 90])
    assert not outcome["late"], "expected no DeadlineError where the last attempt failed after the deadline; got one"


def attempts_for(count):
    """The setting with which a service that is down is asked so often: the number of attempts is judged elsewhere."""
    import oracle

    for attempts in (count, count - 1, count + 1):
        asked = []

        def service(asked=asked):
            asked.append(1)
            raise TimeoutError("down")

        try:
            oracle.Caller(service, attempts=attempts, sleep=lambda seconds: None).call()
        except Exception:
            if len(asked) == count:
                return attempts
    return count


def ask_twice(settings):
    """Let one Caller ask twice, with time in between; return both answers and their pauses."""
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

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
