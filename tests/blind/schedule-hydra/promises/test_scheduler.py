import asyncio

import pytest

from scheduler import CycleError, Scheduler


def test_chain():
    s = Scheduler()

    async def one(inputs):
        return 1

    s.add("a", one)
    s.add("b", lambda inputs: inputs["a"] + 1, ["a"])
    assert asyncio.run(s.run()) == {"a": ("done", 1), "b": ("done", 2)}


def test_failure_skips():
    s = Scheduler()
    s.add("a", lambda inputs: 1 / 0)
    s.add("b", lambda inputs: 1, ["a"])
    s.add("c", lambda inputs: 3)
    out = asyncio.run(s.run())
    assert out["a"][0] == "failed"
    assert isinstance(out["a"][1], ZeroDivisionError)
    assert out["b"] == ("skipped", ["a"])
    assert out["c"] == ("done", 3)


def test_cycle():
    s = Scheduler()
    s.add("a", print, ["b"])
    s.add("b", print, ["a"])
    with pytest.raises(CycleError):
        s.plan()


def test_limit():
    s = Scheduler(limit=2)
    running = []
    seen = []

    async def work(inputs):
        running.append(1)
        seen.append(len(running))
        await asyncio.sleep(0.01)
        running.pop()

    for i in range(6):
        s.add(str(i), work)
    asyncio.run(s.run())
    assert max(seen) == 2


def test_duplicate_name():
    s = Scheduler()
    s.add("a", print)
    with pytest.raises(ValueError):
        s.add("a", print)
