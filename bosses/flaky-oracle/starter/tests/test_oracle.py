"""Promises of the caller. Run them with: python -m pytest"""

from oracle import Caller


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
