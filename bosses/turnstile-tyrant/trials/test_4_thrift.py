"""What the limiter remembers, and what a call costs when there is much to remember."""

import pytest

pytestmark = pytest.mark.clause("MEMORY")

LEAST, MOST = 8_000, 10_000
BUDGET, SPARE_SECONDS = 1.0, 0.2


def visitors(count, way):
    """Keys that come once: how many of them the limiter refers to before, and after, they have nothing in use.

    None if somebody has to wait, and does not come back.
    """
    import gc
    import threading
    import weakref

    import limiter

    class Visitor:
        """A key that can be watched."""

    now = [0]

    def sleep(seconds):
        now[0] += seconds

    def wait(key, ends):
        ends.append([gate.acquire(key) for _ in range(3)])

    gate = limiter.RateLimiter(2, 10, lambda: now[0], sleep)
    watched, answers = [], []
    for _ in range(count):
        visitor = Visitor()
        if way == "ask":
            answers.append([gate.available(visitor), gate.retry_after(visitor)])
        elif way == "own":
            gate.set_limit(visitor, 3)
            answers.append(gate.available(visitor))
            gate.set_limit(visitor, None)
        elif way == "refused":
            answers.append([gate.try_acquire(visitor) for _ in range(3)])
        elif way == "wait":
            waiter = threading.Thread(target=wait, args=(visitor, answers), daemon=True)
            waiter.start()
            for _ in range(10):  # each step takes longer on a busy machine
                waiter.join(0.05)
            if len(answers) <= len(watched):
                return None
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


def passers_by(count, number):
    """How many blocks of memory are in use more than before when so many keys have come and have nothing in use.

    Keys are texts from this number on. They get a limit, take units, are refused and asked about, and lose their limit.
    """
    import gc
    import sys

    import limiter

    now = [0]
    gate = limiter.RateLimiter(2, 10, lambda: now[0])

    def come(first):
        for place in range(first, first + count):
            key = f"passer-by {place}"
            gate.set_limit(key, 3)
            for _ in range(4):
                gate.try_acquire(key)
            gate.available(key)
            gate.retry_after(key)
            gate.set_limit(key, None)
            # Few keys are in use at a time: what a call costs among many is not asked here.
            now[0] += 12 if place % 20 == 0 else 0
        now[0] += 12
        gate.try_acquire("somebody else")
        gc.collect()
        return sys.getallocatedblocks()

    before = come(number)
    return come(number + count) - before


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


def refusals(keys, limit, calls, budget):
    """Calls in a row at one instant, most of them refused; stops when the processor time is spent."""
    from time import process_time

    import limiter

    gate = limiter.RateLimiter(limit, 100, lambda: 0)
    start, made, passed = process_time(), 0, 0
    for number in range(calls):
        passed += gate.try_acquire(number % keys)
        made += 1
        if number % 50 == 0 and process_time() - start > budget:
            break
    return made, passed


def done_words(share):
    """How many calls were done, in words that don't change from machine to machine."""
    shares = ((0.1, "fewer than a tenth"), (0.25, "fewer than a quarter"), (0.5, "fewer than half"))
    return next((words for most, words in shares if share < most), "not all")


def forgotten(kept, many, when):
    """Fail if the limiter still refers to a key."""
    assert kept == 0, f"{when}: expected none of these {many} keys in memory; got {kept}"


def measure(player, what, calls, work, *args, budget=BUDGET):
    """What the work answered; fails unless all calls were made, and the kernel says they were within the budget."""
    cost = player.measure(work, *args, calls, budget)
    made = cost.answer[0]
    said = f"{done_words(made / calls)} were done" if made < calls else f"it took {cost.cpu_seconds:.1f} s"
    assert made == calls and cost.cpu_seconds <= budget + SPARE_SECONDS, (
        f"expected {calls} calls of try_acquire, {what}, in {budget:.2f} s of CPU time; {said}"
    )
    return cost.answer


def same(got, due, call):
    """Fail unless calls gave what the contract says."""
    assert got == due, f"expected {due!r} for {call}; got {got!r}"


@pytest.mark.group("memory")
@pytest.mark.advice(
    "In try_acquire, drop ended grants of all keys from the left of one deque, and a key's entry with its last "
    "grant. Look keys up with dict.get."
)
def test_visitors_are_forgotten(player, rng):
    """Keys whose units are all free are forgotten at the next call for any key."""
    many = rng.randint(200, 400)
    _, after, _ = player.drive(visitors, many, "take")
    forgotten(after, many, "all units are free, then a call for another key")


