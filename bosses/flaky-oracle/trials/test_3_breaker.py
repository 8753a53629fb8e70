"""The state of a breaker, and which calls it lets through."""

import pytest

# Steps: ("wait", seconds), ("look",), or ("call", how it ends, steps done while it is under way).
OK, BAD, ODD, STOP = (("call", end, []) for end in ("ok", "bad", "odd", "stop"))
LOOK = ("look",)


def play(settings, steps):
    """Play steps on a new breaker. Tell for each call whether it went through and how it ended, and each state.

    Ends: ok is an answer, bad an OSError, odd a ValueError, stop a KeyboardInterrupt. With `counts` in the settings,
    OSErrors and their like alone are counted.
    """
    import oracle

    settings = {**settings, "counts": OSError} if settings.pop("counts", False) else settings
    world = {"now": 4096.0}
    breaker = oracle.Breaker(clock=lambda: world["now"], **settings)
    kinds = {"bad": ConnectionError, "odd": ValueError, "stop": KeyboardInterrupt}
    told = []

    def call(end, inner):
        outcome = kinds[end](end) if end in kinds else object()
        asked = []

        def function(*args, **kwargs):
            asked.append((args, kwargs))
            told.append("begins")
            go(inner)
            if end in kinds:
                raise outcome
            return outcome

        try:
            came = breaker.call(function, end, inner=1)
        except BaseException as error:
            came = error
        if not asked:
            refused = isinstance(came, getattr(oracle, "CircuitOpenError", ()))
            told.append("refused" if refused else f"refused with {type(came).__name__}")
        else:
            fine = came is outcome and asked == [((end,), {"inner": 1})]
            told.append("ends" if fine else "ends as something else")

    def go(steps):
        for kind, *rest in steps:
            if kind == "wait":
                world["now"] += rest[0]
            elif kind == "call":
                call(*rest)
            if kind != "wait":
                told.append(breaker.state)

    go(steps)
    return told


def states(told):
    """The states alone."""
    return [word for word in told if word in ("closed", "open", "half-open")]


def through(told):
    """Whether each call went through, in order."""
    return [word == "begins" for word in told if word == "begins" or word.startswith("refused")]


def tidy(told):
    """Fail if an answer or an error was changed on the way, or a refusal is no CircuitOpenError."""
    assert "ends as something else" not in told, (
        "What the function returns or raises passes, the very object; so do its arguments."
    )
    other = [word for word in told if word.startswith("refused with")]
    assert not other, f"A refusal is a CircuitOpenError; one {other[0]}." if other else ""


@pytest.mark.group("trips")
def test_failures_in_a_row(player):
    """The failure that reaches the threshold opens the breaker, and calls are refused without being made."""
    told = player.drive(play, {"threshold": 3, "cooldown": 16}, [LOOK, BAD, BAD, BAD, OK, BAD, ("wait", 8), OK])
    tidy(told)
    assert told[0] == "closed", "A new breaker is closed."
    assert states(told)[1:4] == ["closed", "closed", "open"], (
        "The breaker opens with the failure that reaches the threshold."
    )
    assert through(told) == [True] * 3 + [False] * 3, (
        "While it is open, calls are refused and the function is not called."
    )
    assert states(told)[4:] == ["open"] * 3, "What is refused changes nothing."


@pytest.mark.group("trips")
def test_a_success_in_between(player):
    """Only failures without a success in between add up."""
    told = player.drive(play, {"threshold": 3, "cooldown": 16}, [BAD, BAD, OK, BAD, BAD, OK, OK, BAD, BAD, BAD])
    tidy(told)
    assert states(told) == ["closed"] * 9 + ["open"], "A success takes back the failures before it."
    told = player.drive(play, {"threshold": 1, "cooldown": 16}, [OK, BAD, OK])
    assert states(told) == ["closed", "open", "open"], "With a threshold of one, the first failure opens the breaker."
    told = player.drive(play, {}, [BAD] * 5)
    assert states(told) == ["closed"] * 4 + ["open"], "Unless told otherwise, the threshold is five."


@pytest.mark.group("recovers")
def test_the_instant_of_the_cooldown(player):
    """It is half-open as soon as the cooldown has passed, and not before."""
    steps = [BAD, BAD, ("wait", 15.875), LOOK, OK, ("wait", 0.125), LOOK, OK, OK]
    told = player.drive(play, {"threshold": 2, "cooldown": 16}, steps)
    tidy(told)
    assert states(told)[2:4] == ["open", "open"], "Before the cooldown has passed, the breaker stays open."
    assert states(told)[4] == "half-open", (
        "As soon as the cooldown has passed, the breaker is half-open, without any call."
    )
    assert through(told) == [True, True, False, True, True], "A half-open breaker lets a call through."
    assert states(told)[5:] == ["closed", "closed"], "A good probe closes the breaker."
    told = player.drive(play, {"threshold": 2}, [BAD, BAD, ("wait", 29.5), LOOK, ("wait", 0.5), LOOK])
    assert states(told)[2:] == ["open", "half-open"], "Unless told otherwise, the cooldown is thirty seconds."


