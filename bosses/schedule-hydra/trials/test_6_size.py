"""Graphs of thousands: no recursion along them, and no work that grows with their square."""

import pytest

LEAST, MOST = 8_000, 10_000
RUNS = 3_000
BUDGET, SPARE_SECONDS = 1.0, 0.3

pytestmark = [pytest.mark.group("size"), pytest.mark.clause("SIZE")]


def large(count, shape, budget, running):
    """Plan, or run, many tasks: how many in all, the first three, the last, and if within the budget of processor time.

    A chain is added backwards: each task waits for one that is added later. In a funnel one waits for all others.
    Clock and timer only end what takes too long: what counts is measured from outside.
    """
    import asyncio
    import signal
    from signal import setitimer
    from time import process_time

    import scheduler

    class OutOfTimeError(KeyboardInterrupt):
        """An interruption that no task may keep for itself."""

    def ring(number, frame):
        raise OutOfTimeError

    order = []

    async def story():
        return await asyncio.wait_for(made.run(), 5)

    signal.signal(signal.SIGPROF, ring)
    start = process_time()
    setitimer(signal.ITIMER_PROF, budget)
    try:
        made = scheduler.Scheduler()
        for number in reversed(range(count)):
            if shape == "chain":
                after = [f"t{number - 1}"] if number else []
            elif shape == "funnel":
                after = [f"t{other}" for other in range(number)] if number == count - 1 else []
            else:
                after = ["t0", f"t{number % 50}"] if number >= 50 else []
            made.add(f"t{number}", lambda inputs, number=number: order.append(f"t{number}"), after)
        if running:
            outcomes = asyncio.run(story())
            order = order if all(state == "done" for state, _ in outcomes.values()) else []
        else:
            order = made.plan()
    except OutOfTimeError:
        return 0, [], [], False
    finally:
        setitimer(signal.ITIMER_PROF, 0)
    return len(order), order[:3], order[-1:], process_time() - start <= budget + 0.1


def circle_at_the_end(count):
    """A long chain that hangs on a circle of two: the circle."""
    import scheduler

    made = scheduler.Scheduler()
    for number in range(count):
        made.add(f"t{number}", print, [f"t{number + 1}"])
    made.add(f"t{count}", print, [f"t{count - 1}"])
    try:
        made.plan()
    except scheduler.CycleError as error:
        return list(error.cycle)


def check(player, count, shape, running, words):
    """Have a large graph planned or run, and fail with these words if that takes too long."""
    cost = player.measure(large, count, shape, BUDGET, running)
    told, first, last, in_time = cost.answer
    in_time = in_time and cost.cpu_seconds <= BUDGET + SPARE_SECONDS
    assert in_time, f"expected {words} within {BUDGET} s of CPU time; it was not finished by then"
    assert told == count, f"expected {words} to give {count} tasks; got {told}"
    wanted = {
        "chain": (["t0", "t1", "t2"], f"t{count - 1}"),
        "fan": (["t49", "t48", "t47"], "t50"),
        "funnel": ([f"t{count - 2}", f"t{count - 3}", f"t{count - 4}"], f"t{count - 1}"),
    }[shape]
    # Side by side nearly all become ready in the same turn: in which order they start then is left open.
    assert (first, *last) == wanted or (running and shape == "fan"), (
        f"expected {words} to begin with {wanted[0]} and end with {wanted[1]}; got {first} and {last}"
    )


@pytest.mark.limits(seconds=8)
@pytest.mark.parametrize(
    "shape", ["chain", "fan", "funnel"], ids=["one behind the other", "side by side", "one waits for all others"]
)
@pytest.mark.advice(
    "Count what each task waits for, list its dependents, and keep ready tasks in a heapq."
    " Use no recursion, no scan of all tasks, no pop(0)."
)
def test_planning_a_large_graph(player, rng, shape):
    """Thousands of tasks are planned within a second."""
    # One task that waits for all is seldom slow before there are very many.
    many = rng.randint(LEAST, MOST) * (2 if shape == "funnel" else 1)
    check(player, many, shape, False, f"planning {many} tasks")


@pytest.mark.limits(seconds=8)
@pytest.mark.parametrize("shape", ["chain", "fan"], ids=["one behind the other", "side by side"])
@pytest.mark.advice(
    "Keep a count of open dependencies, a list of dependents and a heapq of ready tasks."
    " When a task ends, touch only its dependents, without recursion."
)
def test_running_a_large_graph(player, rng, shape):
    """Thousands of tasks that return at once are run within a second."""
    runs = rng.randint(RUNS - 600, RUNS)
    check(player, runs, shape, True, f"running {runs} tasks")


@pytest.mark.advice(
    "Find the cycle in a loop, not by recursion: follow `after` among tasks not placed."
    " Cut off the walk before the first visit of what repeats."
)
def test_a_circle_at_the_end_of_a_long_chain(player, rng):
    """A cycle is found and named behind a chain of thousands."""
    length = rng.randint(RUNS - 600, RUNS)
    cycle = player.drive(circle_at_the_end, length)
    wanted = sorted([f"t{length}", f"t{length - 1}"])
    assert sorted(cycle or []) == wanted, f"expected {wanted} in cycle after a chain of {length} tasks; got {cycle}"
