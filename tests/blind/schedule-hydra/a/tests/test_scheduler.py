import asyncio

import pytest

from scheduler import CycleError, Scheduler


def made(*tasks, limit=None):
    scheduler = Scheduler(limit)
    for task in tasks:
        scheduler.add(*task)
    return scheduler


def test_a_result_gets_to_where_it_is_wanted():
    scheduler = made(("double", lambda inputs: 2 * inputs["one"], ["one"]), ("one", lambda inputs: 1))
    assert scheduler.plan() == ["one", "double"]
    assert asyncio.run(scheduler.run()) == {"double": ("done", 2), "one": ("done", 1)}


def test_a_failure_skips_what_depends_on_it():
    outcomes = asyncio.run(made(
        ("c", print, "b".split()), ("b", print, ["a"]), ("a", lambda inputs: 1 / 0), ("d", lambda inputs: 4), limit=1
    ).run())
    assert outcomes["c"] == outcomes["b"] == ("skipped", ["a"])
    assert outcomes["d"] == ("done", 4)


def test_a_circle():
    with pytest.raises(CycleError) as caught:
        made(("a", print, ["b"]), ("b", print, ["c"]), ("c", print, ["b"])).plan()
    assert sorted(caught.value.cycle) == ["b", "c"]
