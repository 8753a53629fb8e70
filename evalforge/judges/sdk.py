"""The one module that knows the model SDK. It is imported inside functions: loading it takes about a second."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from evalforge.judges import credentials
from evalforge.judges.failure import CallFailedError, Failure
from evalforge.judges.money import Usage
from evalforge.judges.options import ModelOptions
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_CONNECT_SECONDS = 10.0
_FRAME_TOKENS = 400
"""What a server may add around a request by itself."""
_PLACEHOLDER_KEY = "local"
"""Local servers ask for no key, but the SDK does."""


@dataclass(frozen=True)
class Request:
    """What is asked. ``system`` is text blocks of which the first is stable and marked for the server's cache."""

    model: str
    system: tuple[str, ...]
    messages: tuple[tuple[str, str], ...]
    max_tokens: int
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def characters(self) -> int:
        """The length of all that is sent."""
        return sum(map(len, self.system)) + sum(len(text) for _, text in self.messages)

    @property
    def most_tokens(self) -> int:
        """The most tokens it can have: no tokenizer makes more of a text than it has bytes."""
        form = json.dumps(dict(self.more), ensure_ascii=False)
        texts = (*self.system, *(text for _, text in self.messages), form)
        return sum(len(text.encode("utf-8", "replace")) for text in texts) + _FRAME_TOKENS

    def arguments(self) -> dict[str, Any]:
        """The arguments of the SDK's call."""
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in self.system]
        blocks[0]["cache_control"] = {"type": "ephemeral"}
        turns = [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in self.messages]
        return {"model": self.model, "system": blocks, "messages": turns, **self.more}


@dataclass(frozen=True)
class Began:
    """The reply begins: its id at the server, and the model that really answers. Empty where it doesn't say."""

    id: str
    model: str


@dataclass(frozen=True)
class Text:
    """A piece of the reply; ``by_tool`` if it came as a tool's input."""

    text: str
    by_tool: bool = False


@dataclass(frozen=True)
class Counted:
    """Tokens used so far, as far as the server told."""

    usage: Usage


@dataclass(frozen=True)
class Stopped:
    """The model stopped, and why. ``detail`` is the category of a refusal."""

    reason: str
    detail: str = ""


Piece = Began | Text | Counted | Stopped


def load() -> None:
    """Import the SDK; for a worker thread, ahead of its use."""
    import anthropic.resources.messages  # noqa: F401  # pyright: ignore[reportUnusedImport]


class Client:
    """A connection to one server. Every failure leaves it as ``CallFailedError``.

    Args:
        options: Where the server is.
        stall: Seconds without a byte after which a server counts as gone.
    """

    def __init__(self, options: ModelOptions, stall: float) -> None:
        self._options = options
        self._stall = stall
        self._sdk: AsyncAnthropic | None = None
        # Many may ask at once, and each would make a connection of its own that nobody closes.
        self._opening = asyncio.Lock()

    @property
    def server(self) -> str:
        """Where it connects to, as it is shown; empty for Anthropic's."""
        return self._options.server

    async def open(self) -> "AsyncAnthropic":
        """The SDK's own client, made when it is first needed."""
        async with self._opening:
            if self._sdk is None:
                self._sdk = await asyncio.to_thread(self._make)
            return self._sdk

    def _make(self) -> "AsyncAnthropic":
        from anthropic import AsyncAnthropic, Timeout

        needs_none = self._options.is_local and not credentials.source()
        secret: dict[str, Any] = {"api_key": _PLACEHOLDER_KEY} if needs_none else credentials.from_environment()
        return AsyncAnthropic(
            **secret,
            base_url=self._options.address or None,
            max_retries=0,
            timeout=Timeout(self._stall, connect=_CONNECT_SECONDS),
        )

    async def close(self) -> None:
        """Close all connections."""
        if self._sdk is not None:
            await self._sdk.close()

    async def stream(self, request: Request, deadline: float) -> AsyncGenerator[Piece]:
        """Ask, and hand on what comes as it comes.

        Args:
            request: What is asked.
            deadline: When it must be over, by ``time.monotonic``; the server's own wishes don't move it.

        Raises:
            CallFailedError: Whatever went wrong.
        """
        from evalforge.judges.faults import expected, failure_of

        events: Any = None
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                sdk = await self.open()
                events = await sdk.messages.create(**request.arguments(), max_tokens=request.max_tokens, stream=True)
            _check_kind(events)
            pieces = _Pieces()
            while True:
                async with asyncio.timeout(deadline - time.monotonic()):
                    event = await anext(events, None)
                if event is None:
                    return
                for piece in pieces.of(event):
                    yield piece
        except expected() as error:
            raise CallFailedError(failure_of(error, request.model, self._options.server)) from None
        finally:
            if events is not None:
                await events.close()

    async def count(self, request: Request) -> int | None:
        """The size of a request in tokens, or None where the server can't tell."""
        from evalforge.judges.faults import expected

        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                sdk = await self.open()
                counted = await sdk.messages.count_tokens(**request.arguments())
            return counted.input_tokens if isinstance(counted.input_tokens, int) else None  # pyright: ignore[reportUnnecessaryIsInstance]
        except expected():
            return None

    async def warm(self, request: Request) -> Usage | None:
        """Have the server put the stable part into its cache; None if it doesn't."""
        from evalforge.judges.faults import expected

        try:
            async with asyncio.timeout(_CONNECT_SECONDS * 3):
                sdk = await self.open()
                message = cast("Any", await sdk.messages.create(**request.arguments(), max_tokens=0))
            return usage_of(message.usage, Usage())
        except expected():
            return None


