"""The state of a breaker, and which calls it lets through."""

import pytest

pytestmark = pytest.mark.clause("BREAKER")

# Steps: ("wait", seconds), ("look",), or ("call", how it ends, steps done while it is under way).
OK, BAD, ODD, STOP = (("call", end, []) for end in ("ok", "bad", "odd", "stop"))
LOOK = ("look",)


def play(settings, steps):
    """Play steps on a new breaker. Return for each call whether it went through and how it ended, and each state.

    Ends: ok is an answer, bad an OSError, odd a ValueError, stop a KeyboardInterrupt. With `counts` in the settings,
    OSErrors and their like alone are counted.
    """
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

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


def tidy(events, steps):
    """Fail if an answer or an error was changed on the way, or a refusal is no CircuitOpenError."""
    assert "ends as something else" not in events, (
        f"expected arguments, answer and error to pass through unchanged in: {shown(steps)}; got something else"
    )
    other = [word.removeprefix("refused with ") for word in events if word.startswith("refused with")]
    assert not other, f"expected CircuitOpenError for a refused call in: {shown(steps)}; got {other[0]}"


def shown(steps):
    """Steps in words."""
    words = {
        "ok": "a call succeeds",
        "bad": "a call raises ConnectionError",
        "odd": "a call raises ValueError",
        "stop": "a call raises KeyboardInterrupt",
    }
    parts = []
    for kind, *rest in steps:
        inner = f" (during it: {shown(rest[1])})" if kind == "call" and rest[1] else ""
        parts.append(
            f"wait {rest[0]}" if kind == "wait" else "read state" if kind == "look" else words[rest[0]] + inner
        )
    return ", ".join(parts)


def check(player, settings, steps, expected_states, expected_through=None):
    """Fail unless these are the states after the steps, and these the calls that went through."""
    events = player.drive(play, settings, steps)
    tidy(events, steps)
    given = ", ".join(f"{name}={value}" for name, value in settings.items()) or "no settings"
    case = f"{given}; {shown(steps)}"
    if expected_through is not None:
        got = through(events)
        assert got == expected_through, (
            f"{case}: expected calls made (True) or refused (False), as they begin: {expected_through}; got {got}"
        )
    got = states(events)
    assert got == expected_states, (
        f"{case}: expected these states, as calls end (inner ones first) or state is read: {expected_states}; got {got}"
    )


@pytest.mark.group("trips")
@pytest.mark.advice(
    "Add 1 for each failure, and open at count >= threshold."
    " While open, raise CircuitOpenError without calling function; raise its own errors again unchanged."
)
def test_failures_in_a_row(player):
    """The threshold-th failure opens the breaker, and then calls are refused."""
    steps = [LOOK, BAD, BAD, BAD, OK, BAD, ("wait", 8), OK]
    check(player, {"threshold": 3, "cooldown": 16}, steps, ["closed"] * 3 + ["open"] * 4, [True] * 3 + [False] * 3)


@pytest.mark.group("trips")
@pytest.mark.advice(
    "Add 1 to the count at every failure, and set it to 0 at every success."
    " Open when it reaches the threshold, which is 5 by default."
)
def test_a_success_in_between(player):
    """Only failures without a success in between add up."""
    steps = [BAD, BAD, OK, BAD, BAD, OK, OK, BAD, BAD, BAD]
    check(player, {"threshold": 3, "cooldown": 16}, steps, ["closed"] * 9 + ["open"])
    check(player, {"threshold": 1, "cooldown": 16}, [OK, BAD, OK], ["closed", "open", "open"])
    check(player, {}, [BAD] * 5, ["closed"] * 4 + ["open"])


@pytest.mark.group("recovers")
@pytest.mark.advice(
    "Store clock() when the breaker opens."
    " Let both state and call make it half-open as soon as clock() - opened_at >= cooldown, by default 30.0."
)
def test_the_instant_of_the_cooldown(player):
    """The breaker is half-open as soon as the cooldown has passed, and not before."""
    steps = [BAD, BAD, ("wait", 15.875), LOOK, OK, ("wait", 0.125), LOOK, OK, OK]
    expected = ["closed", "open", "open", "open", "half-open", "closed", "closed"]
    check(player, {"threshold": 2, "cooldown": 16}, steps, expected, [True, True, False, True, True])
    steps = [BAD, BAD, ("wait", 29.5), LOOK, ("wait", 0.5), LOOK]
    check(player, {"threshold": 2}, steps, ["closed", "open", "open", "half-open"])


