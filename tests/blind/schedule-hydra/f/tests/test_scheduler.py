"""Promises of the scheduler. Run them with: python -m pytest"""

import asyncio
import functools

import pytest

from scheduler import CycleError, Scheduler


def graph(limit=None, **after):
    """A scheduler whose tasks return their own names."""
    made = Scheduler(limit)
    for name, names in after.items():
        made.add(name, lambda inputs, name=name: name, names.split())
    return made


def test_a_result_gets_to_where_it_is_wanted():
    made = Scheduler()
    made.add("double", lambda inputs: 2 * inputs["one"], ["one"])
    made.add("one", lambda inputs: 1)
    assert asyncio.run(made.run()) == {"double": ("done", 2), "one": ("done", 1)}


def test_plan_takes_the_ready_task_that_was_added_first():
    made = graph(late="b", a="", b="a", c="")
    assert made.plan() == ["a", "b", "late", "c"]


def test_starts_with_limit_one_follow_the_plan():
    started = []
    made = Scheduler(limit=1)

    def work(name):
        async def run(inputs):
            started.append(name)
            await asyncio.sleep(0)
        return run

    for name, after in [("late", "b"), ("a", ""), ("b", "a"), ("c", "")]:
        made.add(name, work(name), list(after))
    asyncio.run(made.run())
    assert started == made.plan()


def test_inputs_come_in_the_order_of_after_and_once():
    made = graph(a="", b="")
    made.add("c", lambda inputs: list(inputs.items()), iter(["b", "a", "b"]))
    assert asyncio.run(made.run())["c"] == ("done", [("b", "b"), ("a", "a")])


def test_the_limit_is_kept_and_used():
    async def main():
        gates, peak, going = [], 0, 0

        async def work(inputs):
            nonlocal peak, going
            going += 1
            peak = max(peak, going)
            gates.append(asyncio.Event())
            await gates[-1].wait()
            going -= 1

        made = Scheduler(limit=2)
        for name in "abcd":
            made.add(name, work)
        run = asyncio.create_task(made.run())
        for opened in range(4):
            for _ in range(10):
                await asyncio.sleep(0)
            assert len(gates) == min(opened + 2, 4)
            gates[opened].set()
        await run
        assert peak == 2

    asyncio.run(main())


def test_a_chain_does_not_wait_for_a_stranger():
    async def main():
        gate = asyncio.Event()
        made = Scheduler()
        made.add("slow", lambda inputs: gate.wait())
        made.add("a", lambda inputs: asyncio.sleep(0))
        made.add("b", lambda inputs: gate.set(), ["a"])
        return await asyncio.wait_for(made.run(), 5)

    assert asyncio.run(main())["slow"] == ("done", True)


class Later:
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "later"


async def answer(value, inputs):
    return value


@pytest.mark.parametrize("work, result", [
    (functools.partial(answer, 7), 7),
    (lambda inputs: answer(8, inputs), 8),
    (lambda inputs: Later(), "later"),
    (lambda inputs: None, None),
    (dict, {}),
])
def test_kinds_of_work(work, result):
    made = Scheduler()
    made.add("a", work)
    assert asyncio.run(made.run()) == {"a": ("done", result)}


def test_an_exception_object_is_a_result():
    error = ValueError()
    made = graph(b="a")
    made.add("a", lambda inputs: error)
    assert asyncio.run(made.run()) == {"b": ("done", "b"), "a": ("done", error)}


def fail(error):
    raise error


@pytest.mark.parametrize("kind", [KeyError, asyncio.CancelledError, asyncio.TimeoutError])
@pytest.mark.parametrize("waits", [True, False])
def test_failures_are_contained_and_named(kind, waits):
    first, second = kind("first"), kind("second")

    async def slow(inputs):
        await asyncio.sleep(0)
        raise first

    made = graph(end="mid x", mid="y", other="")
    made.add("x", slow if waits else lambda inputs: fail(first))
    made.add("y", lambda inputs: fail(second))
    outcomes = asyncio.run(made.run())
    assert list(outcomes) == ["end", "mid", "other", "x", "y"]
    assert outcomes["end"] == ("skipped", ["x", "y"])
    assert outcomes["mid"] == ("skipped", ["y"])
    assert outcomes["other"] == ("done", "other")
    assert outcomes["x"][0] == outcomes["y"][0] == "failed"
    assert outcomes["x"][1] is first and outcomes["y"][1] is second


def test_a_cancelled_run_leaves_nothing_and_runs_again():
    notes = []

    async def main():
        async def slow(inputs):
            try:
                await gate.wait()
                return "through"
            finally:
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                notes.append("clean")

        gate = asyncio.Event()
        made = graph(2, z="", y="x")
        made.add("x", slow)
        made.add("w", slow)
        made.add("v", slow)
        run = asyncio.create_task(made.run())
        for _ in range(5):
            await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert notes == ["clean", "clean"]
        assert asyncio.all_tasks() == {asyncio.current_task()}
        gate.set()
        return await made.run()

    assert set(kind for kind, _ in asyncio.run(main()).values()) == {"done"}


def test_a_task_that_returns_at_its_cancellation_changes_nothing():
    async def stubborn(inputs):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "fine"

    made = graph(b="a")
    made.add("a", stubborn)

    async def main():
        await asyncio.wait_for(made.run(), 0.01)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(main())


@pytest.mark.parametrize("arguments, error", [
    ((3, print), TypeError), (("a", 3), TypeError), (("a", print, "b"), TypeError), (("a", print, 3), TypeError),
    (("a", print, ["b", 3]), TypeError), (("", print), ValueError), (("taken", print), ValueError),
])
def test_add_refuses(arguments, error):
    made = graph(taken="")
    with pytest.raises(error):
        made.add(*arguments)
    assert len(made) == 1 and made.plan() == ["taken"]


@pytest.mark.parametrize("limit, error", [("1", TypeError), (1.0, TypeError), (True, TypeError), (0, ValueError)])
def test_limits_without_sense(limit, error):
    with pytest.raises(error):
        Scheduler(limit)


@pytest.mark.parametrize("method", [lambda made: made.plan(), lambda made: asyncio.run(made.run())])
def test_refused_before_anything_is_called(method):
    called = []
    made = graph(knot="left", left="right", right="knot top", top="", behind="left")
    made.add("first", called.append)
    with pytest.raises(CycleError) as caught:
        method(made)
    circle = caught.value.cycle
    start = circle.index("knot")
    assert circle[start:] + circle[:start] == ["knot", "left", "right"]
    assert all(name in str(caught.value) for name in circle)

    made = graph(lonely="nobody")
    made.add("first", called.append)
    with pytest.raises(ValueError, match="(?s)(?=.*lonely)(?=.*nobody)"):
        method(made)
    assert called == []


def test_a_long_chain():
    made = Scheduler()
    for place in reversed(range(5000)):
        made.add(str(place), lambda inputs: sum(inputs.values()) + 1, [str(place - 1)] if place else [])
    assert asyncio.run(made.run())["4999"] == ("done", 5000)