@pytest.mark.group("recovers")
def test_a_bad_probe(player):
    """A bad probe opens it for another whole cooldown, one failure being enough."""
    steps = [BAD, BAD, BAD, ("wait", 20), BAD, ("wait", 15), LOOK, OK, ("wait", 1), OK, LOOK]
    told = player.drive(play, {"threshold": 3, "cooldown": 16}, steps)
    tidy(told)
    assert states(told)[3] == "open", "One bad probe opens the breaker again, whatever the threshold."
    assert states(told)[4:6] == ["open", "open"], "After a bad probe the cooldown begins anew."
    assert states(told)[6:] == ["closed", "closed"], "When the second cooldown has passed, there is another probe."
    steps = [BAD, BAD, ("wait", 16), ("call", "bad", [("wait", 8)]), ("wait", 15), LOOK, ("wait", 1), LOOK]
    told = player.drive(play, {"threshold": 2, "cooldown": 16}, steps)
    assert states(told)[3:] == ["open", "half-open"], (
        "The cooldown counts from the failure, not from the beginning of the call."
    )


@pytest.mark.group("recovers")
def test_closed_anew(player):
    """A breaker that has closed again has no failures to its name."""
    steps = [BAD, BAD, BAD, ("wait", 16), OK, BAD, BAD, OK, BAD, BAD, BAD, OK]
    told = player.drive(play, {"threshold": 3, "cooldown": 16}, steps)
    tidy(told)
    assert states(told)[3:] == ["closed"] * 6 + ["open", "open"], (
        "After a good probe the count of failures begins at zero."
    )


def together(failures, attempts, times, threshold):
    """Let callers that share a breaker ask; tell the end, the attempts and the state after each call."""
    import oracle

    world = {"now": 100.0, "asked": 0}

    def sleep(seconds):
        world["now"] += seconds

    def service():
        world["asked"] += 1
        if world["asked"] <= failures:
            raise ConnectionError("not now")
        return "so be it"

    def clock():
        return world["now"]

    breaker = oracle.Breaker(threshold, 16.0, clock=clock)
    settings = {"base": 1, "cap": 1, "jitter": 0, "clock": clock, "sleep": sleep, "random": lambda: 0.0}
    callers = [oracle.Caller(service, attempts=attempts, breaker=breaker, **settings) for _ in range(2)]
    told = []
    for number, wait in enumerate(times):
        world["now"] += wait
        before = world["asked"]
        try:
            end = callers[number % 2].call()
        except Exception as error:
            end = type(error).__name__
        told.append([end, world["asked"] - before, breaker.state])
    return told


@pytest.mark.group("recovers")
def test_callers_go_through_the_breaker(player):
    """Each attempt of a Caller goes through its breaker, which several may share; an open one ends the call."""
    told = player.drive(together, 5, 4, [0, 0, 0, 20, 20], 5)
    assert told[0][1:] == [4, "closed"], "Each failed attempt counts with the breaker."
    assert told[1] == ["CircuitOpenError", 1, "open"], (
        "Callers may share a breaker; as soon as an attempt opens it, the call ends."
    )
    assert told[2] == ["CircuitOpenError", 0, "open"], "An open breaker ends a call before the service is asked."
    assert told[3] == ["so be it", 1, "closed"], "After the cooldown an attempt is the probe."
    told = player.drive(together, 3, 2, [0, 20], 2)
    assert told[0][1:] == [2, "open"], "The last attempt of a call counts with the breaker as well."
    assert told[1] == ["CircuitOpenError", 1, "open"], "A bad probe of a Caller opens the breaker and ends the call."


@pytest.mark.group("one_probe")
def test_one_probe_at_a_time(player):
    """While the probe is under way, all others are refused, and the breaker is half-open."""
    probe = ("call", "ok", [LOOK, OK, ("wait", 40), BAD, LOOK])
    told = player.drive(play, {"threshold": 1, "cooldown": 16}, [BAD, ("wait", 16), probe, OK])
    tidy(told)
    assert through(told) == [True, True, False, False, True], (
        "While the probe is under way, no other call goes through."
    )
    assert states(told) == ["open"] + ["half-open"] * 4 + ["closed"] * 2, (
        "A breaker is half-open until its probe has ended."
    )


@pytest.mark.group("one_probe")
def test_what_counts(player):
    """An error that is not counted passes, and is a success."""
    steps = [BAD, ODD, BAD, BAD, ("wait", 16), ODD, BAD, LOOK]
    told = player.drive(play, {"threshold": 2, "cooldown": 16, "counts": True}, steps)
    tidy(told)
    assert states(told)[:4] == ["closed", "closed", "closed", "open"], (
        "An error that isn't counted is a success: it ends a row of failures."
    )
    assert states(told)[4] == "closed", "A probe that ends in an error that isn't counted closes the breaker."
    assert states(told)[5:] == ["closed", "closed"], "After a good probe the count of failures begins at zero."
    told = player.drive(play, {"threshold": 2, "cooldown": 16}, [BAD, ODD])
    assert states(told) == ["closed", "open"], "Unless told otherwise, every Exception counts."


