import asyncio

from scheduler import Scheduler


def test_run():
    s = Scheduler()
    s.add("a", lambda inputs: 1)
    assert asyncio.run(s.run())["a"] == ("done", 1)


def test_len():
    s = Scheduler()
    s.add("a", print)
    assert len(s) == 1
