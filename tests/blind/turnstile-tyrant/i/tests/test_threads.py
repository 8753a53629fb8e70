from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

from limiter import RateLimiter


def test_a_crowd_gets_the_limit():
    for _ in range(20):
        gate, barrier = RateLimiter(5, 60, clock=lambda: 0), Barrier(12)

        def come():
            barrier.wait()
            return gate.try_acquire("ox")

        with ThreadPoolExecutor(12) as pool:
            answers = [pool.submit(come) for _ in range(12)]
        assert sum(answer.result() for answer in answers) == 5


def test_a_sleeper_keeps_nobody_out():
    asleep, wake, time = Event(), Event(), [0]

    def sleep(seconds):
        asleep.set()
        wake.wait(5)
        time[0] += seconds

    gate = RateLimiter(1, 60, lambda: time[0], sleep)
    gate.try_acquire("ox")
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(gate.acquire, "ox")
        try:
            assert asleep.wait(5)
            assert pool.submit(gate.try_acquire, "cart").result(2) is True
        finally:
            wake.set()
        assert waiting.result(5) is True
