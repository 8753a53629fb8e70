"""What is left when a run is cancelled: nothing."""

import pytest


def pulled(tasks, limit, turns, how):
    """Cancel a run after so many turns of the loop: how it ended, what happened in order, and what was left.

    Each task is (name, after, manner): what it does while it is under way, and when it is cancelled.
    """
    import asyncio

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


TURNS = 20
ONE = [
    ("a", [], "plain"),
    ("b", [], "plain"),
    ("next", ["a"], "plain"),
    ("c", [], "plain"),
]


@pytest.mark.group("stops")
def test_cancelling_ends_the_run(player):
    """A run that is cancelled cancels what is under way, starts nothing more, and raises CancelledError."""
    ended, events, _ = player.drive(pulled, ONE, None, TURNS, "cancel")
    assert sorted(events[: events.index("pull")]) == ["start a", "start b", "start c"], "What is ready starts."
    assert ended == "cancelled", "If run is cancelled it must raise CancelledError: not return, and not go on."
    after = events[events.index("pull") + 1 :]
    assert {"cancelled a", "cancelled b", "cancelled c"} <= set(after), (
        "Every task that is under way must be cancelled."
    )
    assert not [event for event in after if event.startswith("start")], "After a cancellation nothing new may start."


@pytest.mark.group("stops")
def test_all_are_cancelled_at_once(player):
    """Every task under way is cancelled when run is, and not only after the others have cleaned up."""
    tasks = [("a", [], "long to clean"), ("b", [], "ends soon"), ("c", [], "long to clean")]
    _, events, _ = player.drive(pulled, tasks, None, TURNS, "cancel")
    after = events[events.index("pull") + 1 :]
    assert sorted(event for event in after if event.startswith("cancelled")) == [
        "cancelled a",
        "cancelled b",
        "cancelled c",
    ], "Every task that is under way must be cancelled, however long another one cleans up."


@pytest.mark.group("stops")
def test_a_timeout_around_the_run(player):
    """asyncio.wait_for around run works: what is under way is cancelled, and TimeoutError comes out."""
    ended, events, _ = player.drive(pulled, ONE, None, 0, "timeout")
    assert ended == "TimeoutError", (
        "With asyncio.wait_for around it, run ends by the cancellation that comes from there."
    )
    assert {"cancelled a", "cancelled b", "cancelled c"} <= set(events), (
        "Every task that is under way must be cancelled."
    )
    assert "start next" not in events, "After a cancellation nothing new may start."


@pytest.mark.group("tidy")
def test_cleaning_up_is_waited_for(player):
    """run comes to its end only when every task that was under way has, however long they clean up."""
    tasks = [("a", [], "slow to clean"), ("b", [], "plain"), ("c", [], "slow to clean")]
    ended, events, left = player.drive(pulled, tasks, None, TURNS, "cancel")
    assert ended == "cancelled", "If run is cancelled it must raise CancelledError in the end."
    over = events.index("over")
    assert {"end a", "end b", "end c"} <= set(events[:over]), (
        "run must wait until the tasks that it cancelled have cleaned up."
    )
    assert events[over + 1 :] == [], "When run is over nothing of it may still be going on."
    assert left == 0, "No asyncio task that run made may be left."


@pytest.mark.group("tidy")
def test_cleaning_up_for_an_hour(player):
    """run waits for tasks that clean up for an hour, and not just for some seconds."""
    ended, events, left = player.drive(pulled, [("a", [], "long to clean"), ("b", [], "plain")], None, TURNS, "cancel")
    assert ended == "cancelled", "If run is cancelled it must raise CancelledError in the end."
    assert "end a" in events[: events.index("over")], (
        "expected run to wait until a task has cleaned up for an hour; it ended before that"
    )
    assert left == 0, "No asyncio task that run made may be left."


@pytest.mark.group("tidy")
def test_tasks_that_do_not_obey(player):
    """Whatever tasks return or raise when they are cancelled, run raises CancelledError, and nothing more starts."""
    tasks = [("a", [], "swallows"), ("b", [], "raises"), ("c", [], "future"), ("next", ["a"], "plain")]
    ended, events, left = player.drive(pulled, tasks, None, TURNS, "cancel")
    assert ended == "cancelled", (
        "Whatever its tasks return or raise at their end, a cancelled run raises CancelledError."
    )
    assert {"end a", "end b", "cancelled c"} <= set(events[: events.index("over")]), (
        "Every task that is under way is cancelled, and waited for, whatever the others do."
    )
    assert "start next" not in events, "After a cancellation nothing new may start, though what it waited for returns."
    assert left == 0, "No asyncio task that run made may be left."


@pytest.mark.group("tidy")
def test_a_place_that_comes_free_too_late(player):
    """A place that comes free because run was cancelled is not taken again."""
    ended, events, _ = player.drive(pulled, [("a", [], "swallows"), ("b", [], "plain")], 1, TURNS, "cancel")
    assert ended == "cancelled", "If run is cancelled it must raise CancelledError in the end."
    assert "end a" in events, "Every task that is under way is cancelled, and waited for."
    assert "start b" not in events[events.index("pull") :], (
        "A place that comes free by a cancellation is not taken again."
    )


@pytest.mark.group("tidy")
def test_nothing_is_left_at_a_timeout(player):
    """When wait_for gives up on a run, no task of the run is left, and each has cleaned up."""
    tasks = [("a", [], "slow to clean"), ("b", [], "raises"), ("c", ["a"], "plain")]
    ended, events, left = player.drive(pulled, tasks, None, 0, "timeout")
    assert ended == "TimeoutError", (
        "With asyncio.wait_for around it, run ends by the cancellation that comes from there."
    )
    assert {"end a", "end b"} <= set(events[: events.index("over")]), (
        "run must wait until the tasks that it cancelled have cleaned up."
    )
    assert left == 0, "No asyncio task that run made may be left."


@pytest.mark.group("tidy")
def test_running_again_after_a_cancellation(player):
    """A scheduler whose run was cancelled can be run again, from the beginning."""
    first, second, outcomes = player.drive(pulled_and_again, TURNS)
    assert first == ["a"], "What waits for a task that is under way does not start."
    assert second == ["a", "b"], "After a cancelled run the next one starts everything anew."
    assert outcomes == [["a", "done", "a"], ["b", "done", "b"]], (
        "After a cancelled run the next one has its own outcomes."
    )
