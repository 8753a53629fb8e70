"""A call that fails is made again after a pause, as often as it may, and never past its deadline."""

import math
import time

import pytest

from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.retry import RetryPolicy, retry_call

POLICY = RetryPolicy(max_attempts=3, first_wait_seconds=0.01, max_wait_seconds=0.02)
BUSY = CallFailure("The server is overloaded.", is_retryable=True, status=529)


class Calls:
    """Fails with each failure in turn, then answers."""

    def __init__(self, *failures: CallFailure) -> None:
        self.failures, self.count = list(failures), 0

    async def __call__(self) -> str:
        self.count += 1
        if self.failures:
            raise CallFailedError(self.failures.pop(0))
        return "answer"


async def test_a_call_is_made_again_after_longer_pauses() -> None:
    pauses: list[float] = []
    call = Calls(BUSY, BUSY)
    assert await retry_call(call, POLICY, math.inf, lambda _, seconds: pauses.append(seconds)) == "answer"
    assert call.count == 3
    assert 0.0075 <= pauses[0] <= 0.01 <= 0.015 <= pauses[1] <= 0.02


async def test_a_server_can_make_a_pause_longer_but_not_shorter() -> None:
    pauses: list[float] = []
    waits = [CallFailure("Wait.", is_retryable=True, retry_after_seconds=seconds) for seconds in (0.05, 0.0)]
    await retry_call(Calls(*waits), POLICY, math.inf, lambda _, seconds: pauses.append(seconds))
    assert pauses[0] == 0.05
    assert pauses[1] > 0.01


@pytest.mark.parametrize(
    ("failure", "count"), [(BUSY, 3), (CallFailure("The server knows no model."), 1)], ids=["for a while", "for ever"]
)
async def test_a_call_that_keeps_failing_is_given_up(failure: CallFailure, count: int) -> None:
    call = Calls(*[failure] * 9)
    with pytest.raises(CallFailedError) as caught:
        await retry_call(call, POLICY, math.inf)
    assert (caught.value.failure, call.count) == (failure, count)


async def test_a_wait_past_the_deadline_is_named_instead() -> None:
    call = Calls(CallFailure("The rate limit is reached.", is_retryable=True, retry_after_seconds=3600.0))
    with pytest.raises(CallFailedError, match=r"It asks to wait 3,600 s\.") as caught:
        await retry_call(call, POLICY, time.monotonic() + 1)
    assert caught.value.failure.advice.startswith("Try again in 3,600 s (60 minutes).")
    assert call.count == 1
