"""Asks a model one question; repeats a call where that may help, within a deadline and budget of our own.

The SDK's own retries are off: it silently obeys a server's ``Retry-After``, without a limit.
"""

import asyncio
import functools
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeVar

from evalforge.llm.budget import Usage
from evalforge.llm.failure import FORGE_ADVICE, RETRY_ADVICE, CallFailedError, CallFailure
from evalforge.llm.reply_pieces import ReplyPiece, ReplyStarted, ReplyStopped, ReplyText, UsageCounted
from evalforge.llm.request import Request
from evalforge.llm.sdk_client import Client
from evalforge.llm.submission_rendering import CHARS_PER_TOKEN
from evalforge.llm.usage_recorder import UsageRecorder

# Detects a reply that goes in circles, as small models' replies may until they are stopped.

_WINDOW_CHARS = 1_200
_MAX_PERIOD_CHARS = 200
_CHARS_BETWEEN_CHECKS = 300


class RepetitionWatch:
    """Reads a reply piece by piece, and detects whether its last 1,200 characters repeat one short passage."""

    def __init__(self) -> None:
        self._window = ""
        self._unchecked_chars = 0

    def add(self, text: str) -> bool:
        """Add a piece, and return whether the reply now goes in circles."""
        self._window = (self._window + text)[-_WINDOW_CHARS:]
        self._unchecked_chars += len(text)
        if len(self._window) < _WINDOW_CHARS or self._unchecked_chars < _CHARS_BETWEEN_CHECKS:
            return False
        self._unchecked_chars = 0
        return shortest_period(self._window) <= _MAX_PERIOD_CHARS


def shortest_period(text: str) -> int:
    """Return the length of the shortest passage that a text repeats from its first character to its last.

    The last repetition may be cut off: ``abcabcab`` has the period 3, ``abc`` its own length. By the prefix function of
    Knuth, Morris and Pratt, in time linear in the length of the text.
    """
    borders = [0] * len(text)
    for index in range(1, len(text)):
        border = borders[index - 1]
        while border and text[index] != text[border]:
            border = borders[border - 1]
        borders[index] = border + (text[index] == text[border])
    return len(text) - borders[-1] if text else 0


T = TypeVar("T")
_MAX_DOUBLINGS = 30
_SECONDS_SAID_IN_MINUTES = 120
MAX_REPLY_CHARS = 200_000
"""The most characters of a reply that are read."""
_FINISHED_REASONS = frozenset({"end_turn", "stop_sequence", "tool_use"})
_REFUSED_ADVICE = "Text in the files may have set it off. Another --model may judge it. " + FORGE_ADVICE
_TOO_LONG_ADVICE = "Choose a --model with a longer context, or submit fewer files. " + FORGE_ADVICE
_LOOP_ADVICE = "Small models do this; another --model may not. " + FORGE_ADVICE
_CUT_OFF_ADVICE = "A --model that thinks less before it answers may stay below it. " + FORGE_ADVICE


@dataclass(frozen=True)
class RetryPolicy:
    """How often a call is repeated, and how long to wait for a server.

    Attributes:
        max_attempts: How often the same call is made, at most.
        total_seconds: Time for all attempts and the pauses between them.
        stall_seconds: Time without a byte after which an attempt is given up.
        first_wait_seconds: Pause before the second attempt; doubled before each further one.
        max_wait_seconds: The longest of these pauses.
    """

    max_attempts: int = 3
    total_seconds: float = 300.0
    stall_seconds: float = 90.0
    first_wait_seconds: float = 0.5
    max_wait_seconds: float = 8.0

    def pause_seconds(self, attempt: int) -> float:
        """How long to wait after an attempt (counted from 1) before the next."""
        longest = min(self.first_wait_seconds * 2.0 ** min(attempt - 1, _MAX_DOUBLINGS), self.max_wait_seconds)
        # Jitter keeps a class of thirty from asking again at the same moment.
        return longest * random.uniform(0.75, 1.0)  # noqa: S311


