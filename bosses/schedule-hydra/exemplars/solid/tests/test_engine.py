import asyncio
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from scheduler import CycleError, Scheduler


class SchedulerTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.scheduler = Scheduler(2)
        self.called = []

    def work(self, name):
        async def perform(inputs):
            self.called.append(name)
            await asyncio.sleep(0)
            return sum(inputs.values()) + 1

        return perform

    async def test_results_flow_down(self):
        self.scheduler.add("c", self.work("c"), ["a", "b"])
        self.scheduler.add("a", self.work("a"))
        self.scheduler.add("b", self.work("b"), ["a"])
        outcomes = await self.scheduler.run()
        self.assertEqual(outcomes, {"c": ("done", 4), "a": ("done", 1), "b": ("done", 2)})
        self.assertEqual(self.called, ["a", "b", "c"])

    async def test_a_failure_skips_what_is_behind_it(self):
        self.scheduler.add("a", lambda inputs: 1 / 0)
        self.scheduler.add("b", self.work("b"), ["a"])
        self.scheduler.add("c", self.work("c"))
        outcomes = await self.scheduler.run()
        self.assertEqual(outcomes["a"][0], "failed")
        self.assertEqual(outcomes["b"], ("skipped", ["a"]))
        self.assertEqual(outcomes["c"], ("done", 1))

    def test_a_circle(self):
        self.scheduler.add("a", print, ["b"])
        self.scheduler.add("b", print, ["a"])
        with self.assertRaises(CycleError) as caught:
            self.scheduler.plan()
        self.assertEqual(sorted(caught.exception.cycle), ["a", "b"])


if __name__ == "__main__":
    unittest.main()
