import pytest

from limiter import RateLimiter

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("arguments, error", [
    ((0, 1), ValueError), ((True, 1), TypeError), ((1.0, 1), TypeError), ((1, 0), ValueError), ((1, -1), ValueError),
    ((1, NAN), ValueError), ((1, INF), ValueError), ((1, "1"), TypeError), ((1, True), TypeError)])
def test_constructor(arguments, error):
    with pytest.raises(error):
        RateLimiter(*arguments)


@pytest.mark.parametrize("name, arguments, error", [
    ("try_acquire", ("a", 0), ValueError), ("try_acquire", ("a", 3), ValueError), ("try_acquire", ("a", True), TypeError),
    ("acquire", ("a", 1.5), TypeError), ("acquire", ("a", 1, -1), ValueError), ("acquire", ("a", 1, NAN), ValueError),
    ("acquire", ("a", 1, "1"), TypeError), ("retry_after", ("a", 3), ValueError), ("set_limit", ("a", 0), ValueError),
    ("set_limit", ("a", 1.0), TypeError), ("try_acquire", ([],), TypeError), ("available", ([],), TypeError),
    ("set_limit", ([], 1), TypeError)])
def test_methods(name, arguments, error):
    gate = RateLimiter(2, 1, clock=lambda: 0)
    with pytest.raises(error):
        getattr(gate, name)(*arguments)
    assert len(gate) == 0
