"""Whether two schedulers know nothing of each other."""

import pytest

pytestmark = pytest.mark.clause("ADDING")


def lives():
    """What the same calls answer: of one scheduler, of the next one, and of two at once, whose calls alternate."""
    import asyncio

    import scheduler

    data = (type(None), bool, int, float, str, bytes, list, tuple, dict)

    def answered(call, *args):
        try:
            answer = call(*args)
        except Exception as error:
            return type(error).__name__
        return repr(answer) if isinstance(answer, data) else type(answer).__name__

    def life(_):
        hydra = scheduler.Scheduler()
        yield "len of a new scheduler", answered(len, hydra)
        for name, after in [("quick", []), ("slow", ["quick"]), ("plain", [])]:
            yield f"add({name!r}, work, {after})", answered(hydra.add, name, lambda inputs: sorted(inputs), after)
        yield "len after three add", answered(len, hydra)
        yield "plan()", answered(lambda: hydra.plan())
        yield "run()", answered(lambda: asyncio.run(asyncio.wait_for(hydra.run(), 0.5)))

    alone, following = list(life("alone")), list(life("following"))
    right = life("right")
    both = [(step, next(right)) for step in life("left")]
    return [alone, following, [step for step, _ in both], [step for _, step in both]]


@pytest.mark.group("apart")
@pytest.mark.limits(seconds=6)
@pytest.mark.advice(
    "Create all that changes in __init__ (tasks) or inside an `async def run` (results, asyncio tasks)."
    " Keep no list, dict or default argument elsewhere."
)
def test_two_schedulers(player):
    """Two schedulers are independent: each answers as if it were the only one."""
    alone, *others = player.drive(lives)
    for answers, which in zip(
        others, ("the next scheduler", "one of two schedulers", "the other of two schedulers"), strict=True
    ):
        # What a scheduler answers is judged elsewhere: here all answer alike, right or wrong.
        for (call, due), (_, got) in zip(alone, answers, strict=True):
            assert got == due, f"expected {due} for {call} of {which}, as if it were the only one; got {got}"
