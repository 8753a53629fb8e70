"""What errors tell, and what is refused on the spot."""

import pytest

NOT_A_NUMBER = float("nan")


def ask(settings, script, breaker=None, naps=()):
    """Let a Caller ask; tell what its error holds.

    Failures are named by the number of the attempt. `breaker` is (threshold, cooldown, failures before the call).
    """
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


@pytest.mark.group("told")
def test_names_and_numbers(player):
    """Giving up is told by class, and each error knows how many attempts there were."""
    cases = {
        "RetriesExhaustedError": player.drive(ask, {**PLAIN, "attempts": 3}, []),
        "DeadlineError": player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 6}, []),
        "CircuitOpenError": player.drive(ask, {**PLAIN, "attempts": 9}, [], (4, 16, 2)),
    }
    for name, told in cases.items():
        assert name in told.get("kinds", []), f"Where {name} is due, there came {told['name']}."
        assert told["below"], f"{name} is a subclass of OracleError, and that of Exception."
        assert told["reached"] and told["attempts"] == told["reached"], (
            f"{name}.attempts is the number of attempts that reached the service."
        )


@pytest.mark.group("told")
def test_several_reasons_at_once(player):
    """Where there are several reasons to give up, the first in the order of the contract decides the error."""
    told = player.drive(ask, {**PLAIN, "attempts": 2}, [], (2, 16, 0))
    assert "RetriesExhaustedError" in told.get("kinds", []), (
        f"expected RetriesExhaustedError where the last attempt opens the breaker; got {told['name']}"
    )
    told = player.drive(ask, {**PLAIN, "attempts": 1, "deadline": 0.5}, [])
    assert "RetriesExhaustedError" in told.get("kinds", []), (
        f"expected RetriesExhaustedError where there is neither an attempt nor time left; got {told['name']}"
    )
    told = player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 2.5}, [], (4, 16, 2))
    assert "CircuitOpenError" in told.get("kinds", []), (
        f"expected CircuitOpenError where the breaker is open and no time is left for a pause; got {told['name']}"
    )


@pytest.mark.group("told")
def test_refused_before_the_first_attempt(player):
    """A call that the breaker refuses at once has made no attempt."""
    told = player.drive(ask, {**PLAIN, "attempts": 9}, [], (2, 16, 2))
    assert "CircuitOpenError" in told.get("kinds", []), (
        f"An open breaker ends a call in CircuitOpenError, no {told['name']}."
    )
    assert told["attempts"] == 0, "An attempt that was refused has not reached the service, and does not count."


@pytest.mark.group("in_full")
def test_errors_and_cause(player):
    """Each error holds all that the attempts raised, in order, and the last of it is its cause."""
    cases = {
        "RetriesExhaustedError": player.drive(ask, {**PLAIN, "attempts": 3}, []),
        "DeadlineError before a pause": player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 6}, []),
        "DeadlineError after a pause": player.drive(ask, {**PLAIN, "attempts": 9, "deadline": 6}, [], None, [0, 40]),
        "CircuitOpenError after attempts": player.drive(ask, {**PLAIN, "attempts": 9}, [], (4, 16, 2)),
        "CircuitOpenError without an attempt": player.drive(ask, {**PLAIN, "attempts": 9}, [], (2, 16, 2)),
    }
    for name, told in cases.items():
        kind = name.split()[0]
        assert kind in told.get("kinds", []), f"Where {kind} is due, there came {told['name']}."
        assert told["errors"], f"{name}: errors is a tuple of what the attempts raised, the very objects in order."
        assert told["cause"], f"{name}: __cause__ is the last of the errors, and None where there is none."


def between(settings):
    """Let others open the breaker during a Caller's pause; tell what its error holds."""
    import oracle

    world = {"now": 256.0}
    raised = []

    def service():
        raised.append(TimeoutError("down"))
        raise raised[-1]

    breaker = oracle.Breaker(4, 16, clock=lambda: world["now"])

    def sleep(seconds):
        world["now"] += seconds
        for _ in range(2 if len(raised) == 2 else 0):
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
def test_opened_by_others(player):
    """A breaker that others opened during a pause ends the call, and the error has the call's own evidence."""
    name, asked, *told = [*player.drive(between, {**PLAIN, "attempts": 9}), None]
    assert name == "CircuitOpenError", f"A refused attempt ends the call in CircuitOpenError; there came {name}."
    assert asked == 2, "A refused attempt does not reach the service."
    assert told[:3] == [2, True, True], (
        "A refused attempt ends the call with the attempts, errors and cause of this call."
    )
    assert told[3] == 15.5, "retry_after counts from now to the end of the cooldown."


