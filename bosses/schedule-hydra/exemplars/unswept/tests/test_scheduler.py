import asyncio

import pytest

from scheduler import CycleError, Scheduler


def build(limit=None, **needs):
    """Tasks that note their names and pass the length of their inputs on."""
    scheduler, log = Scheduler(limit), []

    def work(name):
        async def go(inputs):
            log.append(f"+{name}")
            await asyncio.sleep(0)
            log.append(f"-{name}")
            return len(inputs)

        return go

    for name, after in needs.items():
        scheduler.add(name, work(name), list(after))
    return scheduler, log


def run(scheduler):
    return asyncio.run(asyncio.wait_for(scheduler.run(), 0.5))


def test_order_and_results():
    scheduler, log = build(c="ab", b="a", a="")
    assert run(scheduler) == {"c": ("done", 2), "b": ("done", 1), "a": ("done", 0)}
    assert log == ["+a", "-a", "+b", "-b", "+c", "-c"]
    assert len(scheduler) == 3


def test_limit():
    scheduler, log = build(2, a="", b="", c="")
    run(scheduler)
    assert log[:2] == ["+a", "+b"]
    assert log.index("+c") > log.index("-a")
    under_way = [sum(1 if entry[0] == "+" else -1 for entry in log[: i + 1]) for i in range(len(log))]
    assert max(under_way) == 2


def test_limit_of_one_follows_the_plan():
    scheduler, log = build(1, z="m", y="", m="", a="y")
    assert scheduler.plan() == ["y", "m", "z", "a"]
    run(scheduler)
    assert log[::2] == ["+y", "+m", "+z", "+a"]


def test_no_limit():
    scheduler, log = build(a="", b="", c="")
    run(scheduler)
    assert log[:3] == ["+a", "+b", "+c"]


def test_nothing_to_do():
    assert run(Scheduler()) == {}


def test_failures():
    scheduler, log = build(last="xyz", x="", y="x", z="")
    scheduler.add("bad", lambda inputs: 1 / 0)
    scheduler.add("worse", lambda inputs: {}["key"], ["x"])
    scheduler.add("victim", print, ["worse", "bad", "x"])
    scheduler.add("second", print, ["victim"])
    outcomes = run(scheduler)
    assert [state for state, _ in outcomes.values()] == ["done"] * 4 + ["failed"] * 2 + ["skipped"] * 2
    assert isinstance(outcomes["bad"][1], ZeroDivisionError)
    assert outcomes["victim"] == ("skipped", ["bad", "worse"])
    assert outcomes["second"] == ("skipped", ["bad", "worse"])


def test_a_cancelled_task_has_failed():
    async def cancelled(inputs):
        raise asyncio.CancelledError

    scheduler, log = build(a="")
    scheduler.add("b", cancelled)
    outcomes = run(scheduler)
    assert isinstance(outcomes["b"][1], asyncio.CancelledError)
    assert outcomes["a"] == ("done", 0)


def test_cancelling():
    scheduler, log = build(1, a="", b="a")

    async def story():
        running = asyncio.ensure_future(scheduler.run())
        while not log:
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(story())
    assert "+a" in log
    assert "+b" not in log
    assert run(scheduler)["b"] == ("done", 1)


@pytest.mark.parametrize(
    ("needs", "cycle"),
    [({"a": "a"}, ["a"]), ({"x": "", "a": "xb", "b": "c", "c": "a", "t": "a"}, ["a", "b", "c"])],
    ids=["self", "three"],
)
def test_cycles(needs, cycle):
    scheduler, log = build(**needs)
    with pytest.raises(CycleError) as caught:
        run(scheduler)
    assert caught.value.cycle == cycle
    assert ", ".join(cycle) in str(caught.value)
    assert log == []


def test_unknown():
    scheduler, log = build(a="", b="q")
    with pytest.raises(ValueError, match="b needs q"):
        scheduler.plan()


@pytest.mark.parametrize("limit", [0, -1, "2", True, 1.5])
def test_bad_limits(limit):
    with pytest.raises((TypeError, ValueError)):
        Scheduler(limit)


@pytest.mark.parametrize(
    "task", [("", print), ("a", print), (1, print), ("b", 1), ("b", print, "a"), ("b", print, [2])]
)
def test_bad_tasks(task):
    scheduler, log = build(a="")
    with pytest.raises((TypeError, ValueError)):
        scheduler.add(*task)
    assert len(scheduler) == 1
