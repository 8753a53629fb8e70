"""Whether two limiters know nothing of each other."""

import pytest

pytestmark = pytest.mark.clause("A LIMITER")


def lives():
    """What the same calls answer: of one limiter, of the next one, and of two at once, whose calls alternate."""
    import limiter

    data = (type(None), bool, int, float, str, bytes, list, tuple, dict)

    def answered(thing, name, *args):
        try:
            answer = getattr(thing, name)(*args)
        except Exception as error:
            return type(error).__name__
        return repr(answer) if isinstance(answer, data) else type(answer).__name__

    def life(_):
        now = [0]
        gate = limiter.RateLimiter(2, 8, lambda: now[0], lambda seconds: None)
        calls = [("available", "ox"), ("try_acquire", "ox"), ("try_acquire", "ox"), ("try_acquire", "ox")]
        calls += [("retry_after", "ox"), ("available", "cart"), ("set_limit", "cart", 5), ("available", "cart")]
        calls += [("__len__",), ("wait",), ("available", "ox"), ("try_acquire", "mule"), ("__len__",)]
        for name, *args in calls:
            if name == "wait":
                now[0] += 8
            else:
                yield f"{name}({', '.join(map(repr, args))})", answered(gate, name, *args)

    alone, following = list(life("alone")), list(life("following"))
    right = life("right")
    both = [(step, next(right)) for step in life("left")]
    return [alone, following, [step for step, _ in both], [step for _, step in both]]


@pytest.mark.group("apart")
@pytest.mark.limits(seconds=6)
@pytest.mark.advice(
    "Create every dict, deque, lock and count in __init__ as an attribute of self, none in the class, module or a "
    "default argument."
)
def test_two_limiters(player):
    """Two limiters are independent: each answers as if it were the only one."""
    alone, *others = player.drive(lives)
    for answers, which in zip(
        others, ("the next limiter", "one of two limiters", "the other of two limiters"), strict=True
    ):
        # What a limiter answers is judged elsewhere: here all answer alike, right or wrong.
        for (call, due), (_, got) in zip(alone, answers, strict=True):
            assert got == due, f"expected {due} for {call} of {which}, as if it were the only one; got {got}"
