import asyncio

import pytest

from scheduler import Scheduler


def test_results_are_handed_on(scheduler):
    scheduler.add("double", lambda inputs: 2 * inputs["one"], ["one"])
    scheduler.add("one", lambda inputs: 1)
    assert asyncio.run(scheduler.run()) == {"double": ("done", 2), "one": ("done", 1)}


def test_a_lambda_may_return_a_coroutine(scheduler):
    scheduler.add("a", lambda inputs: asyncio.sleep(0, "slept"))
    assert asyncio.run(scheduler.run()) == {"a": ("done", "slept")}


def test_the_limit_is_kept_and_places_are_filled_at_once(recorder):
    async def main():
        made = Scheduler(limit=2)
        for name in "abc":
            made.add(name, recorder.work(name))
        made.add("d", recorder.work("d"), ["b"])
        run = asyncio.create_task(made.run())
        await recorder.settle()
        assert recorder.started == ["a", "b"]
        await recorder.open("b")
        assert recorder.started == ["a", "b", "c"]
        await recorder.open("c")
        assert recorder.started == ["a", "b", "c", "d"]
        await recorder.open("a", "d")
        await run
        assert recorder.peak == 2

    asyncio.run(main())


def test_failures(scheduler, recorder):
    early, late = RuntimeError("early"), asyncio.CancelledError("late")

    async def main():
        scheduler.add("both", recorder.work("both"), ["late", "early"])
        scheduler.add("early", recorder.work("early", error=early))
        scheduler.add("late", recorder.work("late", error=late))
        scheduler.add("fine", recorder.work("fine", result=1))
        scheduler.add("behind", recorder.work("behind"), ["both"])
        run = asyncio.create_task(scheduler.run())
        await recorder.open("early")
        await recorder.open("late", "fine")
        return await run

    outcomes = asyncio.run(main())
    assert outcomes["early"][1] is early
    assert outcomes["late"][1] is late
    assert outcomes["both"] == outcomes["behind"] == ("skipped", ["early", "late"])
    assert outcomes["fine"] == ("done", 1)
    assert "both" not in recorder.started


def test_cancelling(scheduler):
    cleaned = []

    async def main():
        async def work(inputs):
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                cleaned.append("work")
                raise ValueError("while cleaning")

        scheduler.add("a", work)
        scheduler.add("b", lambda inputs: cleaned.append("b"), ["a"])
        run = asyncio.create_task(scheduler.run())
        for _ in range(5):
            await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert cleaned == ["work"]
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


def test_a_second_run_starts_anew(scheduler):
    calls = []
    scheduler.add("a", calls.append)
    asyncio.run(scheduler.run())
    asyncio.run(scheduler.run())
    assert calls == [{}, {}]
