import asyncio
from scheduler import Scheduler, CycleError


async def two(inputs):
    await asyncio.sleep(0.1)
    return 2


def bad(inputs):
    raise RuntimeError("oh no")


s = Scheduler(2)
s.add("sum", lambda inputs: inputs["one"] + inputs["two"], ["one", "two"])
s.add("one", lambda inputs: 1)
s.add("two", two)
s.add("bad", bad)
s.add("never", two, ["bad"])
print("plan:", s.plan())
print("result:", asyncio.run(s.run()))
print("should be sum 3, never skipped")

s = Scheduler()
s.add("a", two, ["b"])
s.add("b", two, ["a"])
try:
    s.plan()
    print("NO ERROR????")
except CycleError as e:
    print("good, cycle found:", e.cycle)
