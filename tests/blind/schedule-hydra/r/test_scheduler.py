import asyncio
from scheduler import Scheduler, CycleError


def test_chain():
    s = Scheduler()
    s.add("a", lambda i: 1)
    s.add("b", lambda i: i["a"] + 1, ["a"])
    s.add("c", lambda i: i["b"] + 1, ["b"])
    print(s.plan())
    print(asyncio.run(s.run()))


def test_limit():
    async def w(i):
        await asyncio.sleep(0.01)
        print("working")
        return 5

    s = Scheduler(2)
    for n in "abcde":
        s.add(n, w)
    out = asyncio.run(s.run())
    print(out)


def test_fail():
    def boom(i):
        raise ValueError("boom")

    s = Scheduler()
    s.add("a", boom)
    s.add("b", lambda i: 1, ["a"])
    print(asyncio.run(s.run()))


def test_cycle():
    s = Scheduler()
    s.add("a", lambda i: 1, ["b"])
    s.add("b", lambda i: 1, ["a"])
    try:
        s.plan()
    except CycleError as e:
        print("ok", e.cycle)


if __name__ == "__main__":
    test_chain()
    test_limit()
    test_fail()
    test_cycle()
