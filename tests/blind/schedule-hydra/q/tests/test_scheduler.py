import asyncio

import pytest

from scheduler import CycleError, Scheduler


def made(limit=None, **tasks):
    scheduler = Scheduler(limit)
    for name, (work, *after) in tasks.items():
        scheduler.add(name, work, after)
    return scheduler


def test_results_travel():
    told = asyncio.run(made(b=(lambda i: i["a"] * 2, "a"), a=(lambda i: 21,)).run())
    assert told == {"b": ("done", 42), "a": ("done", 21)}


def test_plan():
    assert made(c=(print, "b"), b=(print,), a=(print,)).plan() == ["b", "c", "a"]


def test_failure_spreads_no_further_than_it_must():
    told = asyncio.run(made(a=(lambda i: 1 / 0,), b=(print, "a"), c=(lambda i: 3,)).run())
    assert told["a"][0] == "failed" and isinstance(told["a"][1], ZeroDivisionError)
    assert told["b"] == ("skipped", ["a"])
    assert told["c"] == ("done", 3)


def test_circle():
    with pytest.raises(CycleError) as caught:
        made(x=(print, "a"), a=(print, "b"), b=(print, "a")).plan()
    assert sorted(caught.value.cycle) == ["a", "b"]
