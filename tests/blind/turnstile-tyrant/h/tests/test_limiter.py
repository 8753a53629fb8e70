from limiter import RateLimiter

now = 0


def clock():
    return now


def sleep(s):
    global now
    now = now + s


def test_it():
    global now
    now = 0
    r = RateLimiter(2, 10, clock, sleep)
    print("True:", r.try_acquire("a"))
    print("True:", r.try_acquire("a"))
    print("False:", r.try_acquire("a"))
    print("0:", r.available("a"))
    print("10:", r.retry_after("a"))
    print("1:", len(r))
    now = 10
    print("True:", r.try_acquire("a"))
    r.set_limit("a", 5)
    print("4:", r.available("a"))
    r.set_limit("a", None)


def test_wait():
    global now
    now = 0
    r = RateLimiter(1, 10, clock, sleep)
    r.acquire("a")
    print("True:", r.acquire("a"))
    print("10:", now)
    print("False:", r.acquire("a", timeout=3))
