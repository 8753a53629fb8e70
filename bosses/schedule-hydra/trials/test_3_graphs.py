"""Graphs that can't be run, and tasks that can't be told."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError


def scheduler(player, tasks, called=None):
    """A scheduler with these tasks; whatever is called is noted."""
    made = player.module("scheduler").Scheduler()
    for name, after in tasks:
        made.add(name, [].append if called is None else called.append, after)
    return made


def raised(call, *args, **kwargs):
    """The error a call raises, or None."""
    try:
        call(*args, **kwargs)
    except PlayerError as error:
        return error
    return None


def refused(error, words, call, *args, **kwargs):
    """The error that the call raises; fail with these words unless it is of that kind."""
    got = raised(call, *args, **kwargs)
    assert got is not None, words
    assert isinstance(got, error), f"{words} It raised {got.type_name} instead of {error.__name__}."
    return got


def circle_of(player, tasks):
    """The circle that plan names, checked to be one."""
    got = refused(
        ValueError,
        "Tasks that wait for each other must be refused by plan with a CycleError.",
        scheduler(player, tasks).plan,
    )
    assert got.type_name == "CycleError", "Tasks that wait for each other must be refused with a CycleError."
    cycle, waits = got.original.cycle, dict(tasks)
    assert isinstance(cycle, list) and cycle, "cycle is a list of names, and not empty."
    assert len(set(cycle)) == len(cycle), "Each name stands in cycle once; the first is not repeated at the end."
    for name, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        assert following in waits.get(name, ()), (
            "In cycle each task waits for the next one, and the last for the first."
        )
    assert all(name in str(got) for name in cycle), "The message of a CycleError must hold all names on the circle."
    return cycle


def tangle(rng, count):
    """Tasks that wait for random others, and so nearly always in circles."""
    names = [f"task-{number}." for number in range(count)]
    return [(name, rng.sample(names, rng.choice([0, 1, 1, 2]))) for name in names]


def has_circle(tasks):
    """Whether something is left when all that can be done is done, again and again."""
    waits = {name: set(after) for name, after in tasks}
    while free := [name for name, after in waits.items() if not after & waits.keys()]:
        for name in free:
            del waits[name]
    return bool(waits)


def run_circle(tasks):
    """Run tasks that can't be run: the names of the error's classes, and how many were called."""
    import asyncio

    import scheduler

    made, called = scheduler.Scheduler(), []
    for name, after in tasks:
        made.add(name, called.append, after)

    async def story():
        return await asyncio.wait_for(made.run(), 1.5)

    try:
        outcomes = asyncio.run(story())
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__], len(called), str(error)
    return [f"no error but {type(outcomes).__name__}"], len(called), ""


@pytest.mark.group("circles")
def test_a_circle_is_refused(player):
    """Tasks that wait for each other are refused by plan and by run with a CycleError, before anything is called."""
    tasks = [("free", []), ("egg", ["hen"]), ("hen", ["egg", "free"])]
    refused(
        ValueError,
        "Tasks that wait for each other must be refused by plan with a CycleError.",
        scheduler(player, tasks).plan,
    )
    kinds, called, _ = player.drive(run_circle, tasks)
    assert "CycleError" in kinds, "Tasks that wait for each other must be refused by run with a CycleError."
    assert "ValueError" in kinds, "CycleError is a subclass of ValueError."
    assert called == 0, "If there is a circle nothing may be called, not even what does not stand on it."


@pytest.mark.group("circles")
def test_an_unknown_name_is_refused(player):
    """A task that waits for a name that nobody has is refused by plan and by run, and both names are told."""
    tasks = [("free", []), ("orphan", ["free", "mother"])]
    words = "A task that waits for a name that no task has must be refused by plan with a ValueError."
    got = refused(ValueError, words, scheduler(player, tasks).plan)
    assert "orphan" in str(got) and "mother" in str(got), (
        "The message must hold the task's name and the one it waits for."
    )
    kinds, called, message = player.drive(run_circle, tasks)
    assert "ValueError" in kinds, (
        "A task that waits for a name that no task has must be refused by run with a ValueError."
    )
    assert "orphan" in message and "mother" in message, (
        "The message must hold the task's name and the one it waits for."
    )
    assert called == 0, "If a name is unknown nothing may be called."


@pytest.mark.group("circles")
def test_no_circle_where_there_is_none(player):
    """Many ways to one task are no circle, and what is added later may be waited for."""
    tasks = [("d", ["b", "c", "a"]), ("b", ["a"]), ("c", ["b", "a"]), ("a", [])]
    assert scheduler(player, tasks).plan() == ["a", "b", "c", "d"], "Several ways to the same task are not a circle."
    made = scheduler(player, tasks[:1])
    refused(ValueError, "What is not there yet can't be planned.", made.plan)
    for name, after in tasks[1:]:
        made.add(name, print, after)
    assert made.plan() == ["a", "b", "c", "d"], "After a refused plan the missing tasks can be added, and all is well."


@pytest.mark.group("named")
def test_the_circle_is_named(player):
    """The circle is named task by task, in the order of waiting, without those that only wait for it."""
    tasks = [
        ("late", ["b"]),
        ("early", []),
        ("b", ["early", "a"]),
        ("a", ["c", "early"]),
        ("c", ["b"]),
        ("later", ["late"]),
    ]
    assert sorted(circle_of(player, tasks)) == ["a", "b", "c"], "Only names on the circle stand in cycle."


@pytest.mark.group("named")
def test_a_circle_of_one(player):
    """A task that waits for itself is a circle of one."""
    assert circle_of(player, [("free", []), ("snake", ["free", "snake"])]) == ["snake"], "A circle of one has one name."


@pytest.mark.group("named")
def test_any_tangle(player, rng):
    """Of any tangle a real circle is named, and where there is none, a plan is made."""
    for number in range(12):
        tasks = tangle(rng, 2 + number)
        if has_circle(tasks):
            assert circle_of(player, tasks), "In a tangle some circle must be named."
        else:
            planned = scheduler(player, tasks).plan()
            assert sorted(planned) == sorted(name for name, _ in tasks), "Without a circle everything can be planned."


@pytest.mark.group("refusals")
def test_limits_that_make_no_sense(player):
    """A limit that makes no sense is refused."""
    make = player.module("scheduler").Scheduler
    for limit in (0, -1):
        refused(ValueError, "A limit below 1 must be refused with a ValueError.", make, limit)
    for limit in (1.0, "2", True, [3]):
        refused(TypeError, "A limit that is no int (True is none) must be refused with a TypeError.", make, limit)
    assert [len(make(None)), len(make(limit=1))] == [0, 0], "None and 1 are fine, and a new scheduler has no tasks."


@pytest.mark.group("refusals")
def test_tasks_that_make_no_sense(player):
    """A task that makes no sense is refused by add, and leaves no trace."""
    made = scheduler(player, [("a", [])])
    for name in (7, None, ["a"], b"a"):
        refused(TypeError, "A name that is no str must be refused with a TypeError.", made.add, name, print)
    for name in ("", "a"):
        refused(
            ValueError, "An empty name, or one that is taken, must be refused with a ValueError.", made.add, name, print
        )
    for work in (None, "print", 3):
        refused(TypeError, "A work that can't be called must be refused with a TypeError.", made.add, "b", work)
    for after in ("a", 5, None, ["a", 5], [["a"]]):
        words = "after must be an iterable of str and not itself a str, else TypeError."
        refused(TypeError, words, made.add, "b", print, after)
    assert len(made) == 1, "A refused task must not be added."
    made.add("b", print, ["a"])
    assert made.plan() == ["a", "b"], "After refusals the scheduler goes on as before, and a refused name is not taken."
