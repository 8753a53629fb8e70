import asyncio
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scheduler import CycleError, Scheduler


class Stage:
    """Tasks that end when the test says so."""

    def __init__(self):
        self.log, self.doors = [], {}

    def actor(self, name):
        async def play(inputs):
            self.log.append(name)
            self.doors[name] = asyncio.get_running_loop().create_future()
            return await self.doors[name]

        return play


async def turns(count=5):
    for _ in range(count):
        await asyncio.sleep(0)


class RunTest(unittest.IsolatedAsyncioTestCase):
    async def test_inputs_and_results(self):
        hydra = Scheduler()
        hydra.add("c", lambda inputs: inputs, after=("b", "a", "b"))
        hydra.add("a", lambda inputs: 1)
        hydra.add("b", self.two)
        outcome = await hydra.run()
        self.assertEqual(list(outcome), ["c", "a", "b"])
        self.assertEqual(list(outcome["c"][1].items()), [("b", 2), ("a", 1)])
        self.assertEqual(outcome["a"], ("done", 1))
        self.assertEqual(await hydra.run(), outcome)

    async def two(self, inputs):
        return 2

    async def test_limit(self):
        stage, hydra = Stage(), Scheduler(2)
        for name in "abc":
            hydra.add(name, stage.actor(name))
        run = asyncio.ensure_future(hydra.run())
        await turns()
        self.assertEqual(stage.log, ["a", "b"])
        stage.doors["b"].set_result(None)
        await turns()
        self.assertEqual(stage.log, ["a", "b", "c"])
        for name in "ac":
            stage.doors[name].set_result(None)
        await run

    async def test_nobody_waits_for_a_wave(self):
        stage, hydra = Stage(), Scheduler()
        hydra.add("slow", stage.actor("slow"))
        hydra.add("fast", lambda inputs: None)
        hydra.add("next", stage.actor("next"), ["fast"])
        run = asyncio.ensure_future(hydra.run())
        await turns()
        self.assertEqual(stage.log, ["slow", "next"])
        for door in stage.doors.values():
            door.set_result(0)
        await run

    async def test_failures(self):
        bang, own = ValueError("bang"), asyncio.CancelledError()

        def fails(error):
            def work(inputs):
                raise error

            return work

        hydra = Scheduler()
        hydra.add("x", lambda inputs: 1, ["late", "early"])
        hydra.add("y", lambda inputs: 1, ["x"])
        hydra.add("early", fails(bang))
        hydra.add("late", fails(own), ["ok"])
        hydra.add("ok", lambda inputs: 1)
        outcome = await hydra.run()
        self.assertIs(outcome["early"][1], bang)
        self.assertIs(outcome["late"][1], own)
        self.assertEqual(outcome["x"], ("skipped", ["early", "late"]))
        self.assertEqual(outcome["y"], ("skipped", ["early", "late"]))
        self.assertEqual(outcome["ok"], ("done", 1))

    async def test_cancel(self):
        notes = []

        async def stubborn(inputs):
            try:
                await asyncio.Event().wait()
            finally:
                await turns()
                notes.append("clean")

        hydra = Scheduler(1)
        hydra.add("a", stubborn)
        hydra.add("b", lambda inputs: notes.append("b"))
        run = asyncio.ensure_future(hydra.run())
        await turns()
        run.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await run
        self.assertEqual(notes, ["clean"])
        self.assertEqual(asyncio.all_tasks(), {asyncio.current_task()})


class PlanTest(unittest.TestCase):
    def test_first_added_first(self):
        hydra = Scheduler()
        for name, after in (("d", ["b"]), ("a", []), ("b", []), ("c", ["a"])):
            hydra.add(name, print, after)
        self.assertEqual(hydra.plan(), ["a", "b", "d", "c"])
        self.assertEqual(len(hydra), 4)

    def test_circle(self):
        hydra = Scheduler()
        for name, after in (("tail", ["p"]), ("p", ["q"]), ("q", ["r"]), ("r", ["p"])):
            hydra.add(name, print, after)
        with self.assertRaises(CycleError) as caught:
            hydra.plan()
        self.assertEqual(caught.exception.cycle, ["p", "q", "r"])

    def test_unknown(self):
        hydra = Scheduler()
        hydra.add("a", print, ["ghost"])
        with self.assertRaisesRegex(ValueError, "ghost"):
            hydra.plan()

    def test_refusals(self):
        hydra = Scheduler()
        for args in ((1, print), ("a", 1), ("a", print, "b"), ("a", print, [1]), ("a", print, 3)):
            with self.assertRaises(TypeError):
                hydra.add(*args)
        for limit, error in ((True, TypeError), (1.0, TypeError), (0, ValueError)):
            with self.assertRaises(error):
                Scheduler(limit)
        self.assertEqual(len(hydra), 0)

    def test_large(self):
        hydra = Scheduler()
        for n in range(5000):
            hydra.add(str(n), print, [str(n + 1)] if n < 4999 else [])
        self.assertEqual(hydra.plan()[0], "4999")


if __name__ == "__main__":
    unittest.main()