@pytest.mark.group("one_probe")
def test_an_interrupted_probe(player):
    """An interruption passes through and counts for nothing; the next call is the probe."""
    told = player.drive(play, {"threshold": 2, "cooldown": 16}, [BAD, STOP, BAD, ("wait", 16), STOP, STOP, OK, OK])
    tidy(told)
    assert states(told)[:3] == ["closed", "closed", "open"], "An interruption is neither a failure nor a success."
    assert states(told)[3:5] == ["half-open", "half-open"], "A probe that was interrupted leaves the breaker half-open."
    assert through(told) == [True] * 7, "After a probe that was interrupted, the next call is the probe."
    assert states(told)[5:] == ["closed", "closed"], "After a probe that was interrupted, the next call is the probe."


@pytest.mark.group("late")
def test_late_successes_and_failures(player):
    """What comes of a call that began before the state changed moves nothing."""
    for end in ("ok", "bad"):
        late = ("call", end, [BAD, BAD, ("wait", 8)])
        told = player.drive(play, {"threshold": 2, "cooldown": 16}, [late, ("wait", 7.5), LOOK, ("wait", 0.5), LOOK])
        tidy(told)
        assert states(told) == ["closed", "open", "open", "open", "half-open"], (
            "A call that began while the breaker was closed must not close it, or prolong its cooldown, later."
        )
        late = ("call", end, [BAD, BAD, ("wait", 16), LOOK])
        told = player.drive(play, {"threshold": 2, "cooldown": 16}, [late, OK])
        assert states(told) == ["closed", "open", "half-open", "half-open", "closed"], (
            "In a half-open breaker only the probe decides, not a call that began before."
        )


@pytest.mark.group("late")
def test_late_into_another_closed_time(player):
    """What began before the breaker opened does not count after it has closed again."""
    late = ("call", "bad", [BAD, BAD, ("wait", 16), OK, BAD])
    told = player.drive(play, {"threshold": 2, "cooldown": 16}, [late, BAD])
    tidy(told)
    assert states(told)[-2:] == ["closed", "open"], "A failure of an earlier time must not count in a later one."
    late = ("call", "ok", [BAD, BAD, ("wait", 16), OK, BAD])
    told = player.drive(play, {"threshold": 2, "cooldown": 16}, [late, BAD])
    assert states(told)[-2:] == ["closed", "open"], (
        "A success of an earlier time must not take back failures of a later one."
    )


class Model:
    """The contract, played on numbers."""

    def __init__(self, threshold, cooldown, picky):
        self.threshold, self.cooldown, self.picky = threshold, cooldown, picky
        self.now = self.opened = 0
        self.at = "closed"
        self.era = self.row = 0
        self.probing = False
        self.told = []

    def state(self):
        if self.at == "open" and self.now - self.opened >= self.cooldown:
            self.turn("half-open")
        return self.at

    def turn(self, at):
        self.at, self.era, self.row, self.probing = at, self.era + 1, 0, False

    def go(self, steps):
        for kind, *rest in steps:
            if kind == "wait":
                self.now += rest[0]
                continue
            if kind == "call":
                self.call(*rest)
            self.told.append(self.state())

    def call(self, end, inner):
        if self.state() == "open" or self.probing:
            self.told.append("refused")
            return
        era, self.probing = self.era, self.at == "half-open"
        self.told.append("begins")
        self.go(inner)
        self.told.append("ends")
        if era == self.era:
            self.end("ok" if end == "odd" and self.picky else end)

    def end(self, end):
        if end == "stop":
            self.probing = False
        elif end == "ok":
            self.row = 0
            if self.probing:
                self.turn("closed")
        else:
            self.row += 1
            if self.probing or self.row >= self.threshold:
                self.opened = self.now
                self.turn("open")


def some_steps(rng, count, depth):
    """Random steps; calls may contain others."""
    steps = []
    for _ in range(count):
        choice = rng.random()
        if choice < 0.3:
            steps.append(("wait", rng.choice([1, 4, 15, 16, 17])))
        elif choice < 0.35:
            steps.append(("look",))
        else:
            inner = some_steps(rng, rng.randint(1, 6), depth - 1) if depth and rng.random() < 0.3 else []
            steps.append(("call", rng.choice(["ok", "ok", "bad", "bad", "bad", "odd", "stop"]), inner))
    return steps


@pytest.mark.group("late")
def test_random_calls_within_calls(player, rng):
    """Through random calls within calls, the breaker is always in the state of the contract."""
    for number in range(24):
        threshold, picky = rng.randint(1, 4), number % 2 == 0
        steps = some_steps(rng, 40, 3)
        model = Model(threshold, 16, picky)
        model.go(steps)
        settings = {"threshold": threshold, "cooldown": 16, **({"counts": True} if picky else {})}
        told = player.drive(play, settings, steps)
        tidy(told)
        assert through(told) == through(model.told), (
            "In random calls within calls, one went through, or was refused, that should not."
        )
        assert told == model.told, "In random calls within calls, the state was not always that of the contract."
