"""Whether two pairs of caller and breaker know nothing of each other."""

import pytest

pytestmark = pytest.mark.clause("BOTH TOGETHER")


def lives():
    """What the same calls answer: of one pair, of the next one, and of two at once, whose calls alternate."""
    import oracle

    data = (type(None), bool, int, float, str, bytes, list, tuple, dict)

    def answered(call, *args):
        try:
            answer = call(*args)
        except Exception as error:
            return type(error).__name__
        return repr(answer) if isinstance(answer, data) else type(answer).__name__

    def life(_):
        now, world = [0], {"is_up": False}

        def service():
            if not world["is_up"]:
                raise ConnectionError("down")
            return "answer"

        breaker = oracle.Breaker(3, 8, clock=lambda: now[0])
        settings = {"breaker": breaker, "clock": lambda: now[0], "sleep": lambda _: None}
        caller = oracle.Caller(service, attempts=2, jitter=0.0, **settings)
        yield "state of a new breaker", answered(lambda: breaker.state)
        for count in ("first", "second"):
            yield f"the {count} call() while the service is down", answered(told, caller.call)
            yield "state after it, threshold 3", answered(lambda: breaker.state)
        now[0] += 8
        yield "state after the cooldown", answered(lambda: breaker.state)
        world["is_up"] = True
        yield "call() while the service is up", answered(caller.call)
        yield "state after a success", answered(lambda: breaker.state)

    def told(call):
        """An answer, or an error with its numbers of attempts and errors."""
        try:
            return call()
        except oracle.OracleError as error:
            return type(error).__name__, error.attempts, len(error.errors)

    alone, following = list(life("alone")), list(life("following"))
    right = life("right")
    both = [(step, next(right)) for step in life("left")]
    return [alone, following, [step for step, _ in both], [step for _, step in both]]


@pytest.mark.group("apart")
@pytest.mark.limits(seconds=6)
@pytest.mark.advice(
    "Create states, counts and lists in __init__, and what belongs to one call in call()."
    " Keep none of them in the class, module or a default argument."
)
def test_two_callers_with_breakers(player):
    """Two pairs of caller and breaker are independent of each other."""
    alone, *others = player.drive(lives)
    for answers, which in zip(others, ("the next pair", "one of two pairs", "the other of two pairs"), strict=True):
        # What a pair answers is judged elsewhere: here all answer alike, right or wrong.
        for (call, due), (_, got) in zip(alone, answers, strict=True):
            assert got == due, f"expected {due} for {call} of {which}, as if it were the only one; got {got}"
