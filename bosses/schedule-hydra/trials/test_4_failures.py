"""What a failure does: to the task, to those that wait for it, and to all the others."""

import pytest


def tried(tasks, limit):
    """Run tasks of which some fail: outcomes with errors by type and message, what was called, and when run ended.

    Each task is (name, after, turns, kind): it takes so many turns of the loop, and ends as its kind says.
    """
    import asyncio

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


@pytest.mark.group("contained")
def test_the_rest_goes_on(player):
    """A failed task stops nobody who does not depend on it, and run does not raise."""
    tasks = [("bad", [], 1, "value"), ("long", [], 9, "fine"), ("next", ["long"], 1, "fine"), ("other", [], -1, "fine")]
    told, called = player.drive(tried, tasks, None)
    assert states(told) == {"bad": "failed", "long": "done", "next": "done", "other": "done"}, (
        "If a task fails the others that do not depend on it run all the same, to their end."
    )
    assert told["next"] == ["done", "NEXT"], "A task that does not depend on a failed one has its result."
    assert sorted(called) == ["bad", "long", "next", "other"], "Every task is called once."


@pytest.mark.group("contained")
def test_whoever_waits_for_a_failure_is_skipped(player):
    """A task that depends on a failed one is never called, directly or by way of others."""
    tasks = [
        ("a", [], 0, "value"),
        ("b", ["a"], 0, "fine"),
        ("c", ["b"], 0, "fine"),
        ("d", ["fine"], 0, "fine"),
        ("fine", [], 3, "fine"),
    ]
    told, called = player.drive(tried, tasks, None)
    assert states(told) == {"a": "failed", "b": "skipped", "c": "skipped", "d": "done", "fine": "done"}, (
        "A task that depends on a failed one, directly or by way of others, has the outcome skipped."
    )
    assert sorted(called) == ["a", "d", "fine"], "The work of a skipped task is never called."


@pytest.mark.group("contained")
def test_a_failure_without_awaiting(player):
    """A work that raises in the call itself fails like any other, and frees its place."""
    tasks = [
        ("bad", [], -1, "odd"),
        ("after", ["bad"], -1, "fine"),
        ("worse", [], -1, "value"),
        ("good", [], -1, "fine"),
    ]
    told, called = player.drive(tried, tasks, 1)
    assert states(told) == {"bad": "failed", "after": "skipped", "worse": "failed", "good": "done"}, (
        "A work that raises when it is called has failed, and its place is free for the next."
    )
    assert sorted(called) == ["bad", "good", "worse"], (
        "The work of a skipped task is never called, every other one once."
    )


@pytest.mark.group("blame")
def test_the_exception_itself(player):
    """The outcome holds the very exception that was raised, of whatever type."""
    tasks = [("v", [], 1, "value"), ("o", [], 0, "odd"), ("g", [], 1, "group"), ("s", [], 2, "stop")]
    told, _ = player.drive(tried, tasks, None)
    wanted = {"v": "ValueError", "o": "OddError", "g": "ExceptionGroup", "s": "StopAsyncIteration"}
    assert told == {name: ["failed", [kind, True]] for name, kind in wanted.items()}, (
        'A failed task has the outcome ("failed", exception), with the very object that was raised.'
    )


@pytest.mark.group("blame")
def test_all_failures_are_named(player):
    """A skipped task names every failed task that it depends on, in the order in which they were added."""
    tasks = [
        ("end", ["mid", "late"], 0, "fine"), ("late", [], 9, "value"), ("mid", ["quick", "fine"], 0, "fine"),
        ("fine", [], 0, "fine"), ("quick", [], 0, "odd"), ("apart", [], 0, "value"),
    ]  # fmt: skip
    told, _ = player.drive(tried, tasks, None)
    assert told["mid"] == ["skipped", ["quick"]], "A skipped task names the failed tasks it depends on, and no others."
    assert told["end"] == ["skipped", ["late", "quick"]], (
        "All failed tasks on the way are named, in the order of adding: also those that fail later than the first."
    )


@pytest.mark.group("blame")
def test_a_cancelled_error_of_its_own(player):
    """A task that ends in a CancelledError although nobody cancelled run has failed; the others run on."""
    tasks = [
        ("self", [], 1, "cancelled"), ("plain", [], -1, "cancelled"), ("future", [], 0, "future"),
        ("after", ["self"], 0, "fine"), ("long", [], 9, "fine"), ("next", ["long"], 0, "fine"),
    ]  # fmt: skip
    told, _ = player.drive(tried, tasks, None)
    assert states(told) == {
        "self": "failed", "plain": "failed", "future": "failed", "after": "skipped", "long": "done", "next": "done",
    }, "A CancelledError out of a task is its failure, like any other, unless run itself was cancelled."  # fmt: skip
    assert [told[name][1][0] for name in ("self", "plain", "future")] == ["CancelledError"] * 3, (
        "The outcome of such a task holds the CancelledError."
    )


@pytest.mark.group("blame")
def test_any_graph_with_failures(player, rng):
    """In any graph, whatever fails, exactly what depends on it is skipped, and names it."""
    for number in range(12):
        tasks = random_tasks(rng, 3 + 2 * number)
        told, called = player.drive(tried, tasks, None)
        wanted = expected(tasks)
        assert states(told) == states(wanted), "In a random graph another set of tasks was done, failed or skipped."
        assert told == wanted, "In a random graph an outcome holds another result, exception or list of causes."
        assert sorted(called) == sorted(name for name, (state, _) in wanted.items() if state != "skipped"), (
            "Every task that is not skipped is called once, and no skipped one."
        )
