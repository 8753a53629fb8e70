"""Many threads at once: what gets through in all."""

import pytest

pytestmark = pytest.mark.clause("THREADS")


def crowd(limit, period, rounds, keys, own, costs, switching):
    """Threads that all come at once, in rounds two periods apart: units let through for each round and key, and errors.

    There is one thread for each cost. Threads change as often as can be: at every few steps of the code that is called.
    """
    import itertools
    import sys
    import threading
    import time

    import limiter

    now, errors, steps = [0], [], itertools.count()
    gate = limiter.RateLimiter(limit, period, lambda: now[0])
    for key, its in own:
        gate.set_limit(key, its)
    passed = [[[0] * len(keys) for _ in range(rounds)] for _ in costs]

    def next_round():
        now[0] += 2 * period

    start = threading.Barrier(len(costs), next_round)

    def pause(frame, event, argument):
        if frame.f_globals.get("__name__", "").partition(".")[0] in sys.stdlib_module_names | {"trial_driver"}:
            return None
        frame.f_trace_opcodes = True
        if next(steps) % switching == 0:
            time.sleep(0.00001)
        return pause

    def come(number):
        try:
            for row in passed[number]:
                start.wait()
                for place, key in enumerate(keys):
                    row[place] += costs[number] * gate.try_acquire(key, costs[number])
                    row[place] += costs[number] * gate.try_acquire(key, costs[number])
        except threading.BrokenBarrierError:
            pass  # another thread failed, and that error is listed
        except Exception as error:
            errors.append(type(error).__name__)
            start.abort()

    threading.settrace(pause)
    try:
        threads = [threading.Thread(target=come, args=(number,), daemon=True) for number in range(len(costs))]
        for thread in threads:
            thread.start()
    finally:
        threading.settrace(None)
    for thread in threads:
        thread.join()
    return [[sum(column) for column in zip(*rows, strict=True)] for rows in zip(*passed, strict=True)], errors


