"""How many calls are under way at once: as many as the server takes, never more than allowed."""

import asyncio
import random
from collections import deque

_START = 4
_STEADY, _ROUNDS = 10, 3
"""Replies after which one more call is tried, once the server has refused some: so many, and so many for each place."""
_SLOWEST = 200
_BACK_OFF = 0.85
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


class Throttle:
    """A gate before the server.

    It opens quickly, one more call for each reply, until the server refuses one. Each refusal closes it by one place,
    so that what remains is what the server takes; from there one more is tried now and then. A refusal that names a
    time to wait is about calls in a stretch of time rather than calls at once: nothing goes out before that time, and
    it goes on slower.

    Args:
        allowed: The most calls at once.
    """

    def __init__(self, allowed: int) -> None:
        self.allowed = allowed
        self.limit = min(float(allowed), _START)
        self.under_way = 0
        self.refusals = 0
        self._refused_in_a_row = 0
        self._replies = 0
        self._patience = 1
        self._closed_until = 0.0
        self._is_over = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Wait for a place; who comes first goes first."""
        loop = asyncio.get_running_loop()
        if not self._waiting and self._is_open(loop.time()):
            self.under_way += 1
            return
        place: asyncio.Future[None] = loop.create_future()
        self._waiting.append(place)
        self._wake()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.left()
            raise

    def served(self) -> None:
        """A call is over, and the server took it."""
        self.under_way -= 1
        self._refused_in_a_row = 0
        self._replies += 1
        if self._replies >= self._patience and self.limit < self.allowed:
            self.limit = min(float(self.allowed), self.limit + 1)
            self._replies = 0
        self._wake()

    def left(self) -> None:
        """A call is over, and says nothing about how much the server takes."""
        self.under_way -= 1
        self._wake()

    def refused(self, wait: float | None) -> None:
        """The server had no room for a call.

        Args:
            wait: Seconds it asks to wait; None if it didn't say.
        """
        self.under_way -= 1
        self.refusals += 1
        self._refused_in_a_row += 1
        self._replies = 0
        now = asyncio.get_running_loop().time()
        if wait is None:
            self.limit = max(1.0, self.limit - 1)
            self._patience = max(_STEADY, int(_ROUNDS * self.limit))
            if not self.under_way:
                pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(self._refused_in_a_row - 1, 10))
                self._closed_until = max(self._closed_until, now + pause * random.uniform(0.75, 1.0))  # noqa: S311
        elif now >= self._closed_until:
            self.limit = max(1.0, self.limit * _BACK_OFF)
            self._patience = min(_SLOWEST, max(_STEADY, 2 * self._patience))
        if wait is not None:
            self._closed_until = max(self._closed_until, now + wait)
        self._wake()

    def end(self) -> None:
        """Nothing goes out any more: whoever waits, or comes later, is let in at once to find that out."""
        self._is_over = True
        self._wake()

    def _is_open(self, now: float) -> bool:
        return self._is_over or (self.under_way < int(self.limit) and now >= self._closed_until)

    def _wake(self) -> None:
        """Let in as many as there are places; later, if it is closed for a while."""
        loop = asyncio.get_running_loop()
        while self._waiting and self._is_open(loop.time()):
            place = self._waiting.popleft()
            if not place.done():
                self.under_way += 1
                place.set_result(None)
        if self._waiting and loop.time() < self._closed_until:
            loop.call_at(self._closed_until, self._wake)
