"""What is left when a run is cancelled: nothing."""

import pytest

pytestmark = pytest.mark.clause("CANCELLING")


def pulled(tasks, limit, turns, how):
    """Cancel a run after so many turns of the loop: how it ended, what happened in order, and what was left.

    Each task is (name, after, manner): what it does while it is under way, and when it is cancelled.
    """
    import asyncio
    import sys

    # What a program keeps for all its schedulers is judged elsewhere: each run gets modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]

    import scheduler

    class Skipping(asyncio.SelectorEventLoop):
        """A loop whose clock jumps to the next thing that is due, so that nothing is waited for."""

        def __init__(self):
            super().__init__()
            self.now = 0.0
            select = self._selector.select

            def skip(timeout=None):
                self.now += timeout or 0
                return select(timeout if timeout is None else 0)

            self._selector.select = skip

        def time(self):
            return self.now

    made, events, loop = scheduler.Scheduler(limit), [], Skipping()

    def work(name, manner):
        async def perform(inputs):
            events.append(f"start {name}")
            try:
                await (asyncio.sleep(10) if manner == "ends soon" else asyncio.get_running_loop().create_future())
                events.append(f"end {name}")
            except asyncio.CancelledError:
                events.append(f"cancelled {name}")
                if manner == "long to clean":
                    await asyncio.sleep(3600)
                if manner == "slow to clean":
                    for _ in range(12):
                        await asyncio.sleep(0)
                if manner == "raises":
                    events.append(f"end {name}")
                    raise OSError("the mop broke") from None
                events.append(f"end {name}")
                if manner == "swallows":
                    return name
                raise

        return perform

    def plain(name):
        def perform(inputs):
            events.append(f"start {name}")
            future = asyncio.get_running_loop().create_future()
            future.add_done_callback(
                lambda done: events.append(f"cancelled {name}" if done.cancelled() else f"end {name}")
            )
            return future

        return perform

    for name, after, manner in tasks:
        made.add(name, plain(name) if manner == "future" else work(name, manner), after)

    async def story():
        before = asyncio.all_tasks()

        async def run_for_a_while():
            return await asyncio.wait_for(made.run(), 5)

        async def run():
            return await made.run()

        if how == "timeout":
            running = asyncio.create_task(run_for_a_while())
        else:
            running = asyncio.create_task(run())
            for _ in range(turns):
                await asyncio.sleep(0)
            events.append("pull")
            running.cancel()
        await asyncio.wait([running], timeout=50_000)
        ended = "not at all"
        if running.done():
            ended = "cancelled" if running.cancelled() else type(running.exception()).__name__
            ended = "returned" if ended == "NoneType" else ended
        events.append("over")
        left = len(asyncio.all_tasks() - before - {running})
        for _ in range(30):
            await asyncio.sleep(0)
        return ended, list(events), left

    try:
        return loop.run_until_complete(story())
    finally:
        loop.close()


def pulled_and_again(turns):
    """Cancel a run, then run the same scheduler to its end: the outcome, and what was called in each run."""
    import asyncio
    import sys

    # What a program keeps for all its schedulers is judged elsewhere: each run gets modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]

    import scheduler

    made, calls, gate = scheduler.Scheduler(), [], []

    def work(name):
        async def perform(inputs):
            calls.append(name)
            if not gate:
                await asyncio.get_running_loop().create_future()
            return name

        return perform

    made.add("a", work("a"))
    made.add("b", work("b"), ["a"])

    async def run():
        return await made.run()

    async def story():
        running = asyncio.create_task(run())
        for _ in range(turns):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait([running], timeout=1.5)
        first = list(calls)
        calls.clear()
        gate.append("open")
        outcomes = await asyncio.wait_for(made.run(), 1.5)
        return first, list(calls), [[name, *told] for name, told in outcomes.items()]

    return asyncio.run(story())


def awaits_futures():
    """Whether a work that returns a future has that future's result."""
    import asyncio
    import sys

    # What a program keeps for all its schedulers is judged elsewhere: each run gets modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]

    import scheduler

    def work(inputs):
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, 7)
        return future

    async def story():
        made = scheduler.Scheduler()
        made.add("a", work)
        return await asyncio.wait_for(made.run(), 1.5)

    return asyncio.run(story())["a"] == ("done", 7)


TURNS = 20
ONE = [
    ("a", [], "plain"),
    ("b", [], "plain"),
    ("next", ["a"], "plain"),
    ("c", [], "plain"),
]
WORDS = "a cancelled run"
MANNERS = {"plain": "stops when cancelled", "swallows": "returns when cancelled", "raises": "raises when cancelled"}


