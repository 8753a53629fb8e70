import asyncio

from scheduler import Scheduler

if __name__ == "__main__":
    s = Scheduler()
    s.add("b", lambda i: print("b", i), ["a"])
    s.add("a", lambda i: print("a", i))
    asyncio.run(s.run())
