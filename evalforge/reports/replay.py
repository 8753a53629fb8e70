"""Replays a stored fight: the same events, with their original timing or faster or slower."""

import asyncio
import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator

from evalforge.model.events import Event

AT_ONCE = math.inf


def due_times(events: Iterable[Event], speed: float = 1.0) -> Iterator[tuple[float, Event]]:
    """Yield each event with the seconds since the start at which it is due.

    Args:
        events: The events of a stored attempt.
        speed: 2 is twice as fast; ``AT_ONCE`` doesn't wait at all.
    """
    at_seconds = 0.0
    for event in events:
        at_seconds = max(at_seconds, event.at / speed)
        yield at_seconds, event


async def replay(
    events: Iterable[Event], speed: float = 1.0, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> AsyncGenerator[Event]:
    """Yield the events of a stored attempt with their original timing.

    Delays don't add up: an event whose time has passed (the reader was slow) comes at once.

    Args:
        events: The events of a stored attempt.
        speed: 2 is twice as fast; ``AT_ONCE`` doesn't wait at all.
        sleep: Waits for some seconds.

    Raises:
        ValueError: The speed is not above 0.
    """
    if not speed > 0:
        raise ValueError("a speed is above 0")
    clock = asyncio.get_running_loop().time
    started_at = clock()
    for at_seconds, event in due_times(events, speed):
        seconds_early = at_seconds - (clock() - started_at)
        if seconds_early > 0:
            await sleep(seconds_early)
        yield event