@pytest.mark.group("recovers")
@pytest.mark.advice(
    "Let a failed probe open the breaker whatever the count, with opened_at = clock() read after function has raised."
    " Half-open comes at >= cooldown."
)
def test_a_bad_probe(player):
    """A single bad probe opens the breaker for another whole cooldown."""
    steps = [BAD, BAD, BAD, ("wait", 20), BAD, ("wait", 15), LOOK, OK, ("wait", 1), OK, LOOK]
    expected = ["closed", "closed", "open", "open", "open", "open", "closed", "closed"]
    check(player, {"threshold": 3, "cooldown": 16}, steps, expected)
    steps = [BAD, BAD, ("wait", 16), ("call", "bad", [("wait", 8)]), ("wait", 15), LOOK, ("wait", 1), LOOK]
    check(player, {"threshold": 2, "cooldown": 16}, steps, ["closed", "open", "open", "open", "half-open"])


@pytest.mark.group("recovers")
@pytest.mark.advice(
    "Set the count of failures to 0 at every change of state and at every success."
    " After a good probe, only threshold failures in a row open the breaker."
)
def test_closed_anew(player):
    """After the breaker closes again, its failure count starts at zero."""
    steps = [BAD, BAD, BAD, ("wait", 16), OK, BAD, BAD, OK, BAD, BAD, BAD, OK]
    expected = ["closed", "closed", "open"] + ["closed"] * 6 + ["open", "open"]
    check(player, {"threshold": 3, "cooldown": 16}, steps, expected)


def together(failures, attempts, times, threshold):
    """Let callers that share a breaker ask; return the end, the attempts and the state after each call."""
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

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


@pytest.mark.group("recovers")
@pytest.mark.clause("BOTH TOGETHER")
@pytest.mark.advice(
    "Make each attempt by breaker.call(service, *args, **kwargs), so that it counts."
    " End with CircuitOpenError if it refuses, or if state is 'open' then."
)
def test_callers_go_through_the_breaker(player):
    """A Caller's attempts go through its breaker, which several Callers may share."""
    attempts = player.drive(attempts_for, 4)
    ends = player.drive(together, 5, attempts, [0, 0, 0, 20, 20], 5)
    wanted = [
        (0, [4, "closed"], "after a call of 4 failed attempts, threshold 5"),
        (1, [1, "open"], "after another Caller's first failed attempt with the same breaker"),
        (2, [0, "open"], "after a call while the breaker is open"),
        (3, [1, "closed"], "after a successful call after the cooldown"),
    ]
    for number, expected, when in wanted:
        got = ends[number][1:]
        assert got == expected, f"expected attempts and state {expected} {when}; got {got}"
    attempts = player.drive(attempts_for, 2)
    ends = player.drive(together, 3, attempts, [0, 20], 2)
    for number, expected, when in (
        (0, [2, "open"], "after a call of 2 failed attempts, threshold 2"),
        (1, [1, "open"], "after a Caller's failed probe"),
    ):
        got = ends[number][1:]
        assert got == expected, f"expected attempts and state {expected} {when}; got {got}"


@pytest.mark.group("one_probe")
@pytest.mark.advice(
    "Set a flag when a call begins in half-open, and refuse all others while it is set, however long."
    " Clear it when the probe ends or the state changes."
)
def test_one_probe_at_a_time(player):
    """While the probe is under way, all other calls are refused."""
    probe = ("call", "ok", [LOOK, OK, ("wait", 40), BAD, LOOK])
    expected = ["open"] + ["half-open"] * 4 + ["closed"] * 2
    went = [True, True, False, False, True]
    check(player, {"threshold": 1, "cooldown": 16}, [BAD, ("wait", 16), probe, OK], expected, went)


@pytest.mark.group("one_probe")
@pytest.mark.advice(
    "Catch `counts` as a failure, then Exception as a success, which resets the count of failures and closes after"
    " a probe. Raise each again."
)
def test_what_counts(player):
    """An error that isn't counted is raised, and counts as a success."""
    steps = [BAD, ODD, BAD, BAD, ("wait", 16), ODD, BAD, LOOK]
    expected = ["closed", "closed", "closed", "open", "closed", "closed", "closed"]
    check(player, {"threshold": 2, "cooldown": 16, "counts": True}, steps, expected)
    check(player, {"threshold": 2, "cooldown": 16}, [BAD, ODD], ["closed", "open"])