def expect_end(ended, expected, tasks):
    """Fail unless the run ended in this way."""
    waits = (
        (name, after and f"after {' and '.join(after)}", MANNERS.get(manner, manner)) for name, after, manner in tasks
    )
    words = "; ".join(f"{name!r} ({', '.join(filter(None, facts))})" for name, *facts in waits)
    due = "CancelledError" if expected == "cancelled" else expected
    plain = {"cancelled": "raised CancelledError", "returned": "returned", "not at all": "never ended"}
    got = plain.get(ended, f"raised {ended}")
    assert ended == expected, f"tasks {words}; then run is cancelled: expected {due} from run; it {got}"


def expect_events(events, names, what):
    """Fail unless each of these events is among those."""
    missing = sorted({f"{what} {name}" for name in names} - set(events))
    seen = ", ".join(event for event in events if event != "over") or "none"
    assert not missing, f"expected these events in {WORDS}: {', '.join(missing)}; got {seen}"


def expect_nothing_new(events):
    """Fail if a work was called in these events, which come after the cancellation."""
    new = [event.removeprefix("start ") for event in events if event.startswith("start")]
    assert not new, f"expected no work called after the cancellation; called: {', '.join(new)}"


def expect_nothing_left(left):
    """Fail if asyncio tasks are left when run is over."""
    assert left == 0, f"expected no asyncio task left when {WORDS} is over; left: {left}"


@pytest.mark.group("stops")
@pytest.mark.advice(
    "Put run's loop in try/finally, without catching CancelledError."
    " In finally, cancel all tasks under way, then await gather(*tasks, return_exceptions=True)."
)
def test_cancelling_ends_the_run(player):
    """A cancelled run cancels its tasks, starts nothing, and raises CancelledError."""
    ended, events, _ = player.drive(pulled, ONE, None, TURNS, "cancel")
    pull = events.index("pull")
    expect_events(events[:pull], "abc", "start")
    expect_end(ended, "cancelled", ONE)
    expect_events(events[pull + 1 :], "abc", "cancelled")
    expect_nothing_new(events[pull + 1 :])


@pytest.mark.group("stops")
@pytest.mark.advice("Call cancel() on all tasks under way in one loop, before you await the end of any of them.")
def test_all_are_cancelled_at_once(player):
    """All tasks under way are cancelled at once, not one after the other."""
    tasks = [("a", [], "long to clean"), ("b", [], "ends soon"), ("c", [], "long to clean")]
    _, events, _ = player.drive(pulled, tasks, None, TURNS, "cancel")
    expect_events(events[events.index("pull") + 1 :], "abc", "cancelled")


@pytest.mark.group("stops")
@pytest.mark.advice(
    "In a finally around run's loop, cancel all tasks under way and await their end."
    " Let CancelledError propagate: wait_for turns it into TimeoutError."
)
def test_a_timeout_around_the_run(player):
    """With asyncio.wait_for, tasks are cancelled and TimeoutError is raised."""
    ended, events, _ = player.drive(pulled, ONE, None, 0, "timeout")
    expect_end(ended, "TimeoutError", ONE)
    expect_events(events, "abc", "cancelled")
    expect_nothing_new([event for event in events if event == "start next"])


@pytest.mark.group("stops")
@pytest.mark.advice(
    "Start tasks only in run's own loop, which a cancellation leaves."
    " If callbacks start them, let them check a flag that is set before tasks are cancelled."
)
def test_a_place_that_comes_free_too_late(player):
    """A place that becomes free because run was cancelled is not filled again."""
    tasks = [("a", [], "plain"), ("b", [], "plain")]
    _, events, _ = player.drive(pulled, tasks, 1, TURNS, "cancel")
    expect_nothing_new(events[events.index("pull") :])


@pytest.mark.group("tidy")
@pytest.mark.parametrize("limit", [None, 1], ids=["no limit", "limit 1"])
@pytest.mark.advice(
    "Once run is cancelled, only await the tasks' ends: store no result, start nothing, not even from callbacks,"
    " and raise CancelledError again."
)
def test_nothing_starts_behind_a_task_that_returns(player, limit):
    """When a cancelled task returns, the tasks that wait for it must not start."""
    tasks = [("a", [], "swallows"), ("next", ["a"], "plain"), *([("b", [], "plain")] if limit else [])]
    ended, events, _ = player.drive(pulled, tasks, limit, TURNS, "cancel")
    expect_end(ended, "cancelled", tasks)
    expect_nothing_new(events[events.index("pull") :])


