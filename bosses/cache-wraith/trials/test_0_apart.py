"""Whether two caches know nothing of each other."""

import pytest

pytestmark = pytest.mark.clause("A CACHE")


def lives():
    """What the same calls answer: of one cache, of the next one, and of two at once, whose calls alternate."""
    import cache

    data = (type(None), bool, int, float, str, bytes, list, tuple, dict)

    def answered(thing, name, *args):
        try:
            answer = getattr(thing, name)(*args)
        except Exception as error:
            return type(error).__name__
        return repr(answer) if isinstance(answer, data) else type(answer).__name__

    def life(_):
        now = [0]
        box = cache.Cache(2, 8, lambda: now[0])
        calls = [("get", "ash"), ("put", "ash", 1), ("put", "oak", 2), ("get", "ash"), ("put", "elm", 3), ("keys",)]
        calls += [("peek", "oak"), ("delete", "elm"), ("__len__",), ("stats",), ("wait",), ("get", "ash"), ("stats",)]
        for name, *args in calls:
            if name == "wait":
                now[0] += 8
            else:
                yield f"{name}({', '.join(map(repr, args))})", answered(box, name, *args)

    alone, following = list(life("alone")), list(life("following"))
    right = life("right")
    both = [(step, next(right)) for step in life("left")]
    return [alone, following, [step for step, _ in both], [step for _, step in both]]


@pytest.mark.group("apart")
@pytest.mark.limits(seconds=6)
@pytest.mark.advice(
    "Create every dict, heap, list and count in __init__ as an attribute of self, none in the class, module or a "
    "default argument."
)
def test_two_caches(player):
    """Two caches are independent: each answers as if it were the only one."""
    alone, *others = player.drive(lives)
    for answers, which in zip(others, ("the next cache", "one of two caches", "the other of two caches"), strict=True):
        # What a cache answers is judged elsewhere: here all answer alike, right or wrong.
        for (call, due), (_, got) in zip(alone, answers, strict=True):
            assert got == due, f"expected {due} for {call} of {which}, as if it were the only one; got {got}"
