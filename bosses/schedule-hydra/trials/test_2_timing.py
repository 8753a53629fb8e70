"""Who starts when, to the instant, on an event loop whose time is made up."""

import pytest


def timed(tasks, limit):
    """Run tasks of known length on a loop that skips all waiting: [name, start, end] of each, in order of their starts.

    An end below 0 stands for a task that never came to its end.
    """
    import asyncio

    import scheduler

    class Skipping(asyncio.SelectorEventLoop):
        """A loop whose clock jumps to the next thing that is due."""

        def __init__(self):
            super().__init__()
            self.now = 0.0
            self.turns = 0
            select = self._selector.select

            def skip(timeout=None):
                self.turns += 1
                if self.turns > 60_000:
                    raise RuntimeError("this never comes to an end")
                if timeout is not None and timeout > 0:
                    self.now += timeout
                    timeout = 0
                return select(timeout if timeout is None else 0)

            self._selector.select = skip

        def time(self):
            return self.now

    made = scheduler.Scheduler(limit)
    loop = Skipping()
    rows = []

    def work(name, length):
        async def perform(inputs):
            row = [name, round(loop.time(), 4), -1]
            rows.append(row)
            await asyncio.sleep(length)
            row[2] = round(loop.time(), 4)

        return perform

    for name, after, length in tasks:
        made.add(name, work(name, length), after)

    async def story():
        return await asyncio.wait_for(made.run(), 100_000)

    try:
        outcomes = loop.run_until_complete(story())
        return rows, sorted(outcomes), round(loop.time(), 4)
    finally:
        loop.close()


def expected(tasks, limit):
    """The same by hand: at each instant ends come first, then the ready task that was added first starts."""
    now, running, done, started, rows = 0.0, [], set(), set(), []
    while len(done) < len(tasks):
        for name, after, length in tasks:
            free = limit is None or len(running) < limit
            if free and name not in started and done.issuperset(after):
                started.add(name)
                running.append((now + length, name))
                rows.append([name, now, now + length])
        now, name = min(running)
        running.remove((now, name))
        done.add(name)
    return rows


def most_at_once(rows):
    """How many tasks were under way at the busiest moment."""
    return max(sum(start <= moment < end for _, start, end in rows) for _, moment, _ in rows)


def random_tasks(rng, count):
    """Tasks with random lengths, no two sums of which are likely to meet, and random others to wait for."""
    names = [f"t{number}" for number in range(count)]
    order = rng.sample(names, count)
    tasks = []
    for name in names:
        before = order[: order.index(name)]
        after = rng.sample(before, min(len(before), rng.choice([0, 0, 1, 1, 2, 3])))
        tasks.append((name, after, rng.randrange(10, 90) + rng.randrange(1, 1024) / 1024))
    return tasks


WIDE = [(f"t{number}", [], 10.0 + number / 4) for number in range(9)]
FORK = [("quick", [], 1.0), ("slow", [], 50.0), ("next", ["quick"], 1.0), ("last", ["next"], 1.0)]


@pytest.mark.group("limit")
@pytest.mark.parametrize("limit", [1, 2, 4], ids=["one", "two", "four"])
def test_the_limit_is_kept(player, limit):
    """Never are more tasks under way than the limit, and in the end all have run."""
    rows, names, _ = player.drive(timed, WIDE, limit)
    assert names == sorted(name for name, _, _ in WIDE), "Every task has an outcome."
    assert len(rows) == len(WIDE), "Every task runs once."
    assert most_at_once(rows) <= limit, "At no time may more tasks be under way than the limit."


@pytest.mark.group("limit")
def test_a_limit_with_things_to_wait_for(player):
    """A task that still waits for others takes none of the places that the limit leaves."""
    tasks = [("roof", ["wall"], 1.0), ("wall", ["floor"], 1.0), ("floor", [], 1.0), ("garden", [], 5.0)]
    rows, _, _ = player.drive(timed, tasks, 1)
    assert sorted(name for name, _, _ in rows) == ["floor", "garden", "roof", "wall"], "Every task runs once."
    assert most_at_once(rows) == 1, "At no time may more tasks be under way than the limit."