def onlookers(limit, period, rounds):
    """While threads take and time passes, others ask: the answers of len and available, and errors."""
    import sys
    import threading

    import limiter

    now, errors, taken = [0], [], []
    gate = limiter.RateLimiter(limit, period, lambda: now[0])
    start, done = threading.Barrier(4), threading.Event()
    seen = {"len": set(), "available": set()}

    def take():
        start.wait()
        for number in range(rounds):
            now[0] = number / 4
            taken.append(gate.try_acquire(number % 97))
        done.set()

    def look():
        start.wait()
        while not done.is_set() or not seen["len"]:
            seen["len"].add(len(gate))
            seen["available"].add(gate.available(5))

    def guarded(work):
        try:
            work()
        except Exception as error:
            errors.append(type(error).__name__)
            done.set()

    before = sys.getswitchinterval()
    sys.setswitchinterval(0.00001)
    threads = [threading.Thread(target=guarded, args=(work,), daemon=True) for work in (take, look, look, look)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(before)
    return taken.count(True), {name: sorted(answers) for name, answers in seen.items()}, errors


def leftovers(limit, period, keys, rounds, switching, questions):
    """Threads ask at once about units that have just become free: the answers to each question, and errors.

    Questions are len, available and retry_after. Nobody takes meanwhile. Threads change at every few steps of the code
    that is called.
    """
    import itertools
    import sys
    import threading
    import time

    import limiter

    now, errors, steps = [0], [], itertools.count()
    gate = limiter.RateLimiter(limit, period, lambda: now[0])
    seen = {question: [] for question in questions}

    def next_round():
        for key in range(keys):
            gate.try_acquire(key)
        now[0] += 2 * period

    start = threading.Barrier(4, next_round)

    def pause(frame, event, argument):
        if frame.f_globals.get("__name__", "").partition(".")[0] in sys.stdlib_module_names | {"trial_driver"}:
            return None
        frame.f_trace_opcodes = True
        if next(steps) % switching == 0:
            time.sleep(0.00001)
        return pause

    def ask():
        try:
            for number in range(rounds):
                start.wait()
                key = number % keys
                for question in questions:
                    if question == "len":
                        seen[question].append(len(gate))
                    else:
                        args = [key, limit] if question == "retry_after" else [key]
                        seen[question].append(getattr(gate, question)(*args))
        except threading.BrokenBarrierError:
            pass  # another thread failed, and that error is listed
        except Exception as error:
            errors.append(type(error).__name__)
            start.abort()

    threading.settrace(pause)
    try:
        threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
    finally:
        threading.settrace(None)
    for thread in threads:
        thread.join()
    return {name: sorted(set(answers)) for name, answers in seen.items()}, errors


def overtaken(limit, period):
    """While a thread that found the key full is in the clock, time passes and another thread comes.

    Gives the answers of both, and of calls after them.
    """
    import threading

    import limiter

    now, slow, fast, seen = [0], [], [], []

    def await_end(thread, seconds):
        # In short steps, each of which takes longer on a busy machine: a slow thread isn't taken for a blocked one.
        for _ in range(int(seconds / 0.05)):
            thread.join(0.05)

    def clock():
        shown = now[0]
        if threading.current_thread() is visitor and not seen:
            seen.append(shown)
            now[0] += 2 * period
            other.start()
            await_end(other, 0.3)
        return shown

    gate = limiter.RateLimiter(limit, period, clock)
    visitor = threading.Thread(target=lambda: slow.append(gate.try_acquire("ox")), daemon=True)
    other = threading.Thread(target=lambda: fast.append(gate.try_acquire("ox")), daemon=True)
    for _ in range(limit):
        gate.try_acquire("ox")
    visitor.start()
    await_end(visitor, 1.5)
    await_end(other, 1.5)
    return slow, fast, [gate.try_acquire("ox") for _ in range(limit)]


def same(got, due, calls):
    """Fail unless calls gave what the contract says."""
    assert got == due, f"expected {due!r} for {calls}; got {got!r}"


def no_error(errors, where):
    """Fail if something was raised in a thread."""
    assert not errors, f"expected no error {where}; got {', '.join(sorted(set(errors)))}"


def tell(passed, limits, errors, threads):
    """Fail unless each round let through what it should."""
    no_error(errors, f"in {threads} concurrent threads that call try_acquire")
    for row in passed:
        same(list(row), limits, f"the units that {threads} threads at once get of each key")
    assert passed, "expected every round to let somebody through; got no answer"


def keeps_costs_whole(player):
    """Whether a cost above what is free takes nothing; if not, it is reported with counting."""
    gate = player.module("limiter").RateLimiter(3, 10, lambda: 0)
    return [gate.try_acquire("dray", 2), gate.try_acquire("dray", 2), gate.available("dray")] == [True, False, 1]


@pytest.mark.group("crowd")
@pytest.mark.advice(
    "In try_acquire, read the clock, drop what has ended, compare and take within one `with self._lock:` block."
)
def test_a_crowd_before_one_gate(player):
    """Concurrent threads get exactly the limit of their key, in every period."""
    passed, errors = player.drive(crowd, 5, 10, 2, ["ox"], [], [1] * 6, 9)
    tell(passed, [5], errors, 6)


@pytest.mark.group("crowd")
@pytest.mark.advice(
    "Make one lock for the whole limiter in __init__. Look a key up, create its entry, compare and take in one "
    "block under that lock."
)
def test_a_crowd_of_first_visits(player):
    """Threads that are the first to ask for a key share its limit as well."""
    keys = [f"guild {number}" for number in range(8)]
    passed, errors = player.drive(crowd, 1, 10, 1, keys, [], [1] * 4, 9)
    tell(passed, [1] * 8, errors, 4)


@pytest.mark.group("crowd")
@pytest.mark.advice(
    "In one block under the lock, read the key's limit, compare the whole cost with what is free, and take all of "
    "it or nothing."
)
def test_a_crowd_with_costs_and_limits(player):
    """Costs of several units and limits of single keys hold among threads as well."""
    cost = 2 if keeps_costs_whole(player) else 1
    passed, errors = player.drive(crowd, 4, 10, 2, ["ox", "cart", "mule"], [("cart", 7)], [cost] * 5, 11)
    tell(passed, [4, 7 // cost * cost, 4], errors, 5)


@pytest.mark.group("crowd")
@pytest.mark.advice(
    "Take the same lock in try_acquire, available and __len__, and drop, count and compute within it. Loop over no "
    "dict outside it."
)
def test_onlookers(player):
    """Threads that only ask, while others take, get sensible answers and no errors."""
    taken, seen, errors = player.drive(onlookers, 2, 3, 600)
    no_error(errors, "in a thread that takes and three that ask len and available")
    assert taken == 600, f"expected True from all 600 calls, each for a key that is free, while others ask; got {taken}"
    same(sorted(set(seen["len"]) - set(range(98))), [], "answers of len outside 0 to 97, the number of keys")
    assert seen["len"], "expected answers of len while another thread takes; got none"
    same(sorted(set(seen["available"]) - {0, 1, 2}), [], "answers of available(key) outside 0 to 2, the limit")


@pytest.mark.group("crowd")
@pytest.mark.advice(
    "Let available and __len__ read the clock, drop what has ended and count in one block under the lock that "
    "try_acquire takes."
)
def test_a_crowd_of_onlookers(player):
    """Concurrent questions about just freed units get right answers and no errors."""
    seen, errors = player.drive(leftovers, 2, 10, 6, 6, 7, ["len", "available"])
    no_error(errors, "in four threads that ask about units just freed")
    # Whether len has noticed that the units are free is for the trials of counting to say.
    same(sorted(set(seen["len"]) - set(range(7))), [], "answers of len outside 0 to 6, the number of keys")
    same(seen["available"], [2], "all answers of available to four threads at once, no unit in use, limit 2")
    assert seen["len"], "expected answers of len; got none"


@pytest.mark.group("sleepers")
@pytest.mark.advice("Let retry_after tidy up and count under the lock, like every other method.")
def test_a_crowd_that_asks_how_long(player):
    """Concurrent calls of retry_after get right answers and no errors."""
    seen, errors = player.drive(leftovers, 2, 10, 6, 6, 7, ["retry_after"])
    words = "four threads that ask at once about units that have just become free"
    no_error(errors, f"of retry_after in {words}")
    same(seen["retry_after"], [0], f"all answers of retry_after to {words}, limit 2")


@pytest.mark.group("crowd")
@pytest.mark.advice("Read the clock after taking the lock, and keep the lock until the units are taken.")
def test_an_overtaken_call(player):
    """A call that is overtaken while it reads the clock gets no unit too many."""
    slow, fast, after = player.drive(overtaken, 2, 10)
    same([len(slow), len(fast)], [1, 1], "the number of results of a call that reads the clock slowly, and of another")
    passed = (slow + fast + after).count(True)
    assert passed == 2, f"expected True from 2 calls at the same time, one of them slow, limit 2; got {passed}"
