"""What errors say, and what is refused at once."""

import pytest

pytestmark = pytest.mark.clause("ERRORS")

NOT_A_NUMBER = float("nan")


def ask(settings, script, breaker=None, naps=()):
    """Let a Caller ask; return what its error holds.

    Failures are named by the number of the attempt. `breaker` is (threshold, cooldown, failures before the call).
    """
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

    import oracle

    world = {"now": 256.0, "naps": list(naps)}
    raised = []

    def sleep(seconds):
        world["now"] += seconds + (world["naps"].pop(0) if world["naps"] else 0)

    def service():
        end = script[len(raised)] if len(raised) < len(script) else "down"
        if end == "answer":
            return 1
        raised.append(TimeoutError("down") if end == "down" else ValueError("odd"))
        raise raised[-1]

    def fail():
        raise OSError("before")

    if breaker:
        threshold, cooldown, before = breaker
        shutter = oracle.Breaker(threshold, cooldown, clock=lambda: world["now"])
        for _ in range(before):
            try:
                shutter.call(fail)
            except OSError:
                world["now"] += 1
        settings = {**settings, "breaker": shutter}
    caller = oracle.Caller(service, clock=lambda: world["now"], sleep=sleep, random=lambda: 0.0, **settings)
    try:
        caller.call()
    except Exception as error:
        below = isinstance(error, getattr(oracle, "OracleError", ())) and isinstance(error, Exception)
        errors = getattr(error, "errors", None)
        cause = error.__cause__
        return {
            "name": type(error).__name__,
            "reached": len(raised),
            "kinds": [kind.__name__ for kind in type(error).__mro__],
            "below": below,
            "attempts": getattr(error, "attempts", None),
            "errors": isinstance(errors, tuple)
            and len(errors) == len(raised)
            and all(one is other for one, other in zip(errors, raised, strict=True)),
            "cause": cause is raised[-1] if raised else cause is None,
            "retry_after": getattr(error, "retry_after", None),
        }
    return {"name": "no error"}


PLAIN = {"base": 1, "cap": 64, "jitter": 0}


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


def threshold_for(count):
    """The setting with which a breaker opens after so many failures: that number is judged elsewhere."""
    import oracle

    def fail():
        raise OSError("down")

    for threshold in (count, count - 1, count + 1):
        breaker = oracle.Breaker(threshold, 16, clock=lambda: 32.0)
        states = []
        for _ in range(count):
            try:
                breaker.call(fail)
            except Exception:
                states.append(breaker.state)
        if states.count("open") == 1 and states[-1] == "open":
            return threshold
    return count


def expect_class(names, outcome, when):
    """Fail unless the call ended in this error (or one of several), below OracleError."""
    names = names.split(" or ")
    is_one = any(name in outcome.get("kinds", []) for name in names)
    assert is_one, f"expected {' or '.join(names)} {when}; got {outcome['name']}"
    named = outcome["name"]
    assert outcome["below"], f"expected {named} to be a subclass of OracleError, and that of Exception; it is not"


ENDS = {
    "RetriesExhaustedError": ({**PLAIN, "attempts": 3}, None, "after 3 failed attempts of 3"),
    "DeadlineError": ({**PLAIN, "attempts": 9, "deadline": 6}, None, "with deadline=6 and pauses of 1, 2, 4 s"),
    "CircuitOpenError": ({**PLAIN, "attempts": 9}, (4, 16, 2), "where the second attempt opens the breaker"),
}


ALREADY_OPEN = (2, 16, 2)
"""The breaker where a Caller's own attempts don't count with it: others have opened it before."""


@pytest.mark.group("told")
@pytest.mark.grants("recovers")
@pytest.mark.parametrize("name", ENDS, ids=["attempts", "deadline", "breaker"])
@pytest.mark.advice(
    "Derive all three from OracleError(Exception), which sets attempts to the number of this call's errors."
    " Raise each in its step; go through breaker.call."
)
def test_names_and_numbers(player, name, granted):
    """Giving up raises the right class, with the number of attempts."""
    settings, breaker, when = ENDS[name]
    if breaker:
        breaker = ALREADY_OPEN if granted else (player.drive(threshold_for, 4), 16, 2)
    outcome = player.drive(ask, settings, [], breaker)
    expect_class(name, outcome, when)
    # What an attempt that the breaker refused does to the number is asked below.
    reached = outcome["reached"] if name != "CircuitOpenError" else outcome["attempts"]
    got = outcome["attempts"]
    assert isinstance(got, int) and got == reached, f"expected attempts {reached} in the {name} {when}; got {got}"


