"""Promises of the scheduler."""

import asyncio
import functools
import random
import time

import pytest

from scheduler import CycleError, Scheduler


def in_a_loop(test):
    """Run a test that is a coroutine function to its end, in an event loop of its own."""

    @functools.wraps(test)
    def run(*args, **kwargs):
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 5))

    return run


class Stage:
    """Tasks that write down when they start, and end when the test opens their gate."""

    def __init__(self, limit=None):
        self.made = Scheduler(limit)
        self.events = []
        self.gates = {}
        self.inputs = {}

    def add(self, name, after=(), error=None, manner=""):
        async def perform(inputs):
            self.events.append(name)
            self.inputs[name] = inputs
            self.gates[name] = asyncio.get_running_loop().create_future()
            try:
                await self.gates[name]
            finally:
                if manner == "slow":
                    await asyncio.sleep(0)
                    await asyncio.sleep(0)
                self.events.append(f"{name} ends")
            if error is not None:
                raise error
            return name.upper()

        self.made.add(name, perform, after)

    async def play(self, *names):
        """Begin a run and open these gates, one after the other; give what had started by then, and the run."""
        running = asyncio.ensure_future(self.made.run())
        seen = []
        for name in (None, *names):
            if name is not None:
                self.gates[name].set_result(None)
            for _ in range(10):
                await asyncio.sleep(0)
            seen.append([event for event in self.events if not event.endswith(" ends")])
        return seen, running


async def outcome_of(running):
    """The result of a run that must be about to end: nothing here may take long."""
    for _ in range(50):
        await asyncio.sleep(0)
    if not running.done():
        running.cancel()
        pytest.fail("the run does not come to its end")
    return running.result()


async def ran(made):
    return await outcome_of(asyncio.ensure_future(made.run()))


def quick(limit=None, **waits):
    """A scheduler of tasks that only write their names down."""
    made, called = Scheduler(limit), []
    for name, after in waits.items():
        made.add(name, lambda inputs, name=name: called.append(name), list(after))
    return made, called


