"""What a failure does: to the task, to those that wait for it, and to all the others."""

import pytest

pytestmark = pytest.mark.clause("OUTCOMES")


def tried(tasks, limit):
    """Run tasks of which some fail: outcomes with errors by type and message, what was called, and when run ended.

    Each task is (name, after, turns, kind): it takes so many turns of the loop, and ends as its kind says.
    """
    import asyncio
    import sys

    # What a program keeps for all its schedulers is judged elsewhere: each run gets modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]

    import scheduler

    made, called, raised = scheduler.Scheduler(limit), [], {}

    class OddError(Exception):
        """An exception of nobody's family."""

    def end(name, kind):
        if kind == "fine":
            return name.upper()
        kinds = {
            "value": ValueError,
            "odd": OddError,
            "cancelled": asyncio.CancelledError,
            "group": None,
            "stop": StopAsyncIteration,
        }
        raised[name] = ExceptionGroup("two", [ValueError("one")]) if kind == "group" else kinds[kind](f"no {name}")
        raise raised[name]

    def work(name, turns, kind):
        async def perform(inputs):
            called.append(name)
            for _ in range(turns):
                await asyncio.sleep(0)
            return end(name, kind)

        def perform_plainly(inputs):
            called.append(name)
            return end(name, kind)

        def perform_future(inputs):
            called.append(name)
            future = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(future.cancel)
            return future

        def perform_handed(inputs):
            future = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(future.set_result, "handed")
            return future

        if kind == "handed":
            return perform_handed
        return perform_future if kind == "future" else perform if turns >= 0 else perform_plainly

    for name, after, turns, kind in tasks:
        made.add(name, work(name, turns, kind), after)

    async def story():
        return await asyncio.wait_for(made.run(), 1.0)

    outcomes = asyncio.run(story())
    told = {}
    for name, (state, value) in outcomes.items():
        same = value is raised.get(name) or name not in raised
        told[name] = [state, [type(value).__name__, same] if isinstance(value, BaseException) else value]
    return told, called


def states(told):
    """The state of each task."""
    return {name: state for name, (state, _) in told.items()}


def random_tasks(rng, count):
    """Tasks that wait for random others, of which some fail."""
    names = [f"t{number}" for number in range(count)]
    order = rng.sample(names, count)
    tasks = []
    for name in names:
        before = order[: order.index(name)]
        after = rng.sample(before, min(len(before), rng.choice([0, 1, 1, 2, 3])))
        kind = rng.choice(["fine", "fine", "fine", "fine", "value", "odd"])
        tasks.append((name, after, rng.choice([-1, 0, 1, 2, 5]), kind))
    return tasks


def expected(tasks):
    """The outcome of each task by the rules, found slowly."""
    kinds, waits = {name: kind for name, _, _, kind in tasks}, {name: after for name, after, _, _ in tasks}

    def above(name):
        return {each for after in waits[name] for each in {after} | above(after)}

    ran = {name for name in kinds if all(kinds[each] == "fine" for each in above(name))}
    told = {}
    for name, kind in kinds.items():
        causes = [each for each in kinds if each in above(name) and each in ran and kinds[each] != "fine"]
        error = {"value": "ValueError", "odd": "OddError"}.get(kind)
        told[name] = (
            ["skipped", causes] if name not in ran else ["failed", [error, True]] if error else ["done", name.upper()]
        )
    return told


def expect(got, expected, what, case=""):
    """Fail unless something is what was expected."""
    words = f"{case}: expected {what} {expected!r}" if case else f"expected {expected!r} for {what}"
    assert got == expected, f"{words}; got {got!r}"


def shown_tasks(tasks):
    """Tasks in words."""
    kinds = {
        "value": "raises ValueError",
        "odd": "raises OddError",
        "cancelled": "raises CancelledError",
        "group": "raises ExceptionGroup",
        "stop": "raises StopAsyncIteration",
        "future": "returns a cancelled future",
    }
    words = (
        (name, after and f"waits for {' and '.join(after)}", kinds.get(kind, "")) for name, after, _, kind in tasks
    )
    return "; ".join(f"{name!r} ({', '.join(filter(None, facts)) or 'ends well'})" for name, *facts in words)


