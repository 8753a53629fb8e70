import asyncio
import unittest
from functools import partial

from scheduler import CycleError, Scheduler


def nothing(inputs):
    return None


async def turns(number=20):
    for _ in range(number):
        await asyncio.sleep(0)


class Telling(unittest.TestCase):
    def setUp(self):
        self.scheduler = Scheduler()
        self.scheduler.add("first", nothing)

    def test_type_errors(self):
        for arguments in [(1, nothing), ("a", "b"), ("a", nothing, "bc"), ("a", nothing, 1), ("a", nothing, [1])]:
            with self.subTest(arguments=arguments), self.assertRaises(TypeError):
                self.scheduler.add(*arguments)
        self.assertEqual(self.scheduler.plan(), ["first"])

    def test_value_errors(self):
        for name in ["", "first"]:
            with self.subTest(name=name), self.assertRaises(ValueError):
                self.scheduler.add(name, nothing)
        self.assertEqual(len(self.scheduler), 1)

    def test_limits(self):
        for limit in [True, 1.5, "2"]:
            with self.subTest(limit=limit), self.assertRaises(TypeError):
                Scheduler(limit)
        for limit in [0, -1]:
            with self.subTest(limit=limit), self.assertRaises(ValueError):
                Scheduler(limit)


class Planning(unittest.TestCase):
    def graph(self, **after):
        scheduler = Scheduler()
        for name, names in after.items():
            scheduler.add(name, self.fail, names.split())
        return scheduler

    def test_first_added_comes_first(self):
        self.assertEqual(self.graph(late="b", a="", b="a", c="").plan(), ["a", "b", "late", "c"])

    def test_unknown(self):
        scheduler = self.graph(free="", here="there")
        for ask in [scheduler.plan, lambda: asyncio.run(scheduler.run())]:
            with self.assertRaises(ValueError) as caught:
                ask()
            self.assertIn("here", str(caught.exception))
            self.assertIn("there", str(caught.exception))

    def test_circle(self):
        scheduler = self.graph(free="", chain="a", a="b", b="free c", c="a")
        for ask in [scheduler.plan, lambda: asyncio.run(scheduler.run())]:
            with self.assertRaises(CycleError) as caught:
                ask()
            cycle = caught.exception.cycle
            self.assertIn(cycle, [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
            for name in cycle:
                self.assertIn(name, str(caught.exception))

    def test_circle_of_one(self):
        with self.assertRaises(CycleError) as caught:
            self.graph(a="a").plan()
        self.assertEqual(caught.exception.cycle, ["a"])

    def test_ten_thousand(self):
        scheduler = Scheduler()
        for number in range(10_000):
            scheduler.add(str(number), nothing, [str(number + 1)] if number < 9_999 else [])
        self.assertEqual(scheduler.plan(), [str(number) for number in reversed(range(10_000))])


class Running(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.notes = []
        self.gates = {name: asyncio.Event() for name in "abcd"}

    def gated(self, name):
        async def work(inputs):
            self.notes.append("+" + name)
            try:
                await self.gates[name].wait()
            finally:
                await turns(3)
                self.notes.append("-" + name)
        return work

    async def test_results(self):
        scheduler = Scheduler()
        scheduler.add("pair", lambda inputs: list(inputs.items()), ["b", "a", "b"])
        scheduler.add("a", lambda inputs: 1)
        scheduler.add("b", partial(asyncio.sleep, 0))
        outcomes = await scheduler.run()
        self.assertEqual(list(outcomes), ["pair", "a", "b"])
        self.assertEqual(outcomes["pair"][1][1], ("a", 1))
        self.assertEqual([name for name, _ in outcomes["pair"][1]], ["b", "a"])

    async def test_future(self):
        future = asyncio.get_running_loop().create_future()
        scheduler = Scheduler()
        scheduler.add("a", lambda inputs: future)
        scheduler.add("b", lambda inputs: future.set_result(5))
        self.assertEqual(await scheduler.run(), {"a": ("done", 5), "b": ("done", None)})

    async def test_limit(self):
        scheduler = Scheduler(2)
        for name in "abc":
            scheduler.add(name, self.gated(name))
        scheduler.add("d", self.gated("d"), ["b"])
        run = asyncio.create_task(scheduler.run())
        await turns()
        self.assertEqual(self.notes, ["+a", "+b"])
        self.gates["b"].set()
        await turns()
        self.assertEqual(self.notes, ["+a", "+b", "-b", "+c"])
        self.gates["c"].set()
        await turns()
        self.assertEqual(self.notes, ["+a", "+b", "-b", "+c", "-c", "+d"])
        self.gates["a"].set()
        self.gates["d"].set()
        await run

    async def test_one_at_a_time_follows_the_plan(self):
        scheduler = Scheduler(1)
        for name, after in [("d", "b"), ("a", ""), ("b", "a"), ("c", "")]:
            self.gates[name].set()
            scheduler.add(name, self.gated(name), after.split())
        await scheduler.run()
        self.assertEqual("".join(self.notes), "+a-a+b-b+d-d+c-c")

    async def test_failures(self):
        late, early = ValueError("late"), KeyError("early")

        async def fail_late(inputs):
            await turns()
            raise late

        def fail_early(inputs):
            raise early

        scheduler = Scheduler()
        scheduler.add("end", self.gated("a"), ["mid", "late"])
        scheduler.add("late", fail_late)
        scheduler.add("mid", self.gated("b"), ["early"])
        scheduler.add("early", fail_early)
        scheduler.add("other", nothing)
        outcomes = await scheduler.run()
        self.assertEqual(outcomes["end"], ("skipped", ["late", "early"]))
        self.assertEqual(outcomes["mid"], ("skipped", ["early"]))
        self.assertIs(outcomes["late"][1], late)
        self.assertIs(outcomes["early"][1], early)
        self.assertEqual(outcomes["other"], ("done", None))
        self.assertEqual(self.notes, [])

    async def test_cancelling(self):
        scheduler = Scheduler(2)
        for name in "abc":
            scheduler.add(name, self.gated(name))
        run = asyncio.create_task(scheduler.run())
        await turns()
        run.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await run
        self.assertEqual(sorted(self.notes), ["+a", "+b", "-a", "-b"])
        self.assertEqual(asyncio.all_tasks(), {asyncio.current_task()})

    async def test_cancelling_and_running_again(self):
        scheduler = Scheduler()
        scheduler.add("a", self.gated("a"))
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(scheduler.run(), 0.01)
        self.gates["a"].set()
        self.assertEqual(await scheduler.run(), {"a": ("done", None)})


if __name__ == "__main__":
    unittest.main()