@pytest.mark.group("tidy")
@pytest.mark.advice(
    "Cancel all tasks under way, then await asyncio.gather(*tasks, return_exceptions=True)."
    " Let CancelledError propagate only after that."
)
def test_cleaning_up_is_waited_for(player):
    """run ends only when every task under way has, however long cleanup takes."""
    tasks = [("a", [], "slow to clean"), ("b", [], "plain"), ("c", [], "slow to clean")]
    ended, events, left = player.drive(pulled, tasks, None, TURNS, "cancel")
    expect_end(ended, "cancelled", tasks)
    over = events.index("over")
    expect_events(events[:over], "abc", "end")
    assert not events[over + 1 :], f"expected nothing to happen when run is over; got {', '.join(events[over + 1 :])}"
    expect_nothing_left(left)


@pytest.mark.group("tidy")
@pytest.mark.advice(
    "Cancel all tasks under way, and await asyncio.gather(*tasks, return_exceptions=True) without any timeout."
    " Then let CancelledError propagate."
)
def test_cleaning_up_for_an_hour(player):
    """run waits even for tasks that clean up for an hour."""
    tasks = [("a", [], "long to clean"), ("b", [], "plain")]
    ended, events, left = player.drive(pulled, tasks, None, TURNS, "cancel")
    expect_end(ended, "cancelled", tasks)
    expect_events(events[: events.index("over")], "a", "end")
    expect_nothing_left(left)


@pytest.mark.group("tidy")
@pytest.mark.advice(
    "Cancel all, then await asyncio.gather(*tasks, return_exceptions=True), which keeps their errors and results."
    " Raise CancelledError again after it."
)
def test_tasks_that_do_not_obey(player):
    """Whatever tasks return or raise when cancelled, run raises CancelledError."""
    tasks = [("a", [], "swallows"), ("b", [], "raises"), ("c", [], "slow to clean")]
    ended, events, left = player.drive(pulled, tasks, None, TURNS, "cancel")
    expect_end(ended, "cancelled", tasks)
    expect_events(events[: events.index("over")], "abc", "end")
    expect_nothing_left(left)


@pytest.mark.group("tidy")
@pytest.mark.advice(
    "Await the future inside the asyncio task that called the work, without shield: cancelling that task cancels"
    " the future. Let CancelledError propagate."
)
def test_a_future_is_cancelled(player):
    """A future that work returned is cancelled, if futures are awaited at all."""
    if player.drive(awaits_futures):
        tasks = [("a", [], "plain"), ("c", [], "future")]
        ended, events, _ = player.drive(pulled, tasks, None, TURNS, "cancel")
        expect_end(ended, "cancelled", tasks)
        expect_events(events[: events.index("over")], "ac", "cancelled")


@pytest.mark.group("tidy")
@pytest.mark.advice(
    "In finally, cancel all tasks and await gather(*tasks, return_exceptions=True)."
    " Only then let CancelledError propagate: wait_for waits for it."
)
def test_nothing_is_left_at_a_timeout(player):
    """When wait_for gives up on a run, all its tasks have cleaned up and ended."""
    tasks = [("a", [], "slow to clean"), ("b", [], "raises"), ("c", ["a"], "plain")]
    ended, events, left = player.drive(pulled, tasks, None, 0, "timeout")
    expect_end(ended, "TimeoutError", tasks[:2])
    expect_events(events[: events.index("over")], "ab", "end")
    expect_nothing_left(left)


@pytest.mark.group("tidy")
@pytest.mark.clause("RUNNING", "CANCELLING")
@pytest.mark.advice(
    "Keep results, counts, running tasks and flags in local variables or an object of that run, so that a run"
    " never changes the scheduler."
)
def test_running_again_after_a_cancellation(player):
    """A scheduler whose run was cancelled can be run again, from the beginning."""
    first, second, outcomes = player.drive(pulled_and_again, TURNS)
    assert first == ["a"], f"expected a to be called before the cancellation; called: {first}"
    assert second == ["a", "b"], f"expected a and b to be called by the run after a cancelled one; called: {second}"
    wanted = [["a", "done", "a"], ["b", "done", "b"]]
    assert sorted(outcomes) == wanted, f"expected {wanted} for the run after a cancelled one; got {outcomes}"
