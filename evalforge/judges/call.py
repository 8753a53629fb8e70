"""One question to a model, as often as it is worth asking, within a deadline and a budget of our own."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from evalforge.judges.failure import FORGE_ADVICE, CallFailedError, Failure
from evalforge.judges.money import Usage
from evalforge.judges.rendering import CHARACTERS_PER_TOKEN
from evalforge.judges.reply import REPLY_CAP
from evalforge.judges.sdk import Began, Client, Counted, Request, Stopped, Text

_COMPLETE = frozenset({"end_turn", "stop_sequence", "tool_use"})


@dataclass(frozen=True)
class Patience:
    """How long a server is waited for.

    Attributes:
        tries: How often the same is asked.
        deadline: Seconds for all of them together. The SDK obeys a server's ``Retry-After`` without a limit; we don't.
        stall: Seconds without a byte after which a try is over.
        first_wait: Seconds before the second try; doubled before each further one.
        longest_wait: The most of that.
    """

    tries: int = 3
    deadline: float = 300.0
    stall: float = 90.0
    first_wait: float = 0.5
    longest_wait: float = 8.0


FOR_LOCAL = Patience(deadline=1800.0, stall=900.0)
"""A small machine may read for minutes before it writes the first word."""


@dataclass(frozen=True)
class Hearer:
    """Who hears of a reply while it comes: pieces of text, a new beginning, and words on what is going on."""

    text: Callable[[str], None]
    restart: Callable[[], None]
    word: Callable[[str], None]
    began: Callable[[Began], None] = lambda _: None


class Till(Protocol):
    """Who pays: asked before each try, told what it used while it lasts, and settled with when it is over."""

    def begin(self, request: Request) -> int:
        """Reserve; gives a ticket."""
        ...

    def count(self, ticket: int, usage: Usage) -> None:
        """So much is used so far."""
        ...

    def end(self, ticket: int, usage: Usage) -> None:
        """It is over, however it went."""
        ...


async def ask(client: Client, request: Request, patience: Patience, meter: Till, hearer: Hearer) -> str:
    """The model's whole reply to a request.

    Raises:
        CallFailedError: There is none, for a reason that trying again won't mend.
    """
    deadline = time.monotonic() + patience.deadline
    for attempt in range(1, patience.tries + 1):
        try:
            return await _once(client, request, deadline, meter, hearer)
        except CallFailedError as error:
            failure = error.failure
            if not failure.retry or attempt == patience.tries:
                raise
        pause = _pause(failure, attempt, patience)
        if time.monotonic() + pause > deadline:
            waits = f" It asks to wait {pause:,.0f} s." if failure.wait else ""
            raise CallFailedError(Failure(failure.reason + waits, failure.advice))
        hearer.restart()
        hearer.word(f"{failure.brief}: trying again in {pause:.0f} s")
        await asyncio.sleep(pause)
    raise AssertionError("unreachable")


def _pause(failure: Failure, attempt: int, patience: Patience) -> float:
    if failure.wait is not None:
        return failure.wait
    # Jitter keeps a class of thirty from knocking at the same moment.
    return min(patience.first_wait * 2 ** (attempt - 1), patience.longest_wait) * random.uniform(0.75, 1.0)  # noqa: S311


async def _once(client: Client, request: Request, deadline: float, meter: Till, hearer: Hearer) -> str:
    heard = _Heard(hearer)
    ticket = meter.begin(request)
    try:
        async with aclosing(client.stream(request, deadline)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Text):
                    heard.take(piece)
                elif isinstance(piece, Counted):
                    heard.usage = piece.usage
                    meter.count(ticket, piece.usage)
                elif isinstance(piece, Began):
                    hearer.began(piece)
                else:
                    heard.stopped = piece
    finally:
        meter.end(ticket, heard.total)
    return heard.reply()


class _Heard:
    """What has come of one try."""

    def __init__(self, hearer: Hearer) -> None:
        self._hearer = hearer
        self._parts: list[str] = []
        self._length = 0
        self._by_tool = False
        self.usage = Usage()
        self.stopped: Stopped | None = None

    @property
    def total(self) -> Usage:
        """What it used; a cut reply was paid for all the same, whether or not it was counted."""
        written = max(self.usage.output, int(self._length / CHARACTERS_PER_TOKEN) if self.stopped is None else 0)
        return Usage(self.usage.input, written, self.usage.cache_read, self.usage.cache_write)

    def take(self, piece: Text) -> None:
        if piece.by_tool and not self._by_tool:
            # A tool's input is the reply; what was said before it is chatter.
            self._by_tool, self._parts, self._length = True, [], 0
            self._hearer.restart()
        if piece.by_tool == self._by_tool:
            self._parts.append(piece.text)
            self._length += len(piece.text)
            if self._length > REPLY_CAP:
                raise CallFailedError(Failure(f"The reply is longer than {REPLY_CAP:,} characters.", by_model=True))
            self._hearer.text(piece.text)

    def reply(self) -> str:
        """The whole text.

        Raises:
            CallFailedError: The model didn't finish it. A stream that just ends raises nothing in the SDK.
        """
        return finished("".join(self._parts), self.stopped)


def finished(text: str, stopped: Stopped | None) -> str:
    """A reply, if the model brought it to its end.

    Raises:
        CallFailedError: It didn't.
    """
    reason = stopped.reason if stopped else ""
    if reason in _COMPLETE:
        return text
    if reason == "refusal":
        about = f" ({stopped.detail})" if stopped and stopped.detail else ""
        raise CallFailedError(Failure(f"The model declined to judge this{about}.", _REFUSED, by_model=True))
    if reason == "max_tokens":
        raise CallFailedError(Failure("The reply was cut off at its longest allowed length.", _LONG, by_model=True))
    if reason == "model_context_window_exceeded":
        raise CallFailedError(Failure("The submission is too long for this model.", _LONG, by_model=True))
    if reason:
        told = f"The model stopped for another reason than being done ({reason[:40]})."
        raise CallFailedError(Failure(told, by_model=True))
    raise CallFailedError(Failure("The reply ended before it was complete.", retry=True))


_REFUSED = "Text in the files may have set it off. Another --model may judge it. " + FORGE_ADVICE
_LONG = "Another --model may have more room. " + FORGE_ADVICE
