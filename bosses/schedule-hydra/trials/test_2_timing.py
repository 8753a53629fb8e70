"""Who starts when, to the instant, on an event loop whose time is made up."""

import pytest

pytestmark = pytest.mark.clause("RUNNING")


def timed(tasks, limit):
    """Run tasks of known length on a loop that skips all waiting: [name, start, end] of each, in order of their starts.

    An end below 0 means that the task never ended.
    """
    import asyncio
    import sys

    # What a program keeps for all its schedulers is judged elsewhere: each run gets modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]

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


def forget_modules():
    """Let the next import run the program's modules again: what they keep for all is judged elsewhere."""
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]


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


def expect(got, expected, what, case=""):
    """Fail unless something is what was expected."""
    words = f"{case}: expected {what} {expected!r}" if case else f"expected {expected!r} for {what}"
    assert got == expected, f"{words}; got {got!r}"


def shown_tasks(tasks):
    """Tasks in words."""
    waits = (
        f"{name} ({length:g} s{', after ' + ' and '.join(after) if after else ''})" for name, after, length in tasks
    )
    return "; ".join(waits)


@pytest.mark.group("limit")
@pytest.mark.parametrize("limit", [1, 2, 4], ids=["one", "two", "four"])
@pytest.mark.advice(
    "Keep all running tasks in one set."
    " Start the next ready task only while len(running) < limit, and take each out when it ends."
)
def test_the_limit_is_kept(player, limit):
    """Never are more tasks under way than the limit, and all of them run."""
    # Short tasks, for a loop that polls comes to its end as well, and isn't asked here how often it looks.
    rows, names, _ = player.drive(timed, [(name, after, length / 100) for name, after, length in WIDE], limit)
    expect(names, sorted(name for name, _, _ in WIDE), f"the sorted names in the outcomes with limit={limit}")
    expect(len(rows), len(WIDE), f"the number of calls of {len(WIDE)} works")
    most = most_at_once(rows)
    assert most <= limit, f"expected at most {limit} tasks under way with limit={limit}; got {most}"


@pytest.mark.group("limit")
@pytest.mark.advice(
    "Let a task take a place or semaphore only when all it waits for is done."
    " Start it only while fewer than limit are running."
)
def test_a_limit_with_things_to_wait_for(player):
    """A task that still waits for others takes up none of the limit's places."""
    tasks = [("roof", ["wall"], 1.0), ("wall", ["floor"], 1.0), ("floor", [], 1.0), ("garden", [], 5.0)]
    rows, _, _ = player.drive(timed, tasks, 1)
    called = sorted(name for name, _, _ in rows)
    expect(called, ["floor", "garden", "roof", "wall"], "calls of", f"limit=1; {shown_tasks(tasks)}")
    expect(most_at_once(rows), 1, "the most tasks under way with limit=1")


@pytest.mark.group("at_once")
@pytest.mark.advice(
    "Await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED), and start what became ready each time."
    " Don't gather a whole wave or poll with sleep."
)
def test_no_waiting_for_strangers(player):
    """A task starts when what it waits for is done, though other tasks still run."""
    rows, _, end = player.drive(timed, FORK, None)
    starts = {name: start for name, start, _ in rows}
    expect(starts, {"quick": 0, "slow": 0, "next": 1, "last": 2}, "start times in seconds", shown_tasks(FORK))
    expect(end, 50, "the seconds until run returns to be", shown_tasks(FORK))


@pytest.mark.group("at_once")
@pytest.mark.advice(
    "Each time a task ends, take it out of the running ones, and start ready tasks until limit are running."
    " Don't wait for a whole wave or poll with sleep."
)
def test_no_place_stays_empty(player):
    """As soon as a place is free, the next ready task takes it."""
    rows, _, end = player.drive(timed, WIDE, 2)
    expect(end, 55, "the seconds until run returns to be", f"limit=2; {shown_tasks(WIDE)}")
    expect(sum(stop - start for _, start, stop in rows), 99, "the seconds that all tasks were under way together")


@pytest.mark.group("at_once")
@pytest.mark.advice(
    "Start tasks while any is ready and (limit is None or len(running) < limit), all of them before you await anything."
)
def test_without_a_limit_all_run_together(player):
    """Without a limit all tasks that wait for nothing start together."""
    rows, _, _ = player.drive(timed, WIDE, None)
    expect([start for _, start, _ in rows], [0] * len(WIDE), "the start times of 9 tasks that wait for nothing")


