"""Order, inputs and outcomes while all goes well: who starts when, and what each is handed."""

import pytest

pytestmark = pytest.mark.clause("RUNNING")


def run_quietly(tasks, limit, times):
    """Run tasks that return at once: starts in order, inputs of each, outcomes, and whether anything ran too early."""
    import asyncio

    import scheduler

    made = scheduler.Scheduler(limit)
    starts, inputs = [], {}

    def work(name):
        async def perform(given):
            starts.append(name)
            inputs[name] = list(given.items())
            return f"{name}!"

        return perform

    for name, after in tasks:
        made.add(name, work(name), after)

    async def all_times():
        answers = []
        for _ in range(times):
            run = made.run()
            for _ in range(5):
                await asyncio.sleep(0)
            early = list(starts)
            outcomes = await asyncio.wait_for(run, 1.0)
            answers.append([early, list(starts), dict(inputs), [[name, list(each)] for name, each in outcomes.items()]])
            starts.clear()
            inputs.clear()
        return answers

    return asyncio.run(all_times())


def kinds_of_work():
    """Works of every kind, each with another kind of result: the outcomes, with types named where they can't cross."""
    import asyncio
    import functools

    import scheduler

    class Later:
        """Something that can be awaited, and is no coroutine."""

        def __await__(self):
            yield from asyncio.sleep(0).__await__()
            return "awaited"

    class Caller:
        """Something that can be called."""

        async def __call__(self, inputs):
            return sorted(inputs)

    async def coroutine(inputs):
        await asyncio.sleep(0)

    def future(inputs):
        made = asyncio.get_running_loop().create_future()
        made.set_result(0)
        return made

    def plain(inputs):
        return [*inputs.values()]

    def returns_error(inputs):
        return KeyError("no failure")

    made = scheduler.Scheduler()
    made.add("coroutine", coroutine)
    made.add(name="future", work=future)
    made.add("partial", functools.partial(coroutine))
    made.add("object", Caller(), after=["future", "coroutine"])
    made.add("awaitable", lambda inputs: Later(), after={"coroutine": 1})
    made.add("plain", plain, (name for name in ("awaitable", "future", "awaitable", "coroutine")))
    made.add("error", returns_error)
    made.add("loop", lambda inputs: asyncio.get_running_loop() is not None)

    async def story():
        return await asyncio.wait_for(made.run(), 1.0)

    outcomes = asyncio.run(story())
    shown = {
        name: value if isinstance(value, (int, str, list, type(None))) else type(value).__name__
        for name, (_, value) in outcomes.items()
    }
    return [state for state, _ in outcomes.values()], shown, all(type(each) is tuple for each in outcomes.values())


def stuffed(tasks, limit, times):
    """Run tasks that each put something into the inputs they were handed: the names that each found there first."""
    import asyncio

    import scheduler

    made, found = scheduler.Scheduler(limit), []

    def work(name):
        def perform(inputs):
            found.append([name, sorted(inputs)])
            inputs[f"left by {name}"] = True

        return perform

    for name, after in tasks:
        made.add(name, work(name), after)

    async def all_times():
        for _ in range(times):
            await asyncio.wait_for(made.run(), 1.0)

    asyncio.run(all_times())
    return found


def slow_ones(tasks, limit):
    """Run tasks that take so many turns of the loop: for each the names of those that had ended when it started."""
    import asyncio

    import scheduler

    made, ended, before = scheduler.Scheduler(limit), [], {}

    def work(name, turns):
        async def perform(inputs):
            before[name] = list(ended)
            for _ in range(turns):
                await asyncio.sleep(0)
            ended.append(name)

        return perform

    for name, after, turns in tasks:
        made.add(name, work(name, turns), after)

    async def story():
        return await asyncio.wait_for(made.run(), 1.0)

    asyncio.run(story())
    return before


DIAMOND = [("roof", ["wall", "door"]), ("wall", ["floor"]), ("door", ["wall", "floor"]), ("floor", []), ("garden", [])]


def expect(got, expected, what):
    """Fail unless something is what was expected."""
    assert got == expected, f"expected {expected!r} for {what}; got {got!r}"


