"""Promises of the caller. Run them with: python -m pytest"""

import pytest

from oracle import Breaker, Caller


def test_a_second_attempt_gets_the_answer():
    outcomes = [TimeoutError("not now"), 42]
    pauses = []

    def service():
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    caller = Caller(service, base=1, jitter=0, clock=lambda: 0.0, sleep=pauses.append, random=lambda: 0.0)
    assert caller.call() == 42
    assert pauses == [1]


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError):
        Caller(lambda: 1 / 0).call()


def test_breaker_opens():
    breaker = Breaker(threshold=2)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            breaker.call(lambda: 1 / 0)
    assert breaker.state == "open"
