"""Which attempts are made, and what the caller gets."""

import pytest

# How an attempt ends: ("answer", value) or ("raise", name of the error).


def ask(scripts, settings, values=()):
    """Let one Caller ask a service that ends as told, once for each script; tell how each call went.

    Settings named retryable hold names. Where `values` says "error", an exception object is the answer.
    """
    import oracle

    class LostError(ConnectionError):
        pass

    kinds = {kind.__name__: kind for kind in (ConnectionError, TimeoutError, ValueError, KeyError, LookupError)}
    kinds |= {"LostError": LostError, "OSError": OSError, "PermissionError": PermissionError}
    if "retryable" in settings:
        names = settings["retryable"]
        chosen = kinds[names] if isinstance(names, str) else tuple(kinds[name] for name in names)
        settings = {**settings, "retryable": chosen}
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


@pytest.mark.group("calls")
def test_an_answer_at_once(player):
    """An answer at the first attempt is returned as it is; the service got what call got."""
    (end,) = player.drive(ask, [[("answer", {"omen": [3, 1, 2]})]], {})
    assert not end["error"], f"A service that answers was asked, and there came {end['error']}."
    assert end["same"], "call returns what the service returned, the very object."
    assert end["asked"] == 1, "A service that answers is asked once."
    assert end["seen"] == [[[0, "why"], {"sign": 0}]], "The arguments of call reach the service, named ones by name."
    assert end["pauses"] == 0, "Before the first attempt there is no pause."


@pytest.mark.group("calls")
def test_an_answer_later(player):
    """Attempts that fail are repeated, with the same arguments, until there is an answer."""
    scripts = [
        [("raise", name) for name in names] + [("answer", 7)] for names in (["TimeoutError"], ["ConnectionError"] * 3)
    ]
    for end, script in zip(player.drive(ask, scripts, {}), scripts, strict=True):
        assert not end["error"], f"The service answered in time, and there came {end['error']}."
        assert end["same"], "An answer at a later attempt is returned as it is."
        assert end["asked"] == len(script), "A failed attempt is repeated, and nothing after the answer."
        assert end["pauses"] == len(script) - 1, "Between two attempts there is one pause."
        assert all(seen == end["seen"][0] for seen in end["seen"]), "Every attempt gets the arguments of call."


@pytest.mark.group("calls")
@pytest.mark.parametrize("attempts", [1, 2, 7], ids=["one", "two", "several"])
def test_giving_up(player, attempts):
    """After the last of the attempts it gives up, and does not ask once more."""
    (end,) = player.drive(ask, [[DOWN] * (attempts + 3)], {"attempts": attempts})
    assert end["asked"] == attempts, "The service is asked exactly as often as attempts says."
    assert end["error"], "When the last attempt has failed, call raises."
    (default,) = player.drive(ask, [[DOWN] * 9], {})
    assert default["asked"] == 4, "Unless told otherwise, there are four attempts."


@pytest.mark.group("picky")
def test_other_errors_pass(player):
    """An error that is not retryable passes at once, the very object, also after attempts that failed."""
    scripts = [[("raise", "ValueError"), ("answer", 1)], [DOWN, DOWN, ("raise", "KeyError"), ("answer", 1)]]
    for end, asked in zip(player.drive(ask, scripts, {}), (1, 3), strict=True):
        assert end["asked"] == asked, "What is not retryable is not repeated."
        assert end["same"], (
            f"What is not retryable passes as the very object; there came {end['error'] or 'an answer'}."
        )
    (end,) = player.drive(ask, [[("raise", "PermissionError"), ("answer", 1)]], {})
    assert end["asked"] == 1, "A kin of a retryable error that is no instance of it is not retryable."


@pytest.mark.group("picky")
def test_what_is_retryable(player):
    """retryable is a class or a tuple of classes, and instances of subclasses belong to it."""
    lost = [("raise", "LostError"), ("answer", 5)]
    (end,) = player.drive(ask, [lost], {})
    assert end["same"], "An instance of a subclass of a retryable class is retryable."
    key = [("raise", "KeyError"), ("answer", 5)]
    one, other = player.drive(ask, [key, [DOWN, ("answer", 5)]], {"retryable": "LookupError"})
    assert one["same"], "retryable may be one class, as in except."
    assert other["error"] == "TimeoutError", "With a retryable of your own, the usual ones are not retryable."
    none, _ = player.drive(ask, [[DOWN, ("answer", 5)], key], {"retryable": ()})
    assert none["asked"] == 1, "With an empty tuple nothing is retryable."


@pytest.mark.group("picky")
def test_every_answer_is_an_answer(player):
    """None, False, nothing at all and exception objects are answers like any other."""
    values = [None, False, 0, "", [], "error"]
    scripts = [[DOWN, ("answer", value), ("answer", "not reached")] for value in values]
    for end in player.drive(ask, scripts, {}, ["error"]):
        assert not end["error"], f"Whatever the service returns is an answer; there came {end['error']}."
        assert end["asked"] == 2, "Whatever the service returns is an answer, and is not asked for again."
        assert end["same"], "Whatever the service returns is what call returns."


@pytest.mark.group("picky")
def test_random_calls(player, rng):
    """In long series of random calls of one Caller, each ends as its own attempts do."""
    ends = [DOWN, DOWN, ("raise", "ConnectionError"), ("raise", "LostError"), ("answer", None), ("answer", 3)]
    ends += [("raise", "ValueError"), ("raise", "OSError")]
    scripts = [[rng.choice(ends) for _ in range(8)] for _ in range(120)]
    attempts = rng.randint(3, 5)
    for end, script in zip(player.drive(ask, scripts, {"attempts": attempts}), scripts, strict=True):
        again = {"TimeoutError", "ConnectionError", "LostError"}
        last = next((n for n, (_, what) in enumerate(script[:attempts]) if what not in again), None)
        if last is None:
            assert end["given_up"], "Where all attempts fail, call ends in RetriesExhaustedError."
            last = attempts - 1
        else:
            assert end["same"], "The first end that is no failed attempt is the end of the call, as it is."
        assert end["asked"] == last + 1, "What one call did must not change the attempts of the next."