LOCAL_RETRY_POLICY = RetryPolicy(total_seconds=1800.0, stall_seconds=900.0)
"""For a server on this machine or network: a small machine may read for minutes before it writes the first word."""


async def retry_call(
    call: Callable[[], Awaitable[T]],
    policy: RetryPolicy,
    deadline: float,
    on_wait: Callable[[CallFailure, float], None] = lambda _failure, _seconds: None,
    may_retry: Callable[[CallFailure], bool] = lambda failure: failure.is_retryable,
) -> T:
    """Make a call, repeated after a pause where that may help. A server's ``Retry-After`` may prolong the pause.

    Args:
        call: Makes the call.
        policy: How often it is repeated, and the pauses; its times don't count.
        deadline: When the last attempt must begin, by ``time.monotonic``.
        on_wait: Called with the failure and the seconds before each pause.
        may_retry: Whether the same call may succeed after a failure.

    Raises:
        CallFailedError: The call failed, and making it again won't help or would take too long.
    """
    for attempt in itertools.count(1):
        try:
            return await call()
        except CallFailedError as error:
            failure = error.failure
            if attempt >= policy.max_attempts or not may_retry(failure):
                raise
        requested = failure.retry_after_seconds or 0.0
        pause_seconds = max(requested, policy.pause_seconds(attempt))
        if time.monotonic() + pause_seconds > deadline:
            raise CallFailedError(_too_long_wait(failure) if requested else failure)
        on_wait(failure, pause_seconds)
        await asyncio.sleep(pause_seconds)
    raise AssertionError("unreachable")


def _ignore(_: object) -> None: ...


@dataclass(frozen=True)
class StreamObserver:
    """Callbacks while a reply arrives.

    Attributes:
        on_restart: Called when the reply starts over: discard what came so far.
        on_status: Called with a sentence on what is going on.
    """

    on_text: Callable[[str], None] = _ignore
    on_restart: Callable[[], None] = lambda: None
    on_status: Callable[[str], None] = _ignore
    on_usage: Callable[[Usage], None] = _ignore


async def ask_model(
    client: Client,
    request: Request,
    policy: RetryPolicy,
    deadline: float,
    recorder: UsageRecorder,
    observer: StreamObserver,
) -> str:
    """Return the model's whole reply to a request. Each attempt is reserved, watched and charged by the recorder.

    Raises:
        CallFailedError: There is no reply, and asking again won't help or would take too long.
    """

    async def ask_once() -> str:
        reservation_id = recorder.reserve_call(request)
        record_usage = functools.partial(recorder.record_usage, reservation_id)
        stream = ReplyStream(replace(observer, on_usage=record_usage))
        try:
            return await stream.read(client, request, deadline)
        finally:
            recorder.settle_call(reservation_id, stream.charged_usage)

    def show_pause(failure: CallFailure, seconds: float) -> None:
        observer.on_restart()
        observer.on_status(f"{failure.headline}: trying again in {seconds:.0f} s")

    return await retry_call(ask_once, policy, deadline, show_pause)


