"""How the scheduler behaves."""

import asyncio

import pytest

from scheduler import CycleError, Scheduler


@pytest.fixture
def scheduler() -> Scheduler:
    return Scheduler()


def test_results_are_handed_on(scheduler: Scheduler) -> None:
    scheduler.add("sum", lambda inputs: sum(inputs.values()), ["one", "two"])
    scheduler.add("one", lambda inputs: 1)
    scheduler.add("two", lambda inputs: asyncio.sleep(0, 2))
    assert asyncio.run(scheduler.run()) == {"sum": ("done", 3), "one": ("done", 1), "two": ("done", 2)}


def test_a_plan_is_depth_first(scheduler: Scheduler) -> None:
    scheduler.add("c", print, ["b"])
    scheduler.add("a", print)
    scheduler.add("b", print)
    assert scheduler.plan() == ["b", "c", "a"]


def test_a_failure_ends_the_group(scheduler: Scheduler) -> None:
    scheduler.add("bad", lambda inputs: 1 / 0)
    scheduler.add("good", lambda inputs: asyncio.sleep(5))
    with pytest.raises(ExceptionGroup):
        asyncio.run(scheduler.run())


def test_a_cycle_is_named(scheduler: Scheduler) -> None:
    scheduler.add("tail", print, ["a"])
    scheduler.add("a", print, ["b"])
    scheduler.add("b", print, ["a"])
    with pytest.raises(CycleError) as caught:
        scheduler.plan()
    assert caught.value.cycle == ["a", "b"]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_senseless_limit_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        Scheduler(limit)


def test_an_unknown_name_is_refused(scheduler: Scheduler) -> None:
    scheduler.add("a", print, ["x"])
    with pytest.raises(ValueError, match="unknown"):
        scheduler.plan()


def test_a_name_can_be_taken_once(scheduler: Scheduler) -> None:
    scheduler.add("a", print)
    with pytest.raises(ValueError, match="no new name"):
        scheduler.add("a", print)
    assert len(scheduler) == 1
