"""Threads that wait: whether they stand in the way of others, and when each comes through."""

import pytest


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
        thread.join(1.5)
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
            if slept[0] > 400 or not room.wait_for(lambda: me not in wakes, 1.5):
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
            start.wait(1.5)
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


@pytest.mark.limits(seconds=3)
@pytest.mark.group("sleepers")
def test_whoever_waits_stands_aside(player):
    """While one call sleeps, calls of other threads go through, on other keys and on the same."""
    told, waited, at = player.drive(aside, 2, 10)
    assert told, "While a thread is in sleep no other call may have to wait for it: sleep without a lock in hand."
    assert told == [False, True, 1, 2], "Calls made while another one sleeps are answered as if it were not there."
    assert [waited, at] == [True, 10], "The call that waited gets its unit when it is free."


@pytest.mark.limits(seconds=3)
@pytest.mark.group("sleepers")
def test_a_waiting_room(player):
    """Threads that wait together come through in the limit's number at each instant, and none is left behind."""
    answers = player.drive(waiting_room, 2, 10, [["ox", 1]] * 7 + [["cart", 1]])
    assert sorted(at for _, at in answers) == [0, 0, 0, 10, 10, 20, 20, 30], (
        "Of threads that wait, as many get through at each instant as units are free then, and the others wait on."
    )
    assert all(answer is True for answer, _ in answers), "Whoever waits for ever gets the units in the end."


@pytest.mark.limits(seconds=3)
@pytest.mark.group("sleepers")
def test_a_waiting_room_with_patience(player):
    """Of threads that wait with a timeout those get through whose turn comes in time; the others give up at once."""
    answers = player.drive(waiting_room, 2, 10, [["ox", 1, 14]] * 7)
    assert sorted((at, answer) for answer, at in answers if answer is True) == [
        (0, True),
        (0, True),
        (10, True),
        (10, True),
    ], "Threads that wait with a timeout get what comes free in that time, all of it and no more."
    assert sorted((at, answer) for answer, at in answers if answer is not True) == [(10, False)] * 3, (
        "Whoever finds on waking that others were quicker, and that it will be too late, gives up at that instant."
    )
