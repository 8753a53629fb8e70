"""Which attempts are made, and what the caller gets."""

import pytest

pytestmark = pytest.mark.clause("CALLER")

# How an attempt ends: ("answer", value) or ("raise", name of the error).


def ask(scripts, settings, values=()):
    """Let one Caller ask a service that ends as each script says; return how each call went.

    Settings named retryable hold names. Where `values` says "error", an exception object is the answer.
    """
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

    import oracle

    class LostError(ConnectionError):
        pass

    kinds = {kind.__name__: kind for kind in (ConnectionError, TimeoutError, ValueError, KeyError, LookupError)}
    kinds |= {"LostError": LostError, "OSError": OSError, "PermissionError": PermissionError}
    if "retryable" in settings:
        names = settings["retryable"]
        chosen = kinds[names] if isinstance(names, str) else tuple(kinds[name] for name in names)
        settings = {**settings, "retryable": chosen}
    settings = dict(settings)
    world = {"now": 64.0, "left": [], "given": [], "raised": [], "seen": [], "pauses": 0}

    def sleep(seconds):
        world["now"] += seconds
        world["pauses"] += 1

    def service(*args, **kwargs):
        world["seen"].append([list(args), kwargs])
        if not world["left"]:
            raise RuntimeError("asked too often")
        kind, what = world["left"].pop(0)
        if kind == "raise":
            world["raised"].append(kinds[what](what))
            raise world["raised"][-1]
        world["given"].append(ValueError("an answer") if what == "error" and "error" in values else what)
        return world["given"][-1]

    if settings.pop("with_breaker", False):
        settings["breaker"] = oracle.Breaker(clock=lambda: world["now"])
    caller = oracle.Caller(service, clock=lambda: world["now"], sleep=sleep, random=lambda: 0.25, **settings)
    told = []
    for number, script in enumerate(scripts):
        world.update(left=list(script), given=[], raised=[], seen=[], pauses=0)
        end = {"same": False, "answer": None, "error": "", "given_up": False}
        try:
            answer = caller.call(number, "why", sign=number * 2)
            end["same"] = bool(world["given"]) and answer is world["given"][-1]
        except Exception as error:
            end["error"] = type(error).__name__
            end["same"] = bool(world["raised"]) and error is world["raised"][-1]
            end["given_up"] = isinstance(error, getattr(oracle, "RetriesExhaustedError", ()))
        end.update(asked=len(world["seen"]), seen=world["seen"], pauses=world["pauses"])
        told.append(end)
    return told


DOWN = ("raise", "TimeoutError")


def expect(got, expected, what):
    """Fail unless something is what was expected."""
    assert got == expected, f"expected {expected!r} for {what}; got {got!r}"


def expect_answer(end, script):
    """Fail unless call returned the very object that the service gave at last."""
    ends = ", ".join(str(what) for _, what in script)
    assert not end["error"], f"expected an answer from a service with these outcomes: {ends}; got {end['error']}"
    assert end["same"], f"expected the very object that the service returned, after {ends}; got another one"


@pytest.mark.group("calls")
@pytest.mark.advice(
    "In call(*args, **kwargs), return service(*args, **kwargs) from inside the try: that very object, before any sleep."
)
def test_an_answer_at_once(player):
    """The first answer is returned as it is; the service gets call's arguments."""
    script = [("answer", {"omen": [3, 1, 2]})]
    (end,) = player.drive(ask, [script], {})
    expect_answer(end, script)
    expect(end["asked"], 1, "the number of attempts where the first one has an answer")
    expect(end["seen"], [[[0, "why"], {"sign": 0}]], "what the service got for call(0, 'why', sign=0)")
    expect(end["pauses"], 0, "the number of pauses where the first attempt has an answer")


@pytest.mark.group("calls")
@pytest.mark.advice(
    "Loop over the attempts, each with the same *args and **kwargs."
    " If one raises a retryable error, sleep once; return the first answer as it is."
)
def test_an_answer_later(player):
    """Failed attempts are repeated with the same arguments until there is an answer."""
    scripts = [
        [("raise", name) for name in names] + [("answer", 7)] for names in (["TimeoutError"], ["ConnectionError"] * 3)
    ]
    for end, script in zip(player.drive(ask, scripts, {}), scripts, strict=True):
        expect_answer(end, script)
        expect(end["asked"], len(script), f"the number of attempts where attempt {len(script)} has an answer")
        expect(end["pauses"], len(script) - 1, f"the number of pauses between {len(script)} attempts")
        for number, seen in enumerate(end["seen"], start=1):
            expect(seen, end["seen"][0], f"what the service got at attempt {number} (as at the first)")