@pytest.mark.group("contained")
@pytest.mark.advice(
    'Catch each task\'s exception where its work is called and awaited, store ("failed", error), and go on starting'
    " what is ready. Use no TaskGroup."
)
def test_the_rest_goes_on(player):
    """A failed task stops no task that does not depend on it, and run doesn't raise."""
    tasks = [("bad", [], 1, "value"), ("long", [], 9, "fine"), ("next", ["long"], 1, "fine"), ("other", [], -1, "fine")]
    outcomes, called = player.drive(tried, tasks, None)
    wanted = {"bad": "failed", "long": "done", "next": "done", "other": "done"}
    expect(states(outcomes), wanted, "outcomes", shown_tasks(tasks))
    expect(sorted(called), ["bad", "long", "next", "other"], "calls of", shown_tasks(tasks))


@pytest.mark.group("contained")
@pytest.mark.advice(
    "When a task fails, never count it as done for its dependents, but go on with the rest."
    " Mark what was never called as skipped at the end."
)
def test_whoever_waits_for_a_failure_is_skipped(player):
    """A task that depends on a failed one, directly or not, is never called."""
    tasks = [
        ("a", [], 0, "value"),
        ("b", ["a"], 0, "fine"),
        ("c", ["b"], 0, "fine"),
        ("d", ["fine"], 0, "fine"),
        ("fine", [], 3, "fine"),
    ]
    outcomes, called = player.drive(tried, tasks, None)
    wanted = {"a": "failed", "b": "skipped", "c": "skipped", "d": "done", "fine": "done"}
    expect(states(outcomes), wanted, "outcomes", shown_tasks(tasks))
    expect(sorted(called), ["a", "d", "fine"], "calls of", shown_tasks(tasks))


@pytest.mark.group("contained")
@pytest.mark.clause("RUNNING", "OUTCOMES")
@pytest.mark.advice(
    "Put the call work(inputs) inside the try, not only the await."
    " Free a task's place however it ends, and don't count a failed one as done."
)
def test_a_failure_without_awaiting(player):
    """Work that raises in the call itself fails like any other and frees its place."""
    tasks = [
        ("bad", [], -1, "odd"),
        ("after", ["bad"], -1, "fine"),
        ("worse", [], -1, "value"),
        ("good", [], -1, "fine"),
    ]
    outcomes, called = player.drive(tried, tasks, 1)
    wanted = {"bad": "failed", "after": "skipped", "worse": "failed", "good": "done"}
    expect(states(outcomes), wanted, "outcomes", f"limit=1; {shown_tasks(tasks)}")
    expect(sorted(called), ["bad", "good", "worse"], "calls of", shown_tasks(tasks))


@pytest.mark.group("blame")
@pytest.mark.advice(
    'Catch Exception as error around call and await, and store ("failed", error): the object itself, neither'
    " wrapped nor copied. Then free its place."
)
def test_the_exception_itself(player):
    """The outcome holds the very exception that was raised, of whatever type."""
    tasks = [("v", [], 1, "value"), ("o", [], 0, "odd"), ("g", [], 1, "group"), ("s", [], 2, "stop")]
    outcomes, _ = player.drive(tried, tasks, None)
    wanted = {"v": "ValueError", "o": "OddError", "g": "ExceptionGroup", "s": "StopAsyncIteration"}
    for name, kind in wanted.items():
        state, (got, is_same) = outcomes[name]
        expect((state, got), ("failed", kind), f"the outcome of a task that raises {kind}")
        assert is_same, f"expected the very {kind} that was raised; got another object"


def fails_once():
    """Run tasks twice, one of which fails the first time only: the state of each after either run."""
    import asyncio

    import scheduler

    made, runs = scheduler.Scheduler(), []

    def weak(inputs):
        runs.append("weak")
        if len(runs) == 1:
            raise ValueError("not yet")

    made.add("weak", weak)
    made.add("next", len, ["weak"])

    async def run():
        return {name: outcome[0] for name, outcome in (await asyncio.wait_for(made.run(), 1.0)).items()}

    return [asyncio.run(run()), asyncio.run(run())]


