"""Promises of the scheduler. Run them with: python -m pytest"""

import asyncio

import pytest

from scheduler import CycleError, Scheduler


async def a_while():
    for _ in range(20):
        await asyncio.sleep(0)


def raising(error):
    def work(inputs):
        raise error
    return work


def of(edges, work=None, limit=None):
    made = Scheduler(limit)
    for name, after in edges.items():
        made.add(name, work or (lambda inputs, name=name: name), after)
    return made


def test_a_result_gets_to_where_it_is_wanted():
    made = Scheduler()
    made.add("double", lambda inputs: 2 * inputs["one"], ["one"])
    made.add("one", lambda inputs: 1)
    assert asyncio.run(made.run()) == {"double": ("done", 2), "one": ("done", 1)}


def test_inputs_are_in_the_order_of_after():
    made = of({"a": [], "b": []})
    made.add("c", lambda inputs: list(inputs), ("b", "a"))
    assert asyncio.run(made.run())["c"] == ("done", ["b", "a"])


def test_coroutines_are_awaited():
    async def work(inputs):
        return "x"

    assert asyncio.run(of({"a": []}, lambda inputs: work(inputs)).run()) == {"a": ("done", "x")}


def test_the_plan_takes_the_first_ready():
    assert of({"d": ["b"], "a": [], "b": ["a"], "c": []}).plan() == ["a", "b", "d", "c"]


def test_limit():
    async def main():
        most = now = 0
        gate = asyncio.Event()

        async def work(inputs):
            nonlocal most, now
            now += 1
            most = max(most, now)
            await gate.wait()
            now -= 1

        run = asyncio.create_task(of(dict.fromkeys("abcdefg", ()), work, limit=3).run())
        await a_while()
        assert now == 3
        gate.set()
        await run
        assert most == 3

    asyncio.run(main())


def test_failures():
    one, two = RuntimeError(), asyncio.CancelledError()
    made = of({"end": ["mid", "two"], "mid": ["one"], "free": []})
    made.add("two", raising(two))
    made.add("one", raising(one))
    outcomes = asyncio.run(made.run())
    assert outcomes == {
        "end": ("skipped", ["two", "one"]), "mid": ("skipped", ["one"]), "free": ("done", "free"),
        "two": ("failed", two), "one": ("failed", one),
    }


@pytest.fixture
def notes():
    return []


def test_a_cancelled_run_lets_tasks_finish(notes):
    async def main():
        gate = asyncio.Event()

        async def work(inputs):
            try:
                await gate.wait()
                notes.append("finished")
            except asyncio.CancelledError:
                notes.append("torn")
                raise

        made = of({"a": [], "b": [], "c": []}, work, limit=2)
        run = asyncio.create_task(made.run())
        await a_while()
        run.cancel()
        await a_while()
        assert not run.done()
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert notes == ["finished", "finished"]
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


def test_a_cancelled_run_can_be_run_again(notes):
    async def main():
        made = of({"a": []}, lambda inputs: asyncio.sleep(0.02, "slept"))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(made.run(), 0.005)
        return await made.run()

    assert asyncio.run(main()) == {"a": ("done", "slept")}


@pytest.mark.parametrize("after", ["b", 3, [3], None])
def test_after_is_checked(after):
    made = Scheduler()
    with pytest.raises(TypeError):
        made.add("a", print, after)
    assert len(made) == 0


def test_names_and_limits_are_checked():
    made = of({"a": []})
    for name, error in [("", ValueError), ("a", ValueError), (1, TypeError)]:
        with pytest.raises(error):
            made.add(name, print)
    for limit, error in [(0, ValueError), (True, TypeError), (2.5, TypeError)]:
        with pytest.raises(error):
            Scheduler(limit)


def test_circles_and_unknown_names():
    for ask in (Scheduler.plan, lambda made: asyncio.run(made.run())):
        with pytest.raises(CycleError) as caught:
            ask(of({"free": [], "tail": ["x"], "x": ["y"], "y": ["x"]}, raising(AssertionError())))
        assert sorted(caught.value.cycle) == ["x", "y"]
        with pytest.raises(ValueError, match="here.*there"):
            ask(of({"free": [], "here": ["there"]}, raising(AssertionError())))


def test_many():
    made = of({str(n): [str(n - 1)] if n else [] for n in range(3000)})
    assert asyncio.run(made.run())["2999"] == ("done", "2999")
