import asyncio

import pytest

from scheduler import CycleError, Scheduler


def run(made):
    return asyncio.run(made.run())


def nothing(inputs):
    return None


class Probe:
    """Tasks that wait until the test lets them go."""

    def __init__(self):
        self.started = []
        self.gates = {}

    def work(self, name):
        async def body(inputs):
            self.started.append(name)
            self.gates[name] = asyncio.get_running_loop().create_future()
            return await self.gates[name]

        return body


async def turns(count=5):
    for _ in range(count):
        await asyncio.sleep(0)


def test_inputs_and_results():
    made = Scheduler()
    made.add("sum", lambda inputs: list(inputs.items()), ["b", "a", "b"])
    made.add("a", lambda inputs: 1)

    async def two(inputs):
        return 2

    made.add("b", two)
    assert list(run(made).items()) == [("sum", ("done", [("b", 2), ("a", 1)])), ("a", ("done", 1)), ("b", ("done", 2))]


def test_plan_prefers_what_was_added_first():
    made = Scheduler()
    made.add("a", nothing, ["d"])
    made.add("b", nothing)
    made.add("c", nothing, ["b"])
    made.add("d", nothing)
    made.add("e", nothing)
    assert made.plan() == ["b", "c", "d", "a", "e"]


def test_the_limit_is_kept_and_used():
    async def scene():
        probe = Probe()
        made = Scheduler(limit=2)
        for name in "abcd":
            made.add(name, probe.work(name))
        running = asyncio.create_task(made.run())
        await turns()
        assert probe.started == ["a", "b"]
        probe.gates["b"].set_result(None)
        await turns()
        assert probe.started == ["a", "b", "c"]
        probe.gates["a"].set_result(None)
        probe.gates["c"].set_result(None)
        await turns()
        probe.gates["d"].set_result(None)
        await running

    asyncio.run(scene())


def test_failures_and_their_causes():
    error = KeyError("x")

    def fail(inputs):
        raise error

    made = Scheduler()
    made.add("z", fail)
    made.add("both", nothing, ["y", "mid"])
    made.add("mid", nothing, ["z"])
    made.add("y", fail)
    made.add("free", nothing)
    assert run(made) == {
        "z": ("failed", error),
        "both": ("skipped", ["z", "y"]),
        "mid": ("skipped", ["z"]),
        "y": ("failed", error),
        "free": ("done", None),
    }


def test_a_cancelled_error_of_its_own():
    async def weird(inputs):
        raise asyncio.CancelledError("mine")

    made = Scheduler()
    made.add("a", weird)
    made.add("b", nothing, ["a"])
    told = run(made)
    assert told["a"][0] == "failed" and told["a"][1].args == ("mine",)
    assert told["b"] == ("skipped", ["a"])


def test_a_second_run():
    calls = []
    made = Scheduler()
    made.add("a", lambda inputs: calls.append("a"))
    run(made)
    run(made)
    assert calls == ["a", "a"]


def test_cancelling_waits_for_the_cleaning():
    async def scene():
        notes = []

        async def slow(inputs):
            try:
                await asyncio.Event().wait()
            finally:
                await turns()
                notes.append("clean")

        made = Scheduler(limit=2)
        for name in "abc":
            made.add(name, slow)
        running = asyncio.create_task(made.run())
        await turns()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert notes == ["clean", "clean"]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())


@pytest.mark.parametrize("edges, cycle", [({"a": "a"}, {"a"}), ({"x": "a", "a": "b", "b": "c", "c": "a"}, {"a", "b", "c"})])
def test_cycles(edges, cycle):
    made = Scheduler()
    for name, after in edges.items():
        made.add(name, nothing, [after])
    for caught in (made.plan, lambda: run(made)):
        with pytest.raises(CycleError) as info:
            caught()
        names = info.value.cycle
        assert set(names) == cycle and len(names) == len(cycle)
        assert all(edges[a] == b for a, b in zip(names, names[1:] + names[:1]))
        assert all(name in str(info.value) for name in cycle)


def test_unknown_names():
    made = Scheduler()
    made.add("here", nothing, ["there"])
    with pytest.raises(ValueError, match="here.*there"):
        made.plan()


@pytest.mark.parametrize(
    "arguments, error",
    [
        ((1, nothing), TypeError),
        (("a", None), TypeError),
        (("a", nothing, "bc"), TypeError),
        (("a", nothing, 5), TypeError),
        (("a", nothing, [1]), TypeError),
        (("", nothing), ValueError),
        (("taken", nothing), ValueError),
    ],
)
def test_senseless_tasks(arguments, error):
    made = Scheduler()
    made.add("taken", nothing)
    with pytest.raises(error):
        made.add(*arguments)
    assert len(made) == 1


@pytest.mark.parametrize("limit, error", [(True, TypeError), ("2", TypeError), (1.0, TypeError), (0, ValueError)])
def test_senseless_limits(limit, error):
    with pytest.raises(error):
        Scheduler(limit)


def test_a_long_chain():
    made = Scheduler()
    for index in range(3000):
        made.add(str(index), nothing, [str(index - 1)] if index else [])
    assert len(run(made)) == 3000