@pytest.mark.group("blame")
@pytest.mark.clause("RUNNING", "OUTCOMES")
@pytest.mark.advice(
    "Create new results, counts and failures in each run, in local variables or an object of that run."
    " Let the scheduler keep only the tasks."
)
def test_a_run_after_a_failed_one(player):
    """After a run with a failed task, the next run starts afresh."""
    first, second = player.drive(fails_once)
    expect(first, {"weak": "failed", "next": "skipped"}, "the states of 'weak', which fails the first time, and 'next'")
    expect(second, {"weak": "done", "next": "done"}, "their states after the second run, in which 'weak' succeeds")


@pytest.mark.group("blame")
@pytest.mark.advice(
    "At the end, go through the plan: a skipped task's causes are its failed dependencies and the causes of its"
    " skipped ones. Sort them by order of adding."
)
def test_all_failures_are_named(player):
    """A skipped task names every failed task it depends on, in the order of adding."""
    tasks = [
        ("end", ["mid", "slow"], 0, "fine"), ("slow", [], 9, "value"), ("mid", ["quick", "fine"], 0, "fine"),
        ("fine", [], 0, "fine"), ("quick", [], 0, "odd"), ("apart", [], 0, "value"),
    ]  # fmt: skip
    outcomes, _ = player.drive(tried, tasks, None)
    expect(outcomes["mid"], ["skipped", ["quick"]], "the outcome of 'mid' to be", shown_tasks(tasks))
    expect(
        outcomes["end"],
        ["skipped", ["slow", "quick"]],
        "the outcome of 'end' to be",
        f"{shown_tasks(tasks)}; slow fails last",
    )


@pytest.mark.group("blame")
@pytest.mark.advice(
    "Catch (Exception, asyncio.CancelledError) as error inside each task's own asyncio task, around call and"
    ' await, and return ("failed", error).'
)
def test_a_cancelled_error_of_its_own(player):
    """A task's own CancelledError is a failure; the other tasks run on.

    A cancelled future is only asked of a program that awaits futures; the others are judged for that elsewhere.
    """
    handed, _ = player.drive(tried, [("handed", [], 0, "handed")], None)
    futures = ["future"] if handed["handed"] == ["done", "handed"] else []
    tasks = [
        ("self", [], 1, "cancelled"), ("plain", [], -1, "cancelled"), *((name, [], 0, "future") for name in futures),
        ("after", ["self"], 0, "fine"), ("long", [], 9, "fine"), ("next", ["long"], 0, "fine"),
    ]  # fmt: skip
    outcomes, _ = player.drive(tried, tasks, None)
    failing = ["self", "plain", *futures]
    wanted = {**dict.fromkeys(failing, "failed"), "after": "skipped", "long": "done", "next": "done"}
    expect(states(outcomes), wanted, "outcomes", shown_tasks(tasks))
    for name in failing:
        expect(outcomes[name][1][0], "CancelledError", f"the exception in the outcome of {name}")
    assert outcomes["self"][1][1], "expected the very CancelledError that was raised; got another object"


def difference_of(player, tasks):
    """What was expected of a task, and what happened; None if all is as the rules say."""
    outcomes, called = player.drive(tried, tasks, None)
    wanted = expected(tasks)
    for name, outcome in wanted.items():
        if outcomes.get(name) != outcome:
            return f"the outcome {outcome} of {name!r}", outcomes.get(name)
    works = sorted(name for name, (state, _) in wanted.items() if state != "skipped")
    return None if sorted(called) == works else (f"calls of {', '.join(works)}", ", ".join(sorted(called)))


@pytest.mark.group("blame")
@pytest.mark.advice(
    "Replay the tasks shown: a work may raise in its call, and failures meet in one task."
    " At the end, unite the causes of all it waits for, in order of adding."
)
def test_any_graph_with_failures(player, rng):
    """Exactly the tasks that depend on a failed task are skipped, and they name it."""
    for number in range(12):
        tasks = random_tasks(rng, 3 + 2 * number)
        if difference_of(player, tasks):
            for name in [name for name, _, _, _ in reversed(tasks)]:
                fewer = [(each, [a for a in after if a != name], *rest) for each, after, *rest in tasks if each != name]
                if fewer and difference_of(player, fewer):
                    tasks = fewer
            wanted, got = difference_of(player, tasks)
            raise AssertionError(f"{shown_tasks(tasks)}: expected {wanted}; got {got}")
