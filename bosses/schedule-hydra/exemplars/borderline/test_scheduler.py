import asyncio

import pytest

from scheduler import CycleError, Scheduler


def test_chain():
    s = Scheduler()
    s.add("a", lambda i: 1)
    s.add("b", lambda i: i["a"] + 1, ["a"])
    assert asyncio.run(s.run()) == {"a": ("done", 1), "b": ("done", 2)}


def test_plan():
    s = Scheduler()
    s.add("b", print, ["a"])
    s.add("a", print)
    assert s.plan() == ["a", "b"]


def test_cycle():
    s = Scheduler()
    s.add("a", print, ["b"])
    s.add("b", print, ["a"])
    with pytest.raises(CycleError):
        s.plan()
