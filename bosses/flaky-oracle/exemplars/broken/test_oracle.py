from oracle import Breaker, Caller


def test_call():
    assert Caller(lambda x: x + 1).call(1) == 2


def test_breaker():
    breaker = Breaker(threshold=1)
    breaker.call(int, "x")
    assert breaker.state == "open"