@pytest.mark.group("first_added")
@pytest.mark.clause("PLANNING", "RUNNING")
@pytest.mark.advice(
    "Keep ready tasks in a heapq by the number of their adding."
    " When a task ends, push all that it made ready, then pop while places are free."
)
def test_the_first_added_comes_first(player):
    """Of several ready tasks, the one added first starts first."""
    tasks = [("z", ["b"], 3.0), ("b", [], 2.0), ("y", [], 9.5), ("x", ["b"], 2.25), ("a", [], 1.0)]
    for limit, wanted in ((1, ["b", "z", "y", "x", "a"]), (2, ["b", "y", "z", "x", "a"])):
        rows, _, _ = player.drive(timed, tasks, limit)
        expect([name for name, _, _ in rows], wanted, "the order of starts", f"limit={limit}; {shown_tasks(tasks)}")


def fewest(tasks, differs):
    """Tasks without those that can be left out, the last ones first, while the rest still differs."""
    for name in [name for name, _, _ in reversed(tasks)]:
        fewer = [
            (each, [other for other in after if other != name], length) for each, after, length in tasks if each != name
        ]
        if fewer and differs(fewer):
            tasks = fewer
    return tasks


def check_order(player, tasks, limit, compare):
    """Fail, with as few tasks as show it, if a run differs from the rules."""

    def difference(tasks):
        rows, _, _ = player.drive(timed, tasks, limit)
        return compare(rows, expected(tasks, limit))

    if difference(tasks):
        tasks = fewest(tasks, difference)
        wanted, got = difference(tasks)
        raise AssertionError(f"limit={limit}; {shown_tasks(tasks)}: expected {wanted}; got {got}")


def compare_names(rows, wanted):
    """Both orders of starts, if they differ."""
    names = [row[0] for row in wanted], [row[0] for row in rows]
    return names if names[0] != names[1] else None


def compare_starts(rows, wanted):
    """Both orders of starts, or both times of the first start that is early or late."""
    # Lengths add up to thousandths at most; the order of starts at one instant counts as well.
    for row, (name, start, _) in zip(rows, wanted, strict=False):
        if row[0] == name and abs(row[1] - start) >= 0.01:
            return f"{name} to start at {start:g} s", f"{row[1]:g} s"
    return compare_names(rows, wanted)


@pytest.mark.group("first_added")
@pytest.mark.clause("PLANNING", "RUNNING")
@pytest.mark.advice(
    "Replay the tasks shown: one that becomes ready late but was added early goes first."
    " Keep ready tasks in a heapq by order of adding."
)
def test_any_graph_one_at_a_time(player, rng):
    """With limit 1, any graph runs in order: always the ready task added first."""
    for number in range(6):
        check_order(player, random_tasks(rng, 4 + 4 * number), 1, compare_names)


@pytest.mark.group("first_added")
@pytest.mark.clause("PLANNING")
@pytest.mark.advice(
    "In plan, pop one task at a time from a heapq by order of adding, and push what it makes ready before the next"
    " pop. Ignore the limit."
)
def test_plan_of_any_graph(player, rng):
    """plan gives the order in which tasks start one at a time, whatever the limit."""

    def difference(tasks):
        player.drive(forget_modules)
        made = player.module("scheduler").Scheduler(3)
        for name, after, _ in tasks:
            made.add(name, print, after)
        names = [name for name, _, _ in expected(tasks, 1)], made.plan()
        return names if names[0] != names[1] else None

    for number in range(6):
        tasks = random_tasks(rng, 4 + 4 * number)
        if difference(tasks):
            tasks = fewest(tasks, difference)
            wanted, got = difference(tasks)
            raise AssertionError(f"plan() of {shown_tasks(tasks)}: expected {wanted}; got {got}")


@pytest.mark.group("schedules")
@pytest.mark.advice(
    "Replay the tasks shown. At each end free one place, push what became ready on a heapq by order of adding,"
    " then fill all free places at once."
)
def test_any_graph_with_any_limit(player, rng):
    """In any graph, with any limit, each task starts and ends at the right moment."""
    for number in range(10):
        tasks, limit = random_tasks(rng, 5 + 3 * number), rng.choice([2, 2, 3, 4, None])
        check_order(player, tasks, limit, compare_starts)
