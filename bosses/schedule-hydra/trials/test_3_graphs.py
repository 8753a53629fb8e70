"""Graphs that can't be run, and tasks that can't be told apart."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("REFUSALS")


def forget_modules():
    """Let the next import run the program's modules again: what they keep for all is judged elsewhere."""
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]


def scheduler(player, tasks):
    """A scheduler with these tasks."""
    player.drive(forget_modules)
    made = player.module("scheduler").Scheduler()
    for name, after in tasks:
        made.add(name, [].append, after)
    return made


def raised(call, *args, **kwargs):
    """The error a call raises, or None."""
    try:
        call(*args, **kwargs)
    except PlayerError as error:
        return error
    return None


def refused(error, words, call, *args, **kwargs):
    """The error that the call raises; fail unless it is of that kind."""
    got = raised(call, *args, **kwargs)
    assert got is not None, f"expected {error.__name__} for {words}; nothing was raised"
    assert isinstance(got, error), f"expected {error.__name__} for {words}; got {got.type_name}"
    return got


def shown_tasks(tasks):
    """Tasks in words."""
    return "; ".join(f"{name!r} waits for {' and '.join(map(repr, after)) or 'nothing'}" for name, after in tasks)


def fault_of_circle(player, tasks):
    """What is wrong with the circle that plan names, or nothing; and the circle."""
    got = raised(scheduler(player, tasks).plan)
    if got is None or got.type_name != "CycleError":
        return f"expected CycleError from plan; got {got and got.type_name}", []
    cycle, waits = got.original.cycle, dict(tasks)
    if not isinstance(cycle, list) or not cycle:
        return f"expected a list of names for cycle; got {cycle!r}", []
    if len(set(cycle)) != len(cycle):
        return f"expected each name once in cycle; got {cycle}", cycle
    for name, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        if following not in waits.get(name, ()):
            wrong = f"{cycle}, but {name!r} does not wait for {following!r}"
            return f"expected a cycle in which each task waits for the next; got {wrong}", cycle
    missing = [name for name in cycle if name not in str(got)]
    return (f"expected the message to name {', '.join(missing)}; got {str(got)[:80]!r}" if missing else ""), cycle


def circle_of(player, tasks):
    """The circle that plan names, checked to be one."""
    fault, cycle = fault_of_circle(player, tasks)
    assert not fault, f"{shown_tasks(tasks)}: {fault}"
    return cycle


def tangle(rng, count):
    """Tasks that wait for random others, and so nearly always in circles."""
    names = [f"task-{number}." for number in range(count)]
    return [(name, [other for other in rng.sample(names, rng.choice([0, 1, 1, 2])) if other != name]) for name in names]


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
    import sys

    # What a program keeps for all its schedulers is judged elsewhere: each run gets modules of its own.
    for name in [name for name in sys.modules if name.partition(".")[0] == "scheduler"]:
        del sys.modules[name]

    import scheduler

    made, called = scheduler.Scheduler(), []
    for name, after in tasks:
        made.add(name, called.append, after)

    async def story():
        return await asyncio.wait_for(made.run(), 1.5)

    try:
        asyncio.run(story())
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__], len(called), str(error)
    return ["no error"], len(called), ""


CIRCLE = [("free", []), ("egg", ["hen"]), ("hen", ["egg", "free"])]
SNAKE = [("free", []), ("snake", ["free", "snake"])]
ORPHAN = [("free", []), ("orphan", ["free", "mother"])]


def check_refusals(player, tasks, kind):
    """Fail unless plan and run refuse these tasks with this error before anything is called."""
    words = shown_tasks(tasks)
    got = refused(ValueError, f"plan() of {words}", scheduler(player, tasks).plan)
    if kind == "CycleError":
        assert got.type_name == kind, f"expected {kind} for plan() of {words}; got {got.type_name}"
    kinds, called, _ = player.drive(run_circle, tasks)
    assert kind in kinds, f"expected {kind} for run() of {words}; got {kinds[0]}"
    assert "ValueError" in kinds, f"expected {kinds[0]} to be a subclass of ValueError; its classes: {', '.join(kinds)}"
    assert called == 0, f"expected no work called by run() of {words}; got {called}"


@pytest.mark.group("circles")
@pytest.mark.advice(
    "Derive CycleError from ValueError."
    " Raise it in plan if tasks are left and none is ready, and call plan in run before any work."
)
def test_a_circle_is_refused(player):
    """A cycle is refused by plan and run with a CycleError before anything is called."""
    check_refusals(player, CIRCLE, "CycleError")


@pytest.mark.group("circles")
@pytest.mark.advice(
    "Count a task's own name in `after` like any other: it never becomes ready, so plan raises CycleError."
    " Call plan in run before any work."
)
def test_a_task_that_waits_for_itself_is_refused(player):
    """A task that waits for itself is refused by plan and run with a CycleError."""
    check_refusals(player, SNAKE, "CycleError")


@pytest.mark.group("circles")
@pytest.mark.advice(
    "Begin plan with a loop over every `after` that raises ValueError, not KeyError, for a name no task has."
    " Call plan in run before any work."
)
def test_an_unknown_name_is_refused(player):
    """An unknown name in after is refused by plan and run before anything is called."""
    check_refusals(player, ORPHAN, "ValueError")