SHOWN = "roof after wall, door; wall after floor; door after wall, floor; floor; garden"


@pytest.mark.group("order")
@pytest.mark.clause("ADDING", "RUNNING")
@pytest.mark.advice(
    "Keep for each task the set of names it still waits for."
    " Remove a name when that task is done, and start the task once, when the set is empty."
)
def test_nothing_before_what_it_waits_for(player):
    """Each task starts once, after all it waits for, in whatever order of adding."""
    [[_, starts, _, _]] = player.drive(run_quietly, DIAMOND, None, 1)
    expect(sorted(starts), sorted(name for name, _ in DIAMOND), f"the works called by one run of {SHOWN}")
    for name, after in DIAMOND:
        early = [each for each in after if starts.index(each) > starts.index(name)]
        assert not early, f"expected {name} to start after {', '.join(early)}; the starts were {', '.join(starts)}"


@pytest.mark.group("order")
@pytest.mark.clause("ADDING")
@pytest.mark.advice(
    "Store tuple(dict.fromkeys(after)) in add: with a name in it twice, a count of unfinished tasks reaches 0 too"
    " early, or never."
)
def test_a_name_given_twice(player):
    """A name given twice in after does not hide the other names."""
    tasks = [("quick", [], 1), ("slow", [], 30), ("last", ["quick", "slow", "quick"], 0), ("only", ["slow", "slow"], 0)]
    before = player.drive(slow_ones, tasks, None)
    expect(sorted(before), ["last", "only", "quick", "slow"], "the works that were called")
    for name, after in (("last", {"quick", "slow"}), ("only", {"slow"})):
        missing = after - set(before[name])
        assert not missing, f"expected {name} to start after {after} (one given twice); not done: {missing}"


@pytest.mark.group("order")
@pytest.mark.advice(
    "Keep each result by its name."
    " When all of them are there, call work with a new dict {each: results[each] for each in after}."
)
def test_inputs(player):
    """Each task gets the results of what it waits for, and of nothing else."""
    [[_, _, inputs, _]] = player.drive(run_quietly, DIAMOND, None, 1)
    handed = {name: dict(given) for name, given in inputs.items()}
    for name, after in DIAMOND:
        expect(handed.get(name), {each: f"{each}!" for each in after}, f"the inputs of {name} in {SHOWN}")


@pytest.mark.group("order")
@pytest.mark.clause("OUTCOMES")
@pytest.mark.advice(
    'Store ("done", result) under each name, where result is what awaiting gave or, if nothing can be awaited,'
    " what the call returned. Return them all."
)
def test_outcomes(player):
    """run returns the outcome of every task."""
    [[_, _, _, outcomes]] = player.drive(run_quietly, DIAMOND, None, 1)
    wanted = {name: ["done", f"{name}!"] for name, _ in DIAMOND}
    expect(dict(outcomes), wanted, f"the outcomes of {SHOWN}")


@pytest.mark.group("order")
@pytest.mark.clause("PLANNING", "RUNNING")
@pytest.mark.advice(
    "Let plan return [] and run return {} without tasks."
    " Loop only while something is under way: asyncio.wait raises ValueError for an empty set."
)
def test_no_tasks(player):
    """A scheduler without tasks has an empty plan, and its run ends at once."""
    [[_, _, _, outcomes]] = player.drive(run_quietly, [], None, 1)
    expect(outcomes, [], "the items of what run returns without tasks")
    made = player.module("scheduler").Scheduler()
    expect([made.plan(), len(made)], [[], 0], "plan() and len of Scheduler()")


KINDS = {
    "coroutine": None,
    "future": 0,
    "partial": None,
    "object": ["coroutine", "future"],
    "awaitable": "awaited",
    "plain": ["awaited", 0, None],
    "error": "KeyError",
    "loop": True,
}