@pytest.mark.group("at_once")
def test_no_waiting_for_strangers(player):
    """A task starts when what it waits for is done, though others that it does not wait for still run."""
    rows, _, end = player.drive(timed, FORK, None)
    starts = {name: start for name, start, _ in rows}
    assert starts == {"quick": 0, "slow": 0, "next": 1, "last": 2}, (
        "A task that is ready starts at once: it waits for nothing but the tasks named in after."
    )
    assert end == 50, "run returns when the last task has come to its end."


@pytest.mark.group("at_once")
def test_no_place_stays_empty(player):
    """As soon as a place is free, the next ready task takes it."""
    rows, _, end = player.drive(timed, WIDE, 2)
    assert end == 55, "A place that comes free is taken at that instant, not when several are free, nor at intervals."
    assert sum(stop - start for _, start, stop in rows) == 99, "Every task runs once, from its start to its end."


@pytest.mark.group("at_once")
def test_without_a_limit_all_run_together(player):
    """Without a limit all tasks that wait for nothing start together."""
    rows, _, _ = player.drive(timed, WIDE, None)
    assert [start for _, start, _ in rows] == [0] * len(WIDE), "Without a limit whatever is ready starts at once."


@pytest.mark.group("first_added")
def test_the_first_added_comes_first(player):
    """Of several ready tasks the one that was added first starts first, however long the others have been ready."""
    tasks = [("z", ["b"], 3.0), ("b", [], 2.0), ("y", [], 9.5), ("x", ["b"], 2.25), ("a", [], 1.0)]
    rows, _, _ = player.drive(timed, tasks, 1)
    assert [name for name, _, _ in rows] == ["b", "z", "y", "x", "a"], (
        "Of the ready tasks the one that was added first starts, not the first to become ready, nor the first by name."
    )
    rows, _, _ = player.drive(timed, tasks, 2)
    assert [name for name, _, _ in rows] == ["b", "y", "z", "x", "a"], (
        "Of the ready tasks the one that was added first starts, not the first to become ready, nor the first by name."
    )


@pytest.mark.group("first_added")
def test_any_graph_one_at_a_time(player, rng):
    """One at a time, any graph runs in exactly the order of its plan."""
    for number in range(6):
        tasks = random_tasks(rng, 4 + 4 * number)
        wanted = [name for name, _, _ in expected(tasks, 1)]
        rows, _, _ = player.drive(timed, tasks, 1)
        assert [name for name, _, _ in rows] == wanted, (
            "One at a time a random graph runs in the order of the contract: always the first added of the ready tasks."
        )
        made = player.module("scheduler").Scheduler(3)
        for name, after, _ in tasks:
            made.add(name, print, after)
        assert made.plan() == wanted, "plan tells the order in which tasks start one at a time, whatever the limit."


@pytest.mark.group("schedules")
def test_any_graph_with_any_limit(player, rng):
    """In any graph, with any limit, each task starts and ends at the instant that the rules say."""
    for number in range(10):
        tasks, limit = random_tasks(rng, 5 + 3 * number), rng.choice([2, 2, 3, 4, None])
        rows, _, _ = player.drive(timed, tasks, limit)
        wanted = expected(tasks, limit)
        assert sorted(name for name, _, _ in rows) == sorted(name for name, _, _ in tasks), "Every task runs once."
        # Lengths add up to thousandths at most; the order of starts at one instant counts as well.
        close = all(abs(got[1] - due[1]) < 0.01 for got, due in zip(rows, wanted, strict=True))
        assert [row[0] for row in rows] == [row[0] for row in wanted], (
            "In a random graph tasks did not start in the order in which they become ready and were added."
        )
        assert close, "In a random graph a task started earlier or later than the rules say."