@pytest.mark.group("in_full")
@pytest.mark.clause("BOTH TOGETHER", "ERRORS")
@pytest.mark.grants("recovers")
@pytest.mark.advice(
    "Make attempts by breaker.call. Keep only what the service raised in the list of errors, no refusal, and set"
    " attempts to its length, even if that is 0."
)
def test_attempts_of_a_refused_call(player, granted):
    """An attempt that the breaker refused doesn't count as an attempt."""
    cases = [
        ((player.drive(threshold_for, 4), 16, 2), "where the second attempt opens the breaker"),
        ((player.drive(threshold_for, 2), 16, 2), "of an open breaker"),
    ]
    for breaker, when in cases[1:] if granted else cases:
        outcome = player.drive(ask, {**PLAIN, "attempts": 9}, [], breaker)
        expect_class("CircuitOpenError", outcome, when)
        reached, got = outcome["reached"], outcome["attempts"]
        assert got == reached, f"expected attempts {reached} in the CircuitOpenError {when}; got {got}"


@pytest.mark.group("in_full")
@pytest.mark.clause("CALLER", "ERRORS")
@pytest.mark.grants("backoff", "jitter", "recovers")
@pytest.mark.advice(
    "After a failed attempt, made by breaker.call, check in this order: the last attempt, breaker.state == 'open',"
    " then the pause against the deadline."
)
def test_several_reasons_at_once(player, granted):
    """If several reasons to give up apply, the contract's first one decides."""
    two, one = player.drive(attempts_for, 2), player.drive(attempts_for, 1)
    # A pause where there should be none comes before the first reason: then any that holds will do.
    is_late = bool(granted & {"backoff", "jitter"})
    outcome = player.drive(ask, {**PLAIN, "attempts": two}, [], (player.drive(threshold_for, 2), 16, 0))
    first = "RetriesExhaustedError or CircuitOpenError" if is_late else "RetriesExhaustedError"
    expect_class(first, outcome, "where the last attempt opens the breaker")
    # A program that can't be brought to make one attempt alone is judged for that elsewhere.
    if player.drive(ask, {**PLAIN, "attempts": one}, [])["reached"] == 1:
        outcome = player.drive(ask, {**PLAIN, "attempts": one, "deadline": 0.5}, [])
        first = "RetriesExhaustedError or DeadlineError" if is_late else "RetriesExhaustedError"
        expect_class(first, outcome, "where there is neither an attempt nor time left")
    breaker = ALREADY_OPEN if "recovers" in granted else (player.drive(threshold_for, 4), 16, 2)
    outcome = player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 2.5}, [], breaker)
    first = "CircuitOpenError or DeadlineError" if is_late else "CircuitOpenError"
    expect_class(first, outcome, "where the breaker is open and no time is left for a pause")


@pytest.mark.group("in_full")
@pytest.mark.grants("recovers")
@pytest.mark.advice(
    "Collect a call's errors in a list."
    " Give every OracleError errors = tuple(list), and set its __cause__ to the last, or None: raise ... from cause."
)
def test_errors_and_cause(player, granted):
    """Each error holds all errors of the attempts; the last one is its cause."""
    cases = {
        "RetriesExhaustedError": player.drive(ask, {**PLAIN, "attempts": 3}, []),
        "DeadlineError before a pause": player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 6}, []),
        "DeadlineError after a pause": player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 6}, [], None, [0, 40]),
        "CircuitOpenError without an attempt": player.drive(ask, {**PLAIN, "attempts": 9}, [], (2, 16, 2)),
    }
    if not granted:
        breaker = (player.drive(threshold_for, 4), 16, 2)
        cases["CircuitOpenError after attempts"] = player.drive(ask, {**PLAIN, "attempts": 9}, [], breaker)
    for name, outcome in cases.items():
        kind, _, when = name.partition(" ")
        expect_class(kind, outcome, when)
        reached = outcome["reached"]
        assert outcome["errors"], f"expected a tuple of the {reached} errors raised as errors of the {name}; it is not"
        wanted = "the last of them" if reached else "None"
        assert outcome["cause"], f"expected {wanted} as __cause__ of the {name} with {reached} errors; it is not"