class TestSchedule:
    @in_a_loop
    async def test_inputs_and_outcomes(self):
        stage = Stage()
        stage.add("b", ["a"])
        stage.add("a")
        seen, running = await stage.play("a", "b")
        assert seen == [["a"], ["a", "b"], ["a", "b"]]
        assert stage.inputs["b"] == {"a": "A"}
        assert list((await outcome_of(running)).items()) == [("b", ("done", "B")), ("a", ("done", "A"))]

    @in_a_loop
    async def test_the_limit_is_kept_and_places_are_filled_at_once(self):
        stage = Stage(2)
        for name in "abcd":
            stage.add(name)
        seen, running = await stage.play("b", "a", "c", "d")
        assert seen == [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d"], ["a", "b", "c", "d"]]
        assert len(await outcome_of(running)) == 4

    @in_a_loop
    async def test_the_first_added_comes_first(self):
        stage = Stage(1)
        stage.add("z", ["m"])
        stage.add("m")
        stage.add("a")
        seen, running = await stage.play("m", "z", "a")
        assert seen[-1] == ["m", "z", "a"] == stage.made.plan()
        await outcome_of(running)

    @in_a_loop
    async def test_plain_callables_and_futures(self):
        made = Scheduler()
        made.add("plain", lambda inputs: 3)
        made.add("slow", lambda inputs: asyncio.sleep(0, inputs["plain"] + 1), ["plain"])
        assert await ran(made) == {"plain": ("done", 3), "slow": ("done", 4)}

    @in_a_loop
    async def test_whatever_can_be_awaited_is_awaited(self):
        class Later:
            def __await__(self):
                yield from asyncio.sleep(0).__await__()
                return 2

        def future(inputs):
            made = asyncio.get_running_loop().create_future()
            made.set_result(1)
            return made

        made = Scheduler()
        made.add("future", future)
        made.add("later", lambda inputs: Later())
        made.add("partial", functools.partial(asyncio.sleep, 0))
        made.add("error", lambda inputs: KeyError("no failure"))
        outcomes = await ran(made)
        assert [outcomes[name] for name in ("future", "later")] == [("done", 1), ("done", 2)]
        assert outcomes["partial"] == ("done", {})
        assert outcomes["error"][0] == "done"

    @in_a_loop
    async def test_inputs_are_in_the_order_of_after(self):
        seen, made = [], Scheduler(1)
        for name in "abc":
            made.add(name, lambda inputs: 0)
        made.add("d", lambda inputs: seen.append(list(inputs)), ["c", "a", "c", "b"])
        await ran(made)
        assert seen == [["c", "a", "b"]]

    @in_a_loop
    async def test_inputs_are_a_dict_of_its_own(self):
        found, made = [], Scheduler()

        def litter(inputs):
            found.append(dict(inputs))
            inputs["litter"] = True

        for name, after in {"a": "", "b": "", "c": "a", "d": "a"}.items():
            made.add(name, litter, list(after))
        await ran(made)
        await ran(made)
        assert found == [{}, {}, {"a": None}, {"a": None}] * 2

    @in_a_loop
    async def test_a_name_given_twice_counts_once(self):
        stage = Stage()
        for name in "ab":
            stage.add(name)
        stage.add("c", ["a", "b", "a"])
        seen, running = await stage.play("a", "b", "c")
        assert seen == [["a", "b"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c"]]
        await outcome_of(running)

    @in_a_loop
    async def test_nothing_is_called_before_run_is_awaited(self):
        made, called = quick(a="")
        run = made.run()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert called == []
        await run
        assert called == ["a"]

    @in_a_loop
    async def test_a_second_run_starts_anew(self):
        made, called = quick(a="b", b="")
        assert await ran(made) == await ran(made)
        assert called == ["b", "a", "b", "a"]
        assert len(made) == 2

    @in_a_loop
    async def test_a_limit_beyond_the_number_of_tasks(self):
        made, called = quick(5, a="", b="")
        await ran(made)
        assert called == ["a", "b"]


class TestGraphs:
    @pytest.mark.parametrize(
        ("waits", "circle"),
        [
            ({"a": "a"}, ["a"]),
            ({"late": "", "x": "y", "y": "zw", "z": "x", "w": "", "far": ""}, ["x", "y", "z"]),
            ({"out": "", "p": "q", "q": "p", "o": "p"}, ["p", "q"]),
        ],
        ids=["one", "three", "two"],
    )
    @in_a_loop
    async def test_a_circle_is_named(self, waits, circle):
        made, called = quick(**waits)
        with pytest.raises(CycleError) as caught:
            made.plan()
        assert sorted(caught.value.cycle) == circle
        for name, following in zip(caught.value.cycle, [*caught.value.cycle[1:], caught.value.cycle[0]], strict=True):
            assert following in waits[name]
        assert all(name in str(caught.value) for name in circle)
        with pytest.raises(CycleError):
            await made.run()
        assert called == []

    @in_a_loop
    async def test_a_circle_is_found_behind_a_tail(self):
        made, _ = quick(tail="p", p="q", q="p")
        with pytest.raises(CycleError) as caught:
            made.plan()
        assert sorted(caught.value.cycle) == ["p", "q"]

    @in_a_loop
    async def test_an_unknown_name_is_refused(self):
        made, called = quick(b="", a="bx")
        with pytest.raises(ValueError, match=r"'a'.*'x'"):
            await made.run()
        assert called == []

    @pytest.mark.parametrize(("limit", "error"), [(0, ValueError), (-2, ValueError), ("1", TypeError), (True, TypeError)])
    def test_a_limit_is_an_int_above_zero(self, limit, error):
        with pytest.raises(error):
            Scheduler(limit)

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ((1, print), TypeError),
            (("", print), ValueError),
            (("a", print), ValueError),
            (("b", None), TypeError),
            (("b", print, "a"), TypeError),
            (("b", print, [1]), TypeError),
            (("b", print, 1), TypeError),
        ],
    )
    def test_a_senseless_task_is_refused(self, arguments, error):
        made, _ = quick(a="")
        with pytest.raises(error):
            made.add(*arguments)
        assert made.plan() == ["a"]

    def test_a_long_chain(self):
        made = Scheduler()
        for number in range(3000):
            made.add(str(number), print, [str(number + 1)] if number < 2999 else [])
        assert made.plan()[0] == "2999"

    def test_a_circle_at_the_end_of_a_long_chain(self):
        made = Scheduler()
        for number in range(3000):
            made.add(str(number), print, [str(min(number + 1, 2999))])
        with pytest.raises(CycleError) as caught:
            made.plan()
        assert caught.value.cycle == ["2999"]

    def test_many_side_by_side(self):
        made, start = Scheduler(), time.process_time()
        for number in range(10_000):
            made.add(str(number), print, ["first"])
        made.add("first", print)
        assert made.plan()[:2] == ["first", "0"]
        assert time.process_time() - start < 1


class TestFailures:
    @in_a_loop
    async def test_failures_and_what_they_keep_from_running(self):
        stage = Stage()
        one, two = ValueError("one"), asyncio.CancelledError()
        stage.add("end", ["mid", "late"])
        stage.add("late", error=two)
        stage.add("mid", ["bad"])
        stage.add("bad", error=one)
        stage.add("free")
        seen, running = await stage.play("bad", "free", "late")
        assert seen[-1] == ["late", "bad", "free"]
        assert await outcome_of(running) == {
            "end": ("skipped", ["late", "bad"]),
            "late": ("failed", two),
            "mid": ("skipped", ["bad"]),
            "bad": ("failed", one),
            "free": ("done", "FREE"),
        }

    @in_a_loop
    async def test_a_plain_failure(self):
        made = Scheduler(1)
        made.add("a", lambda inputs: 1 / 0)
        made.add("b", lambda inputs: 5)
        outcomes = await ran(made)
        assert isinstance(outcomes["a"][1], ZeroDivisionError)
        assert outcomes["b"] == ("done", 5)


class TestCancelling:
    @in_a_loop
    async def test_nothing_is_left_of_a_cancelled_run(self):
        stage = Stage(2)
        stage.add("a", manner="slow")
        stage.add("b")
        stage.add("c")
        before = asyncio.all_tasks()
        _, running = await stage.play()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await outcome_of(running)
        assert sorted(stage.events) == ["a", "a ends", "b", "b ends"]
        assert asyncio.all_tasks() == before

    @in_a_loop
    async def test_all_are_cancelled_before_the_first_has_cleaned_up(self):
        stage = Stage()
        stage.add("a", manner="slow")
        stage.add("b")
        _, running = await stage.play()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await outcome_of(running)
        assert stage.events == ["a", "b", "b ends", "a ends"]

    @in_a_loop
    async def test_a_cancelled_scheduler_runs_again(self):
        stage = Stage()
        stage.add("a")
        _, running = await stage.play()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await outcome_of(running)
        stage.events.clear()
        seen, running = await stage.play("a")
        assert seen == [["a"], ["a"]]
        assert await outcome_of(running) == {"a": ("done", "A")}

    @in_a_loop
    async def test_a_timeout(self):
        stage = Stage()
        stage.add("a", manner="slow")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(stage.made.run(), 0.001)
        assert stage.events == ["a", "a ends"]


def test_random_plans_beside_an_obvious_planner():
    dice = random.Random(4)
    for _ in range(30):
        names = [f"t{number}" for number in range(9)]
        order = dice.sample(names, len(names))
        waits = {name: dice.sample(order[: order.index(name)], min(order.index(name), 2)) for name in names}
        plan = []
        while len(plan) < len(names):
            plan.append(next(n for n in names if n not in plan and set(waits[n]) <= set(plan)))
        made = Scheduler()
        for name in names:
            made.add(name, print, waits[name])
        assert made.plan() == plan
