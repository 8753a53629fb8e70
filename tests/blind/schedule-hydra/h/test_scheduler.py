"""
Test suite for the scheduler.

Every public method is exercised, in the normal case and in error cases.
"""

import asyncio

import pytest

import scheduler
from scheduler import CycleError, Scheduler


def simple(inputs):
    """A simple work."""
    return 1


async def simple_coroutine(inputs):
    """A simple coroutine work."""
    await asyncio.sleep(0)
    return 2


class TestModule:
    """The module itself."""

    def test_has_scheduler(self):
        """The class exists."""
        assert hasattr(scheduler, "Scheduler")

    def test_has_cycle_error(self):
        """The error exists."""
        assert issubclass(scheduler.CycleError, ValueError)


class TestInit:
    """Making a scheduler."""

    def test_default(self):
        """No limit."""
        assert Scheduler() is not None

    def test_limit(self):
        """Some limit."""
        assert Scheduler(3) is not None

    def test_keyword(self):
        """By name."""
        assert Scheduler(limit=1) is not None

    def test_bad_limit(self):
        """Too small."""
        with pytest.raises(Exception):
            Scheduler(0)


class TestAdd:
    """Adding tasks."""

    def test_add(self):
        """Add returns None."""
        assert Scheduler().add("a", simple) is None

    def test_len(self):
        """The number grows."""
        s = Scheduler()
        s.add("a", simple)
        assert len(s) > 0

    def test_after(self):
        """With something to wait for."""
        s = Scheduler()
        s.add("a", simple, ["b"])
        assert len(s) == 1

    def test_empty_name(self):
        """An empty name is refused."""
        with pytest.raises(Exception):
            Scheduler().add("", simple)

    def test_number_as_name(self):
        """A number is refused."""
        with pytest.raises(Exception):
            Scheduler().add(5, simple)


class TestPlan:
    """Planning."""

    def test_empty(self):
        """Nothing to plan."""
        assert Scheduler().plan() == []

    def test_type(self):
        """A plan is a list."""
        s = Scheduler()
        s.add("a", simple)
        assert isinstance(s.plan(), list)

    def test_all_names(self):
        """All names are in the plan."""
        s = Scheduler()
        s.add("b", simple, ["a"])
        s.add("a", simple)
        assert set(s.plan()) == {"a", "b"}

    def test_cycle(self):
        """Circles are found."""
        s = Scheduler()
        s.add("a", simple, ["b"])
        s.add("b", simple, ["a"])
        with pytest.raises(CycleError):
            s.plan()


class TestRun:
    """Running."""

    def test_empty(self):
        """Nothing to run."""
        assert asyncio.run(Scheduler().run()) == {}

    def test_simple(self):
        """A plain function."""
        s = Scheduler()
        s.add("a", simple)
        assert asyncio.run(s.run())

    def test_coroutine(self):
        """A coroutine function."""
        s = Scheduler()
        s.add("a", simple_coroutine)
        assert "a" in asyncio.run(s.run())

    def test_both(self):
        """Several tasks."""
        s = Scheduler(limit=2)
        s.add("a", simple)
        s.add("b", simple_coroutine, ["a"])
        assert len(asyncio.run(s.run())) == 2

    def test_failure(self):
        """A failure does not come out of run."""
        s = Scheduler()
        s.add("a", lambda inputs: 1 / 0)
        result = asyncio.run(s.run())
        assert result["a"][0] == "failed"

    def test_skip(self):
        """What depends on a failure is skipped."""
        s = Scheduler()
        s.add("a", lambda inputs: 1 / 0)
        s.add("b", simple, ["a"])
        result = asyncio.run(s.run())
        assert result["b"] is not None

    def test_second_run_does_not_repeat_work(self):
        """What is done already is not done again."""
        calls = []
        s = Scheduler()
        s.add("a", calls.append)
        first = asyncio.run(s.run())
        second = asyncio.run(s.run())
        assert first == second
        assert len(calls) == 1

    def test_cancel(self):
        """A cancelled run comes to an end."""

        async def main():
            s = Scheduler()
            s.add("a", lambda inputs: asyncio.sleep(5))
            run = asyncio.create_task(s.run())
            await asyncio.sleep(0)
            run.cancel()
            try:
                await run
            except BaseException:
                pass
            assert run.done()

        asyncio.run(main())