@pytest.mark.group("memory")
@pytest.mark.advice(
    "Store nothing for a refused call. In try_acquire, drop ended grants of all keys from the left of one deque, "
    "and a key's entry with its last grant."
)
def test_who_was_turned_away_is_forgotten(player):
    """Keys that were refused are forgotten like any other."""
    _, after, _ = player.drive(visitors, 40, "refused")
    forgotten(after, 40, "three calls of try_acquire() for each key, the third refused; 12 s later, a call for another")


@pytest.mark.group("memory")
@pytest.mark.advice(
    "Use one lock for the whole limiter, and keep no lock or list for waiting keys. In try_acquire, delete each "
    "key's entry with its last grant."
)
def test_who_waited_is_forgotten(player):
    """Keys for which a call waited are forgotten like any other.

    Whether acquire comes back from waiting is judged where waiting is.
    """
    counts = player.drive(visitors, 40, "wait")
    if counts is not None:
        forgotten(
            counts[1], 40, "three calls of acquire() for each key, the third waits; 12 s later, a call for another"
        )


@pytest.mark.group("memory")
@pytest.mark.advice(
    "Look keys up with dict.get in available and retry_after, not with a defaultdict or setdefault, and store "
    "nothing there."
)
def test_asking_leaves_no_trace(player):
    """A key that was only queried is not remembered."""
    before, after, _ = player.drive(visitors, 50, "ask")
    forgotten(max(before, after), 50, "available() and retry_after() for each key")


@pytest.mark.group("memory")
@pytest.mark.advice(
    "Let set_limit(key, None) call own.pop(key, None) and store nothing. Look keys up with dict.get, so that "
    "available adds no entry."
)
def test_a_limit_taken_away(player):
    """A key is forgotten even if it had its own limit and that was removed."""
    before, after, _ = player.drive(visitors, 50, "own")
    forgotten(max(before, after), 50, "set_limit(key, 3), then set_limit(key, None)")


@pytest.mark.group("memory")
@pytest.mark.advice(
    "In try_acquire, delete all that is kept for a key with its last grant. Pop its own limit on None, and keep no "
    "lock or count of refusals by key."
)
def test_nothing_is_kept_for_a_key(player, rng):
    """Nothing is kept for a forgotten key: no lock, no limit, no count."""
    count = rng.randint(600, 800)
    more = player.drive(passers_by, count, rng.randint(10**6, 10**9))
    assert more < count // 2, (
        f"expected memory to stay the same after {count} other keys took units, were refused, had their own limit and"
        f" had nothing in use again; got {more} more objects in memory"
    )


@pytest.mark.limits(seconds=8)
@pytest.mark.group("pace")
@pytest.mark.clause("COST")
@pytest.mark.advice(
    "Keep all grants in one deque in order of their ends, and drop from its left until one is still in use. Never "
    "loop over the keys."
)
def test_many_keys(player, rng):
    """With thousands of keys in use, a call costs as little as with ten."""
    many = rng.randint(LEAST, MOST)
    passed = measure(player, f"{many} keys in use", 3 * many, churn, many, 1, 0.25)[1]
    assert passed == 3 * many, (
        f"expected True from all {3 * many} calls, each for a key that is free; got {passed} True"
    )


@pytest.mark.limits(seconds=8)
@pytest.mark.group("pace")
@pytest.mark.clause("COST")
@pytest.mark.advice(
    "Store the sum in use for each key: add a grant's cost, subtract it when the grant leaves a deque with "
    "popleft(). Never add up all grants."
)
def test_many_units(player, rng):
    """With thousands of units of one key in use, a call costs as little as with ten."""
    many = rng.randint(LEAST, MOST)
    passed = measure(player, f"{many} units of one key in use", 3 * many, churn, 1, many, 0.25)[1]
    assert passed == 3 * many, f"expected True from all {3 * many} calls, each when a unit is free; got {passed} True"


@pytest.mark.limits(seconds=8)
@pytest.mark.group("pace")
@pytest.mark.clause("COST")
@pytest.mark.advice(
    "Refuse by the key's stored sum and its limit alone. Before that, drop only ended grants, from the left of one "
    "deque; never loop over the keys."
)
def test_many_refusals(player, rng):
    """With thousands of keys and all units in use, a refused call is as fast as ever."""
    many = rng.randint(LEAST, MOST)
    what = f"one granted for each of {many} keys and the rest refused"
    # A key whose calls are refused costs what one that gets its unit does, so both share one budget.
    passed = measure(player, what, 2 * many, refusals, many, 1, budget=BUDGET * 2 / 3)[1]
    assert passed == many, f"expected True from {many} of {2 * many} calls for {many} keys, limit 1; got {passed} True"
