"""Limits concurrent calls to as many as the server accepts, and never more than allowed."""

import asyncio
import random
from collections import deque

_FIRST_LIMIT = 4
# Once the server has refused a call, the limit grows by one after this many replies: an absolute minimum, or this many
# for each call of the limit.
_MIN_REPLIES_TO_GROW, _REPLIES_PER_CALL_TO_GROW = 10, 3
_MAX_REPLIES_TO_GROW = 200
_RATE_LIMIT_SHRINKAGE = 0.85
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.5, 5.0
_MAX_PAUSE_DOUBLINGS = 10
_PAUSE_JITTER = (0.75, 1.0)


class Throttle:
    """Admits calls to the server.

    The limit grows quickly, by one with each reply, until the server refuses a call. Each refusal lowers it by one, so
    that it settles at what the server accepts; from there one more call is tried now and then. A refusal that names a
    time to wait is about calls per minute, not about concurrent calls: nothing goes out before that time, and the limit
    shrinks.

    Attributes:
        limit: The current number of concurrent calls; its integer part counts.
    """

    def __init__(self, max_calls: int) -> None:
        self.max_calls = max_calls
        self.limit = min(float(max_calls), _FIRST_LIMIT)
        self.calls_under_way = 0
        self.refusal_count = 0
        self._pauses_in_a_row = 0
        self._replies_since_change = 0
        self._replies_to_grow = 1
        self._closed_until = 0.0
        self._is_open_for_good = False
        self._waiters: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Wait until a call may go out, first come, first served. A ``record_`` method must follow."""
        loop = asyncio.get_running_loop()
        if not self._waiters and self._has_room(loop.time()):
            self.calls_under_way += 1
            return
        admission: asyncio.Future[None] = loop.create_future()
        self._waiters.append(admission)
        self._admit_waiters()
        try:
            await admission
        except asyncio.CancelledError:
            if admission.done() and not admission.cancelled():
                self.record_failure()
            raise

    def record_reply(self) -> None:
        """Record that a call has ended with an answer of the server."""
        self.calls_under_way -= 1
        self._pauses_in_a_row = 0
        self._replies_since_change += 1
        if self._replies_since_change >= self._replies_to_grow and self.limit < self.max_calls:
            self.limit = min(float(self.max_calls), self.limit + 1)
            self._replies_since_change = 0
        self._admit_waiters()

    def record_failure(self) -> None:
        """Record that a call has ended in a way that says nothing about the server's capacity."""
        self.calls_under_way -= 1
        self._admit_waiters()

    def record_refusal(self, wait_seconds: float | None) -> None:
        """Record that the server had no room for a call, and the seconds it asks to wait; None if it named none."""
        self.calls_under_way -= 1
        self.refusal_count += 1
        self._replies_since_change = 0
        now = asyncio.get_running_loop().time()
        if wait_seconds is None:
            self.limit = max(1.0, self.limit - 1)
            self._replies_to_grow = max(_MIN_REPLIES_TO_GROW, int(_REPLIES_PER_CALL_TO_GROW * self.limit))
            if not self.calls_under_way:
                # Calls that were refused together count as one refusal: otherwise each would double the pause.
                doublings = min(self._pauses_in_a_row, _MAX_PAUSE_DOUBLINGS)
                pause = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2**doublings)
                self._pauses_in_a_row += 1
                self._closed_until = max(self._closed_until, now + pause * random.uniform(*_PAUSE_JITTER))  # noqa: S311
        elif now >= self._closed_until:
            self.limit = max(1.0, self.limit * _RATE_LIMIT_SHRINKAGE)
            self._replies_to_grow = min(_MAX_REPLIES_TO_GROW, max(_MIN_REPLIES_TO_GROW, 2 * self._replies_to_grow))
        if wait_seconds is not None:
            self._closed_until = max(self._closed_until, now + wait_seconds)
        self._admit_waiters()

    def open_for_good(self) -> None:
        """Admit everybody, now and later: when the run is stopped, waiting callers must find that out."""
        self._is_open_for_good = True
        self._admit_waiters()

    def _has_room(self, now: float) -> bool:
        return self._is_open_for_good or (self.calls_under_way < int(self.limit) and now >= self._closed_until)

    def _admit_waiters(self) -> None:
        """Admit as many as there is room for, now or when the pause is over."""
        loop = asyncio.get_running_loop()
        while self._waiters and self._has_room(loop.time()):
            admission = self._waiters.popleft()
            if not admission.done():
                self.calls_under_way += 1
                admission.set_result(None)
        if self._waiters and loop.time() < self._closed_until:
            loop.call_at(self._closed_until, self._admit_waiters)
