"""What the limiter remembers, and what a call costs when there is much to remember."""

import pytest

LEAST, MOST = 8_000, 10_000
BUDGET, SPARE_SECONDS = 1.0, 0.2


def visitors(count, way):
    """Keys that come once: how many of them the limiter refers to before, and after, they have nothing in use."""
    import gc
    import weakref

    import limiter

    class Visitor:
        """A key that can be watched."""

    now = [0]
    gate = limiter.RateLimiter(2, 10, lambda: now[0], lambda seconds: None)
    watched, answers = [], []
    for _ in range(count):
        visitor = Visitor()
        if way == "ask":
            answers.append([gate.available(visitor), gate.retry_after(visitor)])
        elif way == "own":
            gate.set_limit(visitor, 3)
            answers.append(gate.available(visitor))
            gate.set_limit(visitor, None)
        else:
            answers.append(gate.try_acquire(visitor))
        watched.append(weakref.ref(visitor))
        del visitor
    gc.collect()
    before = sum(each() is not None for each in watched)
    now[0] += 12
    answers.append(gate.try_acquire("somebody else"))
    gc.collect()
    return before, sum(each() is not None for each in watched), answers


def churn(keys, limit, step, calls, budget):
    """Calls in a row on so many keys, time passing by a step before each; stops when the processor time is spent.

    The clock only ends what takes too long: what counts is measured from outside.
    """
    from time import process_time

    import limiter

    now = [0]
    gate = limiter.RateLimiter(limit, (keys * limit - 1) * step, lambda: now[0])
    start, made, passed = process_time(), 0, 0
    for number in range(calls):
        now[0] += step
        passed += gate.try_acquire(number % keys)
        made += 1
        if number % 50 == 0 and process_time() - start > budget:
            break
    return made, passed


def measure(player, keys, limit, calls):
    """Calls made and let through, which the kernel says were within the budget of processor time."""
    cost = player.measure(churn, keys, limit, 0.25, calls, BUDGET)
    assert cost.cpu_seconds <= BUDGET + SPARE_SECONDS, f"{calls} calls took more than {BUDGET} s of processor time."
    return cost.answer


@pytest.mark.group("memory")
def test_visitors_are_forgotten(player, rng):
    """Keys whose units are all free are forgotten with the next call, whatever key that is for."""
    many = rng.randint(200, 400)
    before, after, answers = player.drive(visitors, many, "take")
    assert answers == [True] * (many + 1), "Every first visit is let through."
    assert before == many, "A key with units in use is remembered."
    assert after == 0, "When its units are free again the limiter must forget a key, though it never comes back."


@pytest.mark.group("memory")
def test_asking_leaves_no_trace(player):
    """A key about which somebody only asked is not remembered at all."""
    before, after, answers = player.drive(visitors, 50, "ask")
    assert answers == [[2, 0]] * 50 + [True], "A key that never came has its whole limit free, and need not wait."
    assert [before, after] == [0, 0], "Asking about a key must not make the limiter remember it."


@pytest.mark.group("memory")
def test_a_limit_taken_away(player):
    """A key whose own limit was taken away again is not remembered for having had one."""
    before, after, answers = player.drive(visitors, 50, "own")
    assert answers == [3] * 50 + [True], "A key with its own limit has that much free."
    assert [before, after] == [0, 0], "After set_limit(key, None) nothing of the key's own limit may be kept."


@pytest.mark.limits(seconds=8)
@pytest.mark.group("pace")
def test_many_keys(player, rng):
    """With thousands of keys in use, a call costs as little as with ten."""
    many = rng.randint(LEAST, MOST)
    made, passed = measure(player, many, 1, 3 * many)
    assert made == 3 * many, (
        f"With {many} keys in use only {made} of {3 * many} calls were done in {BUDGET} s of processor time: "
        "some call walks through the keys."
    )
    assert passed == 3 * many, "Every key whose unit is free again is let through."


@pytest.mark.limits(seconds=8)
@pytest.mark.group("pace")
def test_many_units(player, rng):
    """With thousands of units of one key in use, a call costs as little as with ten."""
    many = rng.randint(LEAST, MOST)
    made, passed = measure(player, 1, many, 3 * many)
    assert made == 3 * many, (
        f"With {many} units of a key in use only {made} of {3 * many} calls were done in {BUDGET} s of processor time: "
        "some call walks through the units."
    )
    assert passed == 3 * many, "Units that are free again are let through."