def between(settings, threshold, others):
    """Let others open the breaker during a Caller's pause by so many failures; return what its error holds."""
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

    import oracle

    world = {"now": 256.0}
    raised = []

    def service():
        raised.append(TimeoutError("down"))
        raise raised[-1]

    breaker = oracle.Breaker(threshold, 16, clock=lambda: world["now"])

    def sleep(seconds):
        world["now"] += seconds
        for _ in range(others if len(raised) == 2 else 0):
            try:
                breaker.call(int, "x")
            except ValueError:
                world["now"] += 0.5

    caller = oracle.Caller(
        service, breaker=breaker, clock=lambda: world["now"], sleep=sleep, random=lambda: 0.0, **settings
    )
    try:
        caller.call()
    except Exception as error:
        errors = getattr(error, "errors", None)
        return [
            type(error).__name__,
            len(raised),
            getattr(error, "attempts", None),
            isinstance(errors, tuple) and list(map(id, errors)) == list(map(id, raised)),
            error.__cause__ is raised[-1],
            getattr(error, "retry_after", None),
        ]
    return ["no error"]


@pytest.mark.group("in_full")
@pytest.mark.clause("BOTH TOGETHER", "ERRORS")
@pytest.mark.grants("recovers")
@pytest.mark.advice(
    "If breaker.call refuses, raise CircuitOpenError with tuple(errors) of this call, from the last, and with the"
    " refusal's retry_after: the seconds left."
)
def test_opened_by_others(player, granted):
    """If the breaker opens during a pause, the error still has the call's own errors."""
    # Where a Caller's own attempts don't count with its breaker, others fail often enough without them.
    others = 4 if granted else 2
    name, asked, *held = [
        *player.drive(between, {**PLAIN, "attempts": 9}, player.drive(threshold_for, 4), others),
        None,
    ]
    when = "where others open the breaker during the second pause"
    assert name == "CircuitOpenError", f"expected CircuitOpenError {when}; got {name}"
    names = ("attempts", "errors is a tuple of what this call raised", "__cause__ is the last of them", "retry_after")
    for part, wanted, got in zip(names, [asked, True, True, 15.5], held[:4], strict=True):
        assert got == wanted, f"expected {part}: {wanted} {when}; got {got}"


def refuse():
    """Call a breaker directly in each state that refuses; return what the errors hold."""
    import contextlib
    import sys

    # What a program keeps for all its callers and breakers is judged elsewhere: each trial has modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

    import oracle

    world = {"now": 32.0}
    breaker = oracle.Breaker(1, 16.0, clock=lambda: world["now"])
    told = []

    def knock():
        try:
            breaker.call(len, "")
        except Exception as error:
            held = [getattr(error, name, "missing") for name in ("attempts", "errors", "retry_after")]
            told.append([type(error).__name__, *held, error.__cause__ is None])
        else:
            told.append(["no error"])

    def fail():
        raise OSError("down")

    # How many failures open it is judged elsewhere.
    for _ in range(3):
        if breaker.state == "closed":
            with contextlib.suppress(OSError):
                breaker.call(fail)
    knock()
    world["now"] += 6.25
    knock()
    world["now"] += 12
    breaker.call(knock)
    return told


@pytest.mark.group("in_full")
@pytest.mark.advice(
    "Raise CircuitOpenError in Breaker.call with attempts 0, errors (), no cause, and retry_after opened_at +"
    " cooldown - clock(), or 0 in half-open."
)
def test_refused_by_the_breaker_itself(player):
    """A refusal without a Caller has no attempts, and says when to try again.

    Whether a call is refused at all while the probe is under way is judged elsewhere.
    """
    whens = ["as soon as it is open", "6.25 s later", "while the probe is under way"]
    for when, wait, (name, *held) in zip(whens, [16, 9.75, 0], player.drive(refuse), strict=True):
        if name == "no error" and wait == 0:
            continue
        assert name == "CircuitOpenError", f"expected CircuitOpenError from breaker.call {when}; got {name}"
        for part, wanted, got in zip(("attempts", "errors", "retry_after"), (0, (), wait), held, strict=False):
            assert got == wanted, f"expected {part} {wanted} of a refusal by breaker.call {when}; got {got}"
        assert held[3], f"expected no __cause__ of a refusal by breaker.call {when}; got one"