@pytest.mark.group("calls")
@pytest.mark.parametrize("attempts", [1, 2, 7], ids=["one", "two", "several"])
@pytest.mark.advice(
    "Count the first attempt, too: loop for n in range(1, attempts + 1), and raise RetriesExhaustedError when"
    " attempt n == attempts has failed. The default is 4."
)
def test_giving_up(player, attempts):
    """After the last attempt, it gives up without another one."""
    (end,) = player.drive(ask, [[DOWN] * (attempts + 3)], {"attempts": attempts})
    expect(end["asked"], attempts, f"the number of attempts with attempts={attempts} at a service that is down")
    assert end["error"], f"expected an error after {attempts} failed attempts; got an answer"
    (default,) = player.drive(ask, [[DOWN] * 9], {})
    expect(default["asked"], 4, "the number of attempts without a setting at a service that is down")


@pytest.mark.group("picky")
@pytest.mark.advice(
    "Write except self._retryable, by default (ConnectionError, TimeoutError), and no other except that wraps or"
    " keeps an error. All others propagate."
)
def test_other_errors_pass(player):
    """An error that isn't retryable is raised at once, as the very object."""
    scripts = [[("raise", "ValueError"), ("answer", 1)], [DOWN, DOWN, ("raise", "KeyError"), ("answer", 1)]]
    for end, asked in zip(player.drive(ask, scripts, {}), (1, 3), strict=True):
        kind = scripts[asked > 1][asked - 1][1]
        expect(end["asked"], asked, f"the number of attempts where attempt {asked} raises {kind}")
        assert end["same"], f"expected the very {kind} of attempt {asked}; got {end['error'] or 'an answer'}"
    (end,) = player.drive(ask, [[("raise", "PermissionError"), ("answer", 1)]], {})
    expect(end["asked"], 1, "the number of attempts where the first raises PermissionError, which is not retryable")


@pytest.mark.group("picky")
@pytest.mark.advice(
    "Write except self._retryable with the setting as it was given: it takes a class or a tuple, an empty one too,"
    " and subclasses. Don't compare type(error)."
)
def test_what_is_retryable(player):
    """retryable is a class or a tuple of classes; subclasses count as well."""
    lost = [("raise", "LostError"), ("answer", 5)]
    (end,) = player.drive(ask, [lost], {})
    assert end["same"], f"expected an answer after a subclass of ConnectionError was raised; got {end['error']}"
    key = [("raise", "KeyError"), ("answer", 5)]
    one, other = player.drive(ask, [key, [DOWN, ("answer", 5)]], {"retryable": "LookupError"})
    assert one["same"], f"expected an answer after KeyError with retryable=LookupError; got {one['error']}"
    assert other["error"] == "TimeoutError", (
        f"expected TimeoutError to pass with retryable=LookupError; got {other['error'] or 'an answer'}"
    )
    none, _ = player.drive(ask, [[DOWN, ("answer", 5)], key], {"retryable": ()})
    expect(none["asked"], 1, "the number of attempts with retryable=()")


@pytest.mark.group("picky")
@pytest.mark.clause("BOTH TOGETHER")
@pytest.mark.advice(
    "Call breaker.call(service, *args, **kwargs) for each attempt, and function(*args, **kwargs) in Breaker.call."
)
def test_what_call_got_goes_through_the_breaker(player):
    """With a breaker, the service still gets positional and named arguments."""
    script = [("raise", "ConnectionError"), ("answer", "omen")]
    (end,) = player.drive(ask, [script], {"with_breaker": True})
    if end["asked"] == 2:  # Whether attempts are made, and go through the breaker, is asked elsewhere.
        got = [[0, "why"], {"sign": 0}]
        expect(
            end["seen"], [got, got], "what the service got in two attempts of call(0, 'why', sign=0), with a breaker"
        )


