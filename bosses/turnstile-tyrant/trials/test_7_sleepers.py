"""Threads that wait: whether they block others, and when each comes through."""

import pytest

pytestmark = pytest.mark.clause("THREADS")


def aside(limit, period):
    """While one call waits, another thread makes calls: what those answered, and what the waiting one did."""
    import threading

    import limiter

    now, told = [0], []

    def others():
        told.append(gate.try_acquire("ox"))
        told.append(gate.try_acquire("cart"))
        told.append(gate.available("cart"))
        told.append(len(gate))

    def sleep(seconds):
        thread = threading.Thread(target=others, daemon=True)
        thread.start()
        # In short steps, each of which takes longer on a busy machine: a slow thread isn't taken for a blocked one.
        for _ in range(30):
            thread.join(0.05)
        now[0] += seconds

    gate = limiter.RateLimiter(limit, period, lambda: now[0], sleep)
    for _ in range(limit):
        gate.try_acquire("ox")
    waited = gate.acquire("ox")
    return list(told), waited, now[0]


def waiting_room(limit, period, visits):
    """One thread for each visit, each calls acquire; when all of them sleep, time moves on. Gives answers and times.

    Threads change at every few steps of the code that is called.
    """
    import itertools
    import sys
    import threading
    import time

    import limiter

    now, wakes, slept, steps = [0], {}, [0], itertools.count()
    room = threading.Condition()
    awake = [len(visits)]
    start = threading.Barrier(len(visits))
    answers = [None] * len(visits)

    def move_on():
        if wakes and len(wakes) == awake[0]:
            now[0] = min(wakes.values())
            for sleeper in [each for each, at in wakes.items() if at <= now[0]]:
                del wakes[sleeper]
            room.notify_all()

    def sleep(seconds):
        me = threading.get_ident()
        with room:
            slept[0] += 1
            wakes[me] = now[0] + seconds
            move_on()
            # In short steps, as above.
            if slept[0] > 400 or not any(room.wait_for(lambda: me not in wakes, 0.05) for _ in range(30)):
                slept[0] += 1000
                wakes.pop(me, None)
                raise RuntimeError("nobody else comes to rest")

    def pause(frame, event, argument):
        if frame.f_globals.get("__name__", "").partition(".")[0] in sys.stdlib_module_names | {"trial_driver"}:
            return None
        frame.f_trace_opcodes = True
        if next(steps) % 11 == 0:
            time.sleep(0.00001)
        return pause

    def visit(number):
        try:
            start.wait()
            answer = gate.acquire(*visits[number])
        except Exception as error:
            answer = type(error).__name__
        with room:
            answers[number] = [answer, now[0]]
            awake[0] -= 1
            move_on()

    gate = limiter.RateLimiter(limit, period, lambda: now[0], sleep)
    threading.settrace(pause)
    try:
        threads = [threading.Thread(target=visit, args=(number,), daemon=True) for number in range(len(visits))]
        for thread in threads:
            thread.start()
    finally:
        threading.settrace(None)
    for thread in threads:
        thread.join()
    return answers


def same(got, due, calls):
    """Fail unless calls gave what the contract says."""
    assert got == due, f"expected {due!r} for {calls}; got {got!r}"


def lonely(start, early, thefts, patience):
    """What a single acquire of one unit answers and sleeps, period 10.

    The clock starts long before zero. Its sleep comes back early so many times, and so many times the unit is taken
    when it is free.
    """
    import threading

    import limiter

    now, slept = [start], []

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) > 9:
            raise RuntimeError("this sleeps too often")
        now[0] += seconds / 2 if len(slept) <= early else seconds
        if len(slept) <= thefts:
            thief = threading.Thread(target=gate.try_acquire, args=("dray",), daemon=True)
            thief.start()
            thief.join(0.3)

    gate = limiter.RateLimiter(1, 10, lambda: now[0], sleep)
    gate.try_acquire("dray")
    try:
        return [gate.acquire("dray", 1, patience), slept]
    except Exception as error:
        return [type(error).__name__, slept]


def waits_on(player, patience):
    """Whether a single acquire goes on waiting after an early sleep; how one waits is reported with waiting."""
    return player.drive(lonely, -1000, 1, 0, patience)[0] is True


def gives_up_in_time(player):
    """Whether a single acquire counts its timeout from the start of the call, and gives up without a sleep."""
    return player.drive(lonely, -900, 0, 0, 8) == [False, []] and player.drive(lonely, -800, 0, 1, 14) != [
        True,
        [10, 10],
    ]


@pytest.mark.limits(seconds=3)
@pytest.mark.group("sleepers")
@pytest.mark.advice(
    "Leave the `with self._lock:` block before you call sleep, and hold no other lock during it either."
)
def test_whoever_waits_stands_aside(player):
    """While one call sleeps, other threads' calls go through, even on the same key."""
    waits = player.drive(lonely, -700, 0, 0, None) == [True, [10]]
    told, waited, at = player.drive(aside, 2, 10)
    due = [False, True, 1, 2]
    calls = (
        "calls of another thread while acquire('ox') sleeps: try_acquire of 'ox' and 'cart', available('cart') and len"
    )
    assert told, f"expected {due} for {calls}; got no answer: the calls wait"
    same(told, due, calls)
    if waits:
        same([waited, at], [True, 10], "the answer of acquire('ox') that waited, and the clock, units free at 10")


@pytest.mark.limits(seconds=3)
@pytest.mark.group("sleepers")
@pytest.mark.advice(
    "Hold no lock during sleep. Afterwards look, take or compute the next wait in one block under the lock, as at "
    "the start."
)
def test_a_waiting_room(player):
    """Whenever units become free, exactly that many waiting threads get through."""
    if not waits_on(player, None):
        return  # A call that does not wait on after an early sleep is reported with waiting.
    answers = player.drive(waiting_room, 2, 10, [["ox", 1]] * 7 + [["cart", 1]])
    calls = "8 threads in acquire, 7 of 'ox' and 1 of 'cart', limit 2, period 10"
    same(sorted(at for _, at in answers), [0, 0, 0, 10, 10, 20, 20, 30], f"when the calls return, of {calls}")
    same([answer for answer, _ in answers], [True] * 8, f"the answers of {calls}")


@pytest.mark.limits(seconds=3)
@pytest.mark.group("sleepers")
@pytest.mark.advice(
    "Compute each call's deadline once. After each sleep, under the lock, take if free; return False without "
    "sleeping if now + wait > deadline."
)
def test_a_waiting_room_with_patience(player):
    """Threads wait if units come in time; those whose timeout is too short give up."""
    if not waits_on(player, 14) or not gives_up_in_time(player):
        return  # A timeout that a single thread finds wrong is reported with waiting.
    answers = player.drive(waiting_room, 2, 10, [["ox", 1, 14]] * 7)
    calls = "7 threads in acquire('ox', 1, 14), limit 2, period 10"
    due = [(0, True), (0, True), (10, False), (10, False), (10, False), (10, True), (10, True)]
    same(sorted((at, answer) for answer, at in answers), due, f"when and what the calls return, of {calls}")