def changes(steps):
    """Play failures (b), successes (g), looks (l) and seconds on a breaker.

    Returns the changes that on_change was given and the state at each: ["change", old, new, state]; and the state
    that is read after each step: ["state", state].
    """
    import contextlib
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]

    import oracle

    world = {"now": 32.0}
    events = []

    def note(old, new):
        events.append(["change", old, new, breaker.state])

    def function(word):
        events.append(["begins"])
        return int(word)

    breaker = oracle.Breaker(2, 16, on_change=note, clock=lambda: world["now"])
    for step in steps:
        if not isinstance(step, str):
            world["now"] += step
            continue
        if step != "l":
            with contextlib.suppress(Exception):
                breaker.call(function, "x" if step == "b" else "1")
        events.append(["state", breaker.state])
    return events


def fault_of_changes(events):
    """What is wrong with the reported changes, beside the states that the breaker itself shows; or nothing.

    Whether these are the right states is judged elsewhere.
    """
    state = "closed"
    for position, (kind, *rest) in enumerate(events):
        if kind == "change":
            old, new, seen = rest
            if (old, seen) != (state, new):
                return (
                    f"expected on_change({state!r}, {seen!r}) when state is {seen!r}; got on_change({old!r}, {new!r})"
                )
            if old == new:
                return f"expected on_change for changes alone; got on_change({old!r}, {new!r})"
            state = new
        elif kind == "state" and rest[0] != state:
            return f"expected on_change({state!r}, {rest[0]!r}) before state is {rest[0]!r}; got no call"
        elif kind == "begins" and state == "open":
            return f"expected on_change('open', 'half-open') before the probe begins; got none by step {position}"
    return ""


@pytest.mark.group("in_full")
@pytest.mark.clause("BREAKER")
@pytest.mark.advice(
    "Change the state in one method: set it, then call on_change(old, new)."
    " When the cooldown is over, state and call use it before they go on."
)
def test_changes_are_told(player):
    """Each change of state is reported once, after it, with the old and new state."""
    for steps in (["g", "b", "b", "b", 20, "l", "l", "g", "g", "b"], ["b", "b", 99, "b", 20, "g"]):
        fault = fault_of_changes(player.drive(changes, steps))
        words = {"g": "a good call", "b": "a bad call", "l": "read state"}
        played = ", ".join(words.get(step, f"wait {step}") for step in steps)
        assert not fault, f"{fault}. Breaker(2, 16): {played}"


@pytest.mark.group("in_full")
@pytest.mark.clause("REFUSED SETTINGS")
@pytest.mark.advice(
    "Raise ValueError if attempts or threshold < 1, `not x > 0` or `not 0 <= jitter <= 1` (NaN too), TypeError"
    " unless callable(service). Any cap above 0 will do."
)
def test_senseless_settings(player):
    """Invalid settings are refused immediately."""
    module = player.module("oracle")
    refusals = [
        (module.Caller, (len,), {name: value})
        for name, values in {
            "attempts": (0, -3),
            "base": (0, -0.5, NOT_A_NUMBER),
            "cap": (0.0, -1, NOT_A_NUMBER),
            "deadline": (0, -2.5, NOT_A_NUMBER),
            "jitter": (-0.01, 1.01, NOT_A_NUMBER),
        }.items()
        for value in values
    ]
    refusals += [(module.Breaker, (), {"threshold": value}) for value in (0, -1)]
    refusals += [(module.Breaker, (), {"cooldown": value}) for value in (0, -1.5, NOT_A_NUMBER)]
    accepted = []
    for make, args, setting in refusals:
        try:
            make(*args, **setting)
        except ValueError:
            continue
        accepted += [f"{name}={value}" for name, value in setting.items()]
    assert not accepted, f"expected ValueError for every invalid setting; accepted: {', '.join(accepted)}"
    with pytest.raises(TypeError):
        module.Caller("len")
        pytest.fail("expected TypeError for Caller('len'); it was accepted")
    caller = module.Caller(len, attempts=1, base=3, cap=1, jitter=1, deadline=0.5)
    got = caller.call("four")
    assert got == 4, (
        f"expected 4 from Caller(len, attempts=1, base=3, cap=1, jitter=1, deadline=0.5).call('four'); got {got}"
    )
    state = module.Breaker(1, 0.001).state
    assert state == "closed", f"expected 'closed' for Breaker(1, 0.001).state; got {state!r}"
