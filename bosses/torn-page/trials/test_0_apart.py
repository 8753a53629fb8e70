"""Whether two stores know nothing of each other."""

import pytest

pytestmark = pytest.mark.clause("A STORE")


def lives():
    """What the same calls answer: of one store, of the next one, and of two at once, whose calls alternate."""
    import store

    data = (type(None), bool, int, float, str, bytes, list, tuple, dict)

    def answered(thing, name, *args):
        try:
            answer = getattr(thing, name)(*args)
        except Exception as error:
            return type(error).__name__
        return repr(answer) if isinstance(answer, data) else type(answer).__name__

    def life(path):
        book = store.Store(path)
        calls = [("items",), ("put", "ash", b"grey"), ("put", "oak", b"old"), ("get", "ash"), ("delete", "oak")]
        calls += [("keys",), ("compact",), ("put", "elm", b"brown"), ("__len__",), ("items",), ("close",)]
        for name, *args in calls:
            yield f"{name}({', '.join(map(repr, args))})", answered(book, name, *args)

    alone, following = list(life("alone")), list(life("following"))
    right = life("right")
    both = [(step, next(right)) for step in life("left")]
    return [alone, following, [step for step, _ in both], [step for _, step in both]]


@pytest.mark.group("apart")
@pytest.mark.limits(seconds=6)
@pytest.mark.advice(
    "Create every dict, file handle, offset and buffer in __init__ as an attribute of self, none in the class, "
    "module or a default argument."
)
def test_two_stores(player):
    """Two stores are independent: each answers as if it were the only one."""
    alone, *others = player.drive(lives)
    for answers, which in zip(others, ("the next store", "one of two stores", "the other of two stores"), strict=True):
        # What a store answers is judged elsewhere: here all answer alike, right or wrong.
        for (call, due), (_, got) in zip(alone, answers, strict=True):
            assert got == due, f"expected {due} for {call} of {which}, as if it were the only one; got {got}"