class ReplyStream:
    """One attempt to get a reply: what it has received so far, and what that costs, however it ends."""

    def __init__(self, observer: StreamObserver = StreamObserver()) -> None:
        self._observer = observer
        self._parts: list[str] = []
        self._char_count = 0
        self._is_from_tool = False
        self._repetition = RepetitionWatch()
        self._counted_usage = Usage()
        self._stopped: ReplyStopped | None = None
        self.started = ReplyStarted("", "")

    async def read(self, client: Client, request: Request, deadline: float) -> str:
        """Send a request and return the whole reply.

        Raises:
            CallFailedError: There is no complete reply before the deadline, by ``time.monotonic``.
        """
        try:
            async with asyncio.timeout(deadline - time.monotonic()), aclosing(client.stream(request)) as pieces:
                async for piece in pieces:
                    self._add(piece)
        except TimeoutError:
            raise CallFailedError(CallFailure("The reply took too long.", RETRY_ADVICE)) from None
        return self._finished_text(request.max_tokens)

    def read_whole(self, pieces: Iterable[ReplyPiece]) -> str:
        """Return the reply that has these pieces.

        Raises:
            CallFailedError: It is incomplete, too long, or goes in circles.
        """
        for piece in pieces:
            self._add(piece)
        return self._finished_text()

    @property
    def text(self) -> str:
        """The reply so far."""
        return "".join(self._parts)

    @property
    def charged_usage(self) -> Usage:
        """The tokens to pay for; an interrupted reply without a count is estimated by its length."""
        usage = self._counted_usage
        estimated_output = int(self._char_count / CHARS_PER_TOKEN) if self._stopped is None else 0
        return Usage(usage.input, max(usage.output, estimated_output), usage.cache_read, usage.cache_write)

    def _add(self, piece: ReplyPiece) -> None:
        if isinstance(piece, ReplyText):
            self._add_text(piece)
        elif isinstance(piece, UsageCounted):
            self._counted_usage = piece.usage
            self._observer.on_usage(piece.usage)
        elif isinstance(piece, ReplyStarted):
            self.started = piece
        else:
            self._stopped = piece

    def _add_text(self, piece: ReplyText) -> None:
        if piece.from_tool and not self._is_from_tool:
            # A tool's input is the reply; text before it ("I'll submit my judgement now.") is not.
            self._is_from_tool, self._parts, self._char_count = True, [], 0
            self._observer.on_restart()
        if piece.from_tool == self._is_from_tool:
            self._parts.append(piece.text)
            self._char_count += len(piece.text)
            if self._char_count > MAX_REPLY_CHARS:
                reason = f"The reply is longer than {MAX_REPLY_CHARS:,} characters."
                raise CallFailedError(CallFailure(reason, caused_by_model=True))
            if self._repetition.add(piece.text):
                reason = "The model repeats itself without end: its reply was cut."
                raise CallFailedError(CallFailure(reason, _LOOP_ADVICE, caused_by_model=True))
            self._observer.on_text(piece.text)

    def _finished_text(self, max_tokens: int = 0) -> str:
        """Return the reply if it is complete: the SDK itself raises nothing for a stream that just ends."""
        reason = self._stopped.reason if self._stopped else ""
        if reason in _FINISHED_REASONS:
            return self.text
        if not reason:
            raise CallFailedError(CallFailure("The reply ended before it was complete.", is_retryable=True))
        if reason == "refusal":
            category = f" ({self._stopped.detail})" if self._stopped and self._stopped.detail else ""
            message, advice = f"The model declined to judge this{category}.", _REFUSED_ADVICE
        elif reason == "max_tokens":
            limit = f"EvalForge's limit of {max_tokens:,} tokens" if max_tokens else "its longest allowed length"
            message, advice = f"The reply was cut off at {limit}.", _CUT_OFF_ADVICE
        elif reason == "model_context_window_exceeded":
            message, advice = "The submission is too long for this model.", _TOO_LONG_ADVICE
        else:
            message, advice = f"The model stopped for another reason than being done ({reason[:40]}).", FORGE_ADVICE
        raise CallFailedError(CallFailure(message, advice, caused_by_model=True))


def _too_long_wait(failure: CallFailure) -> CallFailure:
    """Return the failure for a server that asks for a longer wait than there is time for, naming the wait."""
    seconds = failure.retry_after_seconds or 0.0
    in_minutes = f" ({seconds / 60:,.0f} minutes)" if seconds >= _SECONDS_SAID_IN_MINUTES else ""
    advice = f"Try again in {seconds:,.0f} s{in_minutes}. {FORGE_ADVICE}"
    return CallFailure(f"{failure.reason} It asks to wait {seconds:,.0f} s.", advice)