@pytest.mark.group("one_probe")
@pytest.mark.advice(
    "Add except BaseException after Exception: clear the flag of the probe, count nothing, change no state, and"
    " raise it again."
)
def test_an_interrupted_probe(player):
    """An interruption is raised and counts for nothing; the next call is the probe."""
    steps = [BAD, STOP, BAD, ("wait", 16), STOP, STOP, OK, OK]
    expected = ["closed", "closed", "open", "half-open", "half-open", "closed", "closed"]
    check(player, {"threshold": 2, "cooldown": 16}, steps, expected, [True] * 7)


@pytest.mark.group("late")
@pytest.mark.advice(
    "Increase a number at every change of state."
    " Remember it when a call begins, and ignore the call's outcome if it has changed by then."
)
def test_late_successes_and_failures(player):
    """A call that began before the state changed no longer affects the breaker."""
    for end in ("ok", "bad"):
        late = ("call", end, [BAD, BAD, ("wait", 8)])
        steps = [late, ("wait", 7.5), LOOK, ("wait", 0.5), LOOK]
        check(player, {"threshold": 2, "cooldown": 16}, steps, ["closed", "open", "open", "open", "half-open"])
        late = ("call", end, [BAD, BAD, ("wait", 16), LOOK])
        expected = ["closed", "open", "half-open", "half-open", "closed"]
        check(player, {"threshold": 2, "cooldown": 16}, [late, OK], expected)


@pytest.mark.group("late")
@pytest.mark.advice(
    "Compare a number that grows with every change of state, not the state's name."
    " If it has grown since the call began, ignore the call's outcome."
)
def test_late_into_another_closed_time(player):
    """A call from before the breaker opened doesn't count, even if it closed again."""
    for end in ("bad", "ok"):
        late = ("call", end, [BAD, BAD, ("wait", 16), OK, BAD])
        expected = ["closed", "open", "closed", "closed", "closed", "open"]
        check(player, {"threshold": 2, "cooldown": 16}, [late, BAD], expected)


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


def shorter(steps):
    """The same steps, each time without one, also without one within a call; the last ones first."""
    for index in reversed(range(len(steps))):
        yield [*steps[:index], *steps[index + 1 :]]
        kind, *rest = steps[index]
        if kind == "call":
            for inner in shorter(rest[1]):
                yield [*steps[:index], (kind, rest[0], inner), *steps[index + 1 :]]


MAX_TRIES = 250


def shortened(steps, differs):
    """Steps from which single ones are left out while the rest still differs, in so many tries at most."""
    tries, is_shorter = 0, True
    while is_shorter and tries < MAX_TRIES:
        is_shorter = False
        for fewer in shorter(steps):
            tries += 1
            if tries >= MAX_TRIES or differs(fewer):
                is_shorter = tries < MAX_TRIES
                steps = fewer if is_shorter else steps
                break
    return steps


@pytest.mark.group("late")
@pytest.mark.advice(
    "Replay the steps shown. Change state in one method that resets failures and probe and increases a number;"
    " ignore outcomes of calls begun at another number."
)
def test_random_calls_within_calls(player, rng):
    """With random nested calls, the breaker is always in the contract's state."""
    for number in range(24):
        threshold, picky = rng.randint(1, 4), number % 2 == 0
        settings = {"threshold": threshold, "cooldown": 16, **({"counts": True} if picky else {})}

        def difference(steps, settings=settings, threshold=threshold, picky=picky):
            model = Model(threshold, 16, picky)
            model.go(steps)
            events = player.drive(play, dict(settings), steps)
            return (model.told, events) if model.told != events else None

        steps = some_steps(rng, 40, 3)
        if difference(steps):
            steps = shortened(steps, difference)
            wanted, got = difference(steps)
            place = next((n for n, pair in enumerate(zip(wanted, got, strict=False)) if pair[0] != pair[1]), -1)
            raise AssertionError(
                f"threshold={threshold}, cooldown=16{', counts=OSError' if picky else ''}; {shown(steps)}:"
                f" expected {wanted[place]!r} at the end; got {got[place]!r}"
            )