@pytest.mark.group("circles")
@pytest.mark.clause("ADDING", "REFUSALS")
@pytest.mark.advice(
    "Accept unknown names in add, and look for them again in each plan."
    " Raise CycleError only if tasks are left over and none of them is ready."
)
def test_no_circle_where_there_is_none(player):
    """Several ways to one task aren't a cycle, and after may name later tasks."""
    tasks = [("d", ["b", "c", "a"]), ("b", ["a"]), ("c", ["b", "a"]), ("a", [])]
    got = raised(scheduler(player, tasks).plan)
    assert got is None, f"expected a plan of {shown_tasks(tasks)}; got {got.type_name}"
    made = scheduler(player, tasks[:1])
    refused(ValueError, f"plan() of {shown_tasks(tasks[:1])}", made.plan)
    for name, after in tasks[1:]:
        made.add(name, print, after)
    got = raised(made.plan)
    assert got is None, f"expected a plan after the missing tasks were added; got {got.type_name}"


@pytest.mark.group("named")
@pytest.mark.advice(
    'Raise ValueError(f"{name!r} waits for {other!r}, which no task has") from one check that plan and run share.'
)
def test_both_names_are_in_the_message(player):
    """The message about an unknown name holds it and the task that waits for it."""
    by_plan = str(raised(scheduler(player, ORPHAN).plan))
    _, _, by_run = player.drive(run_circle, ORPHAN)
    for call, message in (("plan", by_plan), ("run", by_run)):
        missing = [name for name in ("orphan", "mother") if name not in message]
        assert not missing, f"expected {' and '.join(missing)} in the message of {call}(); got {message[:80]!r}"


@pytest.mark.group("named")
@pytest.mark.advice(
    "From a task that plan couldn't place, follow `after` to others like it until a name repeats."
    " `cycle` is the walk from its first visit to before its second."
)
def test_the_circle_is_named(player):
    """The cycle lists its tasks in the order of waiting, and no others."""
    tasks = [
        ("late", ["b"]),
        ("early", []),
        ("b", ["early", "a"]),
        ("a", ["c", "early"]),
        ("c", ["b"]),
        ("later", ["late"]),
    ]
    cycle = sorted(circle_of(player, tasks))
    assert cycle == ["a", "b", "c"], f"{shown_tasks(tasks)}: expected a, b, c in cycle; got {', '.join(cycle)}"


@pytest.mark.group("named")
@pytest.mark.advice(
    "End `cycle` before the name that repeats, so that each name is in it once: a task that waits for itself gives"
    " [name]. Put it in the message."
)
def test_a_circle_of_one(player):
    """A task that waits for itself is a cycle of one."""
    if raised(scheduler(player, SNAKE).plan) is not None:
        cycle = circle_of(player, SNAKE)
        assert cycle == ["snake"], f"{shown_tasks(SNAKE)}: expected ['snake'] for cycle; got {cycle}"


def fewest(tasks, differs):
    """Tasks without those that can be left out, the last ones first, while the rest still differs."""
    for name in [name for name, _ in reversed(tasks)]:
        fewer = [(each, [other for other in after if other != name]) for each, after in tasks if each != name]
        if fewer and differs(fewer):
            tasks = fewer
    return tasks


@pytest.mark.group("named")
@pytest.mark.advice(
    "From a task that plan couldn't place, follow `after` to others like it until a name repeats."
    " Cut off what came before its first visit, and the repeat."
)
def test_any_tangle(player, rng):
    """In any graph, a real cycle is reported; without one, a plan is made."""

    def fault(tasks):
        if has_circle(tasks):
            return fault_of_circle(player, tasks)[0]
        got = raised(scheduler(player, tasks).plan)
        return f"expected a plan, because there is no cycle; got {got.type_name}" if got is not None else ""

    for number in range(12):
        tasks = tangle(rng, 2 + number)
        if fault(tasks):
            tasks = fewest(tasks, fault)
            raise AssertionError(f"{shown_tasks(tasks)}: {fault(tasks)}")


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "In __init__, accept None, then raise TypeError for a bool or anything else that isn't an int, then ValueError"
    " below 1."
)
def test_limits_that_make_no_sense(player):
    """An invalid limit is refused."""
    make = player.module("scheduler").Scheduler
    for limit in (0, -1, 1.0, "2", True, [3]):
        refused(ValueError if type(limit) is int else TypeError, f"Scheduler({limit!r})", make, limit)
    for limit in (None, 1):
        got = raised(make, limit)
        assert got is None, f"expected Scheduler({limit!r}) to be accepted; got {got.type_name}"


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Raise TypeError for a bad name, work or `after` (a str, or not only strs in tuple(after)), ValueError for an"
    " empty or taken name. Store the task last."
)
def test_tasks_that_make_no_sense(player):
    """An invalid task is refused by add and leaves no trace."""
    made = scheduler(player, [("a", [])])
    for name in (7, None, ["a"], b"a"):
        refused(TypeError, f"add({name!r}, print)", made.add, name, print)
    for name in ("", "a"):
        refused(ValueError, f"add({name!r}, print), with a task 'a' there", made.add, name, print)
    for work in (None, "print", 3):
        refused(TypeError, f"add('b', {work!r})", made.add, "b", work)
    for after in ("a", 5, None, ["a", 5], [["a"]]):
        refused(TypeError, f"add('b', print, {after!r})", made.add, "b", print, after)
    assert len(made) == 1, f"expected len 1 after one task was added and others were refused; got {len(made)}"
    got = raised(made.add, "b", print, ["a"])
    assert got is None, f"expected add('b', print, ['a']) to work after 'b' was refused; got {got.type_name}"
    assert len(made) == 2, f"expected len 2 after add('b', ...) was refused and then accepted; got {len(made)}"