def refuse():
    """Call a breaker directly in each state that refuses; tell what the errors hold."""
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

    try:
        breaker.call(fail)
    except OSError:
        knock()
    world["now"] += 6.25
    knock()
    world["now"] += 12
    breaker.call(knock)
    return told


@pytest.mark.group("in_full")
def test_refused_by_the_breaker_itself(player):
    """A refusal without a Caller has no attempts, and says when to come back."""
    told = player.drive(refuse)
    assert [one[0] for one in told] == ["CircuitOpenError"] * 3, (
        "An open breaker, and one whose probe is under way, refuse with CircuitOpenError."
    )
    for one in told:
        assert one[1:3] == [0, ()], "A refusal without a Caller has 0 attempts and an empty tuple of errors."
        assert one[4], "A refusal without a Caller has no cause."
    assert [one[3] for one in told[:2]] == [16, 9.75], "retry_after is the time that is left of the cooldown."
    assert told[2][3] == 0, "While the probe is under way, retry_after is 0."


def changes(steps):
    """Play failures (b), successes (g), looks (l) and seconds on a breaker; tell changes, and states seen in them."""
    import oracle

    world = {"now": 32.0}
    told = []

    def note(old, new):
        told.append([old, new, breaker.state])

    breaker = oracle.Breaker(2, 16, on_change=note, clock=lambda: world["now"])
    for step in steps:
        if not isinstance(step, str):
            world["now"] += step
        elif step == "l":
            told.append(breaker.state)
        else:
            try:
                breaker.call(int, "x" if step == "b" else "1")
            except Exception as error:
                told.append(type(error).__name__)
    return told


@pytest.mark.group("in_full")
def test_changes_are_told(player):
    """Each change of state is told once, after it, with the old and the new state."""
    opened, halved = ["closed", "open", "open"], ["open", "half-open", "half-open"]
    told = player.drive(changes, ["g", "b", "b", "b", 20, "l", "l", "g", "g", "b"])
    words = "on_change is called once for each change of state, with old and new, when the state is new already."
    assert told[:3] == ["ValueError", opened, "ValueError"], words
    assert told[3] == "CircuitOpenError", "A call that is refused changes no state, and none is told."
    assert told[4:7] == [halved, "half-open", "half-open"], (
        "That it is half-open is told when the state is read, before it is given, and once."
    )
    assert told[7:] == [["half-open", "closed", "closed"], "ValueError"], words
    told = player.drive(changes, ["b", "b", 99, "b", 20, "g"])
    assert told[3:] == [
        halved,
        ["half-open", "open", "open"],
        "ValueError",
        halved,
        ["half-open", "closed", "closed"],
    ], "That it is half-open is told with the next call, before the call goes on."


@pytest.mark.group("in_full")
def test_senseless_settings(player):
    """Settings that make no sense are refused on the spot."""
    module = player.module("oracle")
    for name, values in {
        "attempts": (0, -3),
        "base": (0, -0.5, NOT_A_NUMBER),
        "cap": (0.0, -1, NOT_A_NUMBER),
        "deadline": (0, -2.5, NOT_A_NUMBER),
        "jitter": (-0.01, 1.01, NOT_A_NUMBER),
    }.items():
        for value in values:
            with pytest.raises(ValueError):
                module.Caller(len, **{name: value})
                pytest.fail(f"Caller must refuse this {name} with a ValueError.")
    for name, values in {"threshold": (0, -1), "cooldown": (0, -1.5, NOT_A_NUMBER)}.items():
        for value in values:
            with pytest.raises(ValueError):
                module.Breaker(**{name: value})
                pytest.fail(f"Breaker must refuse this {name} with a ValueError.")
    with pytest.raises(TypeError):
        module.Caller("len")
        pytest.fail("A service that can't be called is refused with a TypeError.")
    caller = module.Caller(len, attempts=1, base=3, cap=1, jitter=1, deadline=0.5)
    assert caller.call("four") == 4, "Settings at the edge of sense are taken."
    assert module.Breaker(1, 0.001).state == "closed", "Settings at the edge of sense are taken."
