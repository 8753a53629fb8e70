"""The gate: never more than allowed, never past a refusal's time, and soon at what a server takes."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.evaluate.throttle import Throttle


async def entered(throttle: Throttle) -> bool:
    """Whether there is a place now."""
    entering = asyncio.create_task(throttle.enter())
    for _ in range(5):  # who is let in is let in before anything else happens
        await asyncio.sleep(0)
    if entering.done():
        return True
    entering.cancel()
    await asyncio.gather(entering, return_exceptions=True)
    return False


async def fill(throttle: Throttle, most: int = 100) -> int:
    count = 0
    while count < most and await entered(throttle):
        count += 1
    return count


async def test_it_opens_with_every_reply_up_to_what_is_allowed() -> None:
    throttle = Throttle(10)
    assert await fill(throttle) == 4
    for _ in range(20):
        throttle.record_reply()
        await throttle.enter()
    assert throttle.calls_under_way + await fill(throttle) == 10


async def test_a_refusal_shows_how_much_a_server_takes() -> None:
    throttle = Throttle(100)
    throttle.limit = 30.0
    assert await fill(throttle) == 30
    for _ in range(23):
        throttle.record_refusal(None)
    assert int(throttle.limit) == 7
    assert not await entered(throttle)


async def test_nothing_passes_before_the_time_a_server_names() -> None:
    throttle = Throttle(4)
    loop = asyncio.get_running_loop()
    await throttle.enter()
    began = loop.time()
    throttle.record_refusal(0.3)
    async with asyncio.timeout(30):
        await asyncio.gather(*(throttle.enter() for _ in range(2)))
    assert loop.time() - began >= 0.3


async def test_who_gives_up_waiting_takes_no_place() -> None:
    throttle = Throttle(1)
    await throttle.enter()
    waiting = [asyncio.create_task(throttle.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    throttle.record_reply()
    # Its place was granted, and it is cancelled before it could take it.
    waiting[0].cancel()
    await asyncio.gather(waiting[0], return_exceptions=True)
    await asyncio.wait_for(waiting[1], 60)
    assert throttle.calls_under_way == 1
    waiting[2].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_at_the_end_everybody_is_let_in() -> None:
    throttle = Throttle(1)
    await throttle.enter()
    throttle.record_refusal(86_400.0)
    waiting = [asyncio.create_task(throttle.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    throttle.open_for_good()
    async with asyncio.timeout(30):
        await asyncio.gather(*waiting, throttle.enter())


@given(
    st.integers(1, 8),
    st.lists(st.sampled_from(["enter", "record_reply", "record_refusal", "record_failure"]), max_size=60),
)
def test_never_more_than_allowed_and_never_stuck(allowed: int, acts: list[str]) -> None:
    async def scenario() -> None:
        throttle = Throttle(allowed)
        tasks: list[asyncio.Task[None]] = []
        for act in acts:
            if act == "enter":
                tasks.append(asyncio.create_task(throttle.enter()))
            elif throttle.calls_under_way:
                throttle.record_refusal(0.0) if act == "record_refusal" else getattr(throttle, act)()
            await asyncio.sleep(0)
            assert throttle.calls_under_way <= allowed
        async with asyncio.timeout(30):
            while not all(task.done() for task in tasks):
                if throttle.calls_under_way:
                    throttle.record_reply()
                await asyncio.sleep(0)

    asyncio.run(scenario())


@pytest.mark.parametrize("allowed", [1, 3])
async def test_an_idle_throttle_always_opens_in_the_end(allowed: int) -> None:
    throttle = Throttle(allowed)
    await throttle.enter()
    throttle.record_refusal(None)
    async with asyncio.timeout(30):
        await throttle.enter()