@pytest.mark.group("works")
@pytest.mark.advice(
    "Call work in the loop's thread, with inputs in the order of `after`."
    " Await its answer if inspect.isawaitable(answer); else it is the result, errors too."
)
def test_kinds_of_work(player):
    """Any callable works, and if what it returns can be awaited, it is awaited."""
    states, shown, are_tuples = player.drive(kinds_of_work)
    for kind, state in zip(KINDS, states, strict=True):
        expect(state, "done", f"the outcome of a work of the kind {kind}")
    assert are_tuples, "expected a tuple for each outcome; got another type"
    for kind, result in KINDS.items():
        expect(shown.get(kind), result, f"the result of a work of the kind {kind}")


def told_of_names():
    """Name tasks by strings that change, or are gone, afterwards: the inputs that each was handed."""
    import asyncio

    import scheduler

    made, handed = scheduler.Scheduler(), {}

    def work(name):
        return lambda inputs: handed.setdefault(name, sorted(inputs))

    names = ["a"]
    for name, after in (("a", ()), ("b", ()), ("listed", names), ("poured", (each for each in ["a", "b"]))):
        made.add(name, work(name), after)
    names[:] = ["b"]

    async def run():
        await asyncio.wait_for(made.run(), 1.0)

    asyncio.run(run())
    return handed


@pytest.mark.group("works")
@pytest.mark.clause("ADDING")
@pytest.mark.advice(
    "Store tuple(dict.fromkeys(after)) in add: a generator is then read once, and what the caller does to a list"
    " later doesn't reach you."
)
def test_names_are_read_at_once(player):
    """after may be any iterable and is read by add; later changes don't count."""
    handed = player.drive(told_of_names)
    expect(
        handed.get("poured"), ["a", "b"], "the names in the inputs of a task with a generator of 'a' and 'b' as after"
    )
    expect(handed.get("listed"), ["a"], "the names in the inputs of a task whose list ['a'] became ['b'] after add")


@pytest.mark.group("works")
@pytest.mark.clause("OUTCOMES")
@pytest.mark.advice(
    "Collect outcomes in a dict as they come."
    " At the end of run, build a new one by going through the tasks in the order of adding."
)
def test_outcomes_are_in_order(player):
    """The outcomes are in the order in which the tasks were added."""
    [[_, _, _, outcomes]] = player.drive(run_quietly, DIAMOND, None, 1)
    expect([name for name, _ in outcomes], [name for name, _ in DIAMOND], f"the names in the outcomes of {SHOWN}")


@pytest.mark.group("works")
@pytest.mark.advice(
    "Store tuple(dict.fromkeys(after)) in add."
    " Build inputs by going through it right before the call of work, not as results come in."
)
def test_inputs_are_in_order(player):
    """The inputs are in the order of after, each name once."""
    tasks = [("a", []), ("b", []), ("c", []), ("d", ["c", "a", "c", "b", "a"])]
    [[_, _, inputs, _]] = player.drive(run_quietly, tasks, None, 1)
    expect(
        [name for name, _ in inputs["d"]], ["c", "a", "b"], "the names in inputs, with after=['c', 'a', 'c', 'b', 'a']"
    )


@pytest.mark.group("works")
@pytest.mark.advice(
    "Make a new dict of inputs for each call of work, an empty one too, and keep none for later runs."
    " Start the ready task that was added first."
)
def test_inputs_of_its_own(player):
    """Each task gets its own dict of inputs, not one that others can change."""
    tasks = [("a", []), ("b", []), ("c", ["a"]), ("d", ["a"]), ("e", [])]
    found = player.drive(stuffed, tasks, 1, 2)
    wanted = [["a", []], ["b", []], ["c", ["a"]], ["d", ["a"]], ["e", []]] * 2
    expect(found, wanted, "the names in inputs, where each task puts another one into its own, in two runs")


@pytest.mark.group("works")
@pytest.mark.advice(
    "Make run an async def that creates its own counts, ready tasks and results."
    " Keep them in local variables or an object per run, and call every work again."
)
def test_each_run_starts_anew(player):
    """run does nothing before it is awaited, and runs everything again each time."""
    first, second = player.drive(run_quietly, DIAMOND, 1, 2)
    expect(first[0], [], "the works called before run was awaited")
    expect(sorted(second[1]), sorted(first[1]), "the works called by the second run")
    expect(second, first, "starts, inputs and outcomes of the second run")