def _check_kind(events: Any) -> None:
    """A server that answers 200 with anything but a stream of events isn't one of ours."""
    kind = clean_line(str(events.response.headers.get("content-type", ""))).partition(";")[0].strip().lower()
    if kind != "text/event-stream":
        raise CallFailedError(
            Failure(
                f"The server answered with {kind[:60] or 'nothing'} where a stream of events was due.",
                "Is the base URL right? A login page or a proxy may stand in between.",
                unreached=True,
            )
        )


class _Pieces:
    """What the SDK's events say. It hands out events unvalidated, so nothing about them is taken for granted."""

    def __init__(self) -> None:
        self._usage = Usage()

    def of(self, event: Any) -> list[Piece]:
        kind = getattr(event, "type", "")
        if kind == "message_start":
            message = getattr(event, "message", None)
            begun = Began(_name(message, "id"), _name(message, "model"))
            return [begun, self._counted(getattr(message, "usage", None))]
        if kind == "content_block_start":
            return _text(getattr(event, "content_block", None))
        if kind == "content_block_delta":
            return _text(getattr(event, "delta", None))
        if kind == "message_delta":
            counted: Piece = self._counted(getattr(event, "usage", None))
            delta = getattr(event, "delta", None)
            reason = getattr(delta, "stop_reason", None)
            if not isinstance(reason, str):
                return [counted]
            category = getattr(getattr(delta, "stop_details", None), "category", None)
            return [counted, Stopped(reason, category if isinstance(category, str) else "")]
        return []

    def _counted(self, usage: Any) -> Counted:
        self._usage = usage_of(usage, self._usage)
        return Counted(self._usage)


def _text(part: Any) -> list[Piece]:
    """The text of a block's start or of a delta; thinking and whatever else there may be is passed over."""
    kind = getattr(part, "type", "")
    if kind in ("text", "text_delta"):
        text, by_tool = getattr(part, "text", None), False
    elif kind == "input_json_delta":
        text, by_tool = getattr(part, "partial_json", None), True
    else:
        return []
    return [Text(text, by_tool)] if isinstance(text, str) and text else []


def _name(given: Any, name: str) -> str:
    value = cast("object", getattr(given, name, None))
    return clean_line(value, cap=100) if isinstance(value, str) else ""


def usage_of(given: Any, before: Usage) -> Usage:
    """Counts as a server gives them; what it leaves out stays as it was."""

    def number(name: str, old: int) -> int:
        value = cast("object", getattr(given, name, None))
        return value if isinstance(value, int) and value >= 0 else old

    return Usage(
        input=number("input_tokens", before.input),
        output=number("output_tokens", before.output),
        cache_read=number("cache_read_input_tokens", before.cache_read),
        cache_write=number("cache_creation_input_tokens", before.cache_write),
    )