def ask_a_shut_door(state):
    """Let a Caller that repeats any Exception ask through a breaker that lets nobody in.

    It is open, or half-open with its probe under way. Return how often the service was asked, and the pauses made.
    """
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

    import oracle

    world = {"now": 64.0, "asked": 0}
    pauses = []

    def clock():
        return world["now"]

    def sleep(seconds):
        pauses.append(seconds)
        world["now"] += 1.0

    def service():
        world["asked"] += 1
        return "so be it"

    def fail():
        raise ConnectionError("not now")

    def ask():
        settings = {"retryable": Exception, "clock": clock, "sleep": sleep, "random": lambda: 0.0}
        try:
            oracle.Caller(service, breaker=breaker, **settings).call()
        except Exception as error:
            world["error"] = type(error).__name__

    breaker = oracle.Breaker(1, 16.0, clock=clock)
    try:
        breaker.call(fail)
    except Exception as error:
        world["first"] = type(error).__name__
    if state == "open":
        ask()
    else:
        world["now"] += 16.0
        breaker.call(ask)
    return world["asked"], pauses


@pytest.mark.group("picky")
@pytest.mark.clause("BOTH TOGETHER")
@pytest.mark.parametrize("state", ["open", "half-open"], ids=["open", "half-open"])
@pytest.mark.advice("Catch the breaker's own refusal before the errors that are retryable, and let it end the call.")
def test_a_refusal_is_not_repeated(player, state):
    """A breaker's refusal ends the call at once, even if all errors are retryable."""
    asked, pauses = player.drive(ask_a_shut_door, state)
    if asked:
        return  # Which calls a breaker lets through is asked elsewhere.
    words = "an open breaker" if state == "open" else "a half-open breaker whose probe is under way"
    expect(len(pauses), 0, f"the number of pauses after a refusal by {words}, with retryable=Exception")


@pytest.mark.group("picky")
@pytest.mark.advice(
    "Return what service gives inside the try, at once."
    " Never ask whether it is true, None or an exception: only what it raises is a failure."
)
def test_every_answer_is_an_answer(player):
    """None, False, empty values and exception objects are answers like any other."""
    values = [None, False, 0, "", [], "error"]
    scripts = [[DOWN, ("answer", value), ("answer", "not reached")] for value in values]
    for end, value in zip(player.drive(ask, scripts, {}, ["error"]), values, strict=True):
        shown = "an exception object" if value == "error" else repr(value)
        assert not end["error"], f"expected {shown} as the answer of attempt 2; got {end['error']}"
        expect(end["asked"], 2, f"the number of attempts where attempt 2 returns {shown}")
        assert end["same"], f"expected the very object that attempt 2 returned, {shown}; got another one"


@pytest.mark.group("picky")
@pytest.mark.advice(
    "Count attempts and errors in local variables of each call."
    " Write `except self._retryable` alone, and raise RetriesExhaustedError after the last attempt."
)
def test_random_calls(player, rng):
    """In a long series of random calls, each call ends as its own attempts do."""
    ends = [DOWN, DOWN, ("raise", "ConnectionError"), ("raise", "LostError"), ("answer", None), ("answer", 3)]
    ends += [("raise", "ValueError"), ("raise", "OSError")]
    scripts = [[rng.choice(ends) for _ in range(8)] for _ in range(120)]
    attempts = rng.randint(3, 5)
    fault = next(filter(None, faults_of(player, scripts, attempts)), "")
    if fault:
        # One call alone shows it, or one after another.
        alone = (fault for script in scripts for fault in faults_of(player, [script], attempts) if fault)
        raise AssertionError(next(alone, f"{fault}, after other calls of the same Caller"))


def faults_of(player, scripts, attempts):
    """For each call of one Caller what is wrong with its end, or nothing."""
    again = {"TimeoutError", "ConnectionError", "LostError"}
    for end, script in zip(player.drive(ask, scripts, {"attempts": attempts}), scripts, strict=True):
        last = next((n for n, (_, what) in enumerate(script[:attempts]) if what not in again), None)
        asked = attempts if last is None else last + 1
        words = (
            f"attempts={attempts}, a service with these outcomes: {', '.join(str(what) for _, what in script[:asked])}"
        )
        if end["asked"] != asked:
            yield f"expected {asked} attempt{'' if asked == 1 else 's'} with {words}; got {end['asked']}"
        elif last is None and not end["given_up"]:
            yield f"expected RetriesExhaustedError with {words}; got {end['error'] or 'an answer'}"
        elif last is not None and not end["same"]:
            yield f"expected the very end of attempt {asked} with {words}; got {end['error'] or 'another answer'}"
        else:
            yield ""
