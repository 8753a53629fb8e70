from oracle import Breaker, Caller, RetriesExhaustedError

now = 0.0


def my_clock():
    return now


def my_sleep(seconds):
    global now
    now = now + seconds
    print("sleeping", seconds)


def bad_service():
    raise TimeoutError("nobody in")


def test_retry():
    caller = Caller(bad_service, clock=my_clock, sleep=my_sleep)
    try:
        caller.call()
    except RetriesExhaustedError as e:
        print("should be 4:", e.attempts)
        print("errors:", e.errors)


def test_good():
    caller = Caller(lambda x: x + 1)
    print("should be 3:", caller.call(2))


def test_breaker():
    b = Breaker(threshold=2, cooldown=10, clock=my_clock)
    for i in range(4):
        try:
            b.call(bad_service)
        except Exception as e:
            print(i, type(e), b.state)
    print("should be open:", b.state)
