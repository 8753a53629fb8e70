"""The one module that knows the model SDK. It is imported inside functions: loading it takes about a second."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from evalforge.llm import credentials
from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.options import ModelOptions
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_CONNECT_SECONDS = 10.0
_FRAME_TOKENS = 400
"""Tokens a server may add around a request by itself."""


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        model: The model's name at the server.
        system: Text blocks of the system prompt; the first is the same for many requests, and marked for the cache.
        messages: The turns so far as (role, text), the question last.
        max_tokens: The longest reply, thinking included.
        extra_arguments: Further arguments of the SDK's call, such as the form of the reply.
        caches_first_turn: Whether the first turn too is the same for further requests, and marked for the cache.
    """

    model: str
    system: tuple[str, ...]
    messages: tuple[tuple[str, str], ...]
    max_tokens: int
    extra_arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    caches_first_turn: bool = False

    @property
    def char_count(self) -> int:
        """Number of characters of system prompt, messages and the form of the reply."""
        extra = len(json.dumps(dict(self.extra_arguments), ensure_ascii=False)) if self.extra_arguments else 0
        return extra + sum(map(len, self.system)) + sum(len(text) for _, text in self.messages)

    @property
    def max_input_tokens(self) -> int:
        """The most input tokens it can have: no tokenizer makes more tokens of a text than it has bytes."""
        extra = json.dumps(dict(self.extra_arguments), ensure_ascii=False)
        texts = (*self.system, *(text for _, text in self.messages), extra)
        return sum(len(text.encode("utf-8", "replace")) for text in texts) + _FRAME_TOKENS

    def sdk_arguments(self) -> dict[str, Any]:
        """The arguments of the SDK's call, ``max_tokens`` apart."""
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in self.system]
        blocks[0]["cache_control"] = {"type": "ephemeral"}
        turns: list[dict[str, Any]] = [
            {"role": role, "content": [{"type": "text", "text": text}]} for role, text in self.messages
        ]
        if self.caches_first_turn:
            turns[0]["content"][0]["cache_control"] = {"type": "ephemeral"}
        return {"model": self.model, "system": blocks, "messages": turns, **self.extra_arguments}


@dataclass(frozen=True)
class ReplyStarted:
    """The reply begins: its id at the server, and the model that really answers; empty where the server omits them."""

    id: str
    model: str


@dataclass(frozen=True)
class ReplyText:
    """A piece of the reply's text; ``from_tool`` if it is a piece of a tool's input."""

    text: str
    from_tool: bool = False


@dataclass(frozen=True)
class UsageCounted:
    """Tokens used so far, as the server counts them."""

    usage: Usage


@dataclass(frozen=True)
class ReplyStopped:
    """The model stopped: ``reason`` as the API names it (``end_turn``), ``detail`` the category of a refusal."""

    reason: str
    detail: str = ""


ReplyPiece = ReplyStarted | ReplyText | UsageCounted | ReplyStopped


def import_sdk() -> None:
    """Import the SDK ahead of its use; takes about a second, so call it in a worker thread."""
    import anthropic.resources.messages  # noqa: F401  # pyright: ignore[reportUnusedImport]


def retirement_notes(models: Iterable[str]) -> tuple[str, ...]:
    """A sentence for each model that is about to be switched off, or was. Imports the SDK, so call it in a thread."""
    from anthropic.resources.messages.messages import DEPRECATED_MODELS

    ends = {model: DEPRECATED_MODELS.get(model, "") for model in models}
    return tuple(f"{model} retires on {end}: name a newer model with --model" for model, end in ends.items() if end)


class Client:
    """A connection to one server. Every failure leaves it as ``CallFailedError``.

    Args:
        options: Where the server is.
        stall_seconds: Time without a byte after which a server counts as gone.
    """

    def __init__(self, options: ModelOptions, stall_seconds: float) -> None:
        self._options = options
        self._stall_seconds = stall_seconds
        self._sdk: AsyncAnthropic | None = None
        # Many calls may start at once, and each would make an SDK client of its own that nobody closes.
        self._sdk_lock = asyncio.Lock()

    @property
    def server(self) -> str:
        """The server's address as it is shown; empty for Anthropic's."""
        return self._options.server

    async def sdk_client(self) -> "AsyncAnthropic":
        """The SDK's own client, made when it is first needed."""
        async with self._sdk_lock:
            if self._sdk is None:
                self._sdk = await asyncio.to_thread(self._make_sdk_client)
            return self._sdk

    def _make_sdk_client(self) -> "AsyncAnthropic":
        from anthropic import AsyncAnthropic, Omit, Timeout

        withheld: dict[str, Any] = {name: Omit() for name in credentials.withheld_headers(self._options)}
        secret: dict[str, Any] = {**credentials.arguments_for(self._options)}
        return AsyncAnthropic(
            **secret,
            default_headers=withheld or None,
            base_url=self._options.sdk_base_url or None,
            max_retries=0,
            timeout=Timeout(self._stall_seconds, connect=_CONNECT_SECONDS),
        )

    async def close(self) -> None:
        """Close all connections."""
        if self._sdk is not None:
            await self._sdk.close()

    async def stream(self, request: Request, deadline: float) -> AsyncGenerator[ReplyPiece]:
        """Send a request and yield the reply piece by piece.

        Args:
            request: The question.
            deadline: When the reply must be complete, by ``time.monotonic``.

        Raises:
            CallFailedError: The call failed, for whatever reason.
        """
        from evalforge.llm.sdk_errors import call_failure, sdk_exceptions

        events: Any = None
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                sdk = await self.sdk_client()
                events = await sdk.messages.create(
                    **request.sdk_arguments(), max_tokens=request.max_tokens, stream=True
                )
            if _content_type(events) == "application/json":
                for piece in _whole_message(await events.response.aread()):
                    yield piece
                return
            _check_content_type(events)
            parser = _EventParser()
            while True:
                async with asyncio.timeout(deadline - time.monotonic()):
                    event = await anext(events, None)
                if event is None:
                    return
                for piece in parser.parse(event):
                    yield piece
        except sdk_exceptions() as error:
            raise CallFailedError(call_failure(error, request.model, self._options.server)) from None
        finally:
            if events is not None:
                await events.close()

    async def count_tokens(self, request: Request) -> int | None:
        """Number of input tokens of a request, counted by the server; None where it can't."""
        from evalforge.llm.sdk_errors import sdk_exceptions

        try:
            sdk = await self.sdk_client()
            # Importing the SDK takes seconds on a busy machine, and is not the server's time.
            async with asyncio.timeout(_CONNECT_SECONDS):
                counted = await sdk.messages.count_tokens(**request.sdk_arguments())
            return counted.input_tokens if isinstance(counted.input_tokens, int) else None  # pyright: ignore[reportUnnecessaryIsInstance]
        except sdk_exceptions():
            return None

    async def fill_cache(self, request: Request) -> Usage | None:
        """Have the server put the first system block into its cache; the usage to pay for, or None if it failed."""
        from evalforge.llm.sdk_errors import sdk_exceptions

        try:
            async with asyncio.timeout(_CONNECT_SECONDS * 3):
                sdk = await self.sdk_client()
                message = cast("Any", await sdk.messages.create(**request.sdk_arguments(), max_tokens=0))
            return usage_of(message.usage, Usage())
        except sdk_exceptions():
            return None


def _content_type(events: Any) -> str:
    return clean_line(str(events.response.headers.get("content-type", ""))).partition(";")[0].strip().lower()


def _whole_message(body: bytes) -> list[ReplyPiece]:
    """The pieces of a message that came at once: some servers don't stream.

    Raises:
        CallFailedError: It is JSON, and no message.
    """
    data = cast("object", json.loads(body))
    message = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    content = message.get("content")
    if message.get("type") != "message" or not isinstance(content, list):
        advice = "Is the base URL right, and does the server speak the Messages API?"
        raise CallFailedError(CallFailure("The server's JSON is no message.", advice, server_unreached=True))
    pieces: list[ReplyPiece] = [ReplyStarted(_text_of(message, "id"), _text_of(message, "model"))]
    usage = message.get("usage")
    pieces.append(UsageCounted(usage_of(SimpleNamespace(**usage) if isinstance(usage, dict) else None, Usage())))
    for part in cast("list[Any]", content):
        block = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
        if block.get("type") == "text":
            pieces.append(ReplyText(str(block.get("text", ""))))
        elif block.get("type") == "tool_use":
            pieces.append(ReplyText(json.dumps(block.get("input")), from_tool=True))
    reason = message.get("stop_reason")
    return [*pieces, ReplyStopped(reason)] if isinstance(reason, str) else pieces


def _text_of(message: dict[str, Any], name: str) -> str:
    value = message.get(name)
    return clean_line(value, cap=100) if isinstance(value, str) else ""


def _check_content_type(events: Any) -> None:
    """Refuse an answer that is no stream of events: a login page answers with status 200 and ``text/html``."""
    content_type = _content_type(events)
    if content_type != "text/event-stream":
        raise CallFailedError(
            CallFailure(
                f"The server answered with {content_type[:60] or 'nothing'} where a stream of events was due.",
                "Is the base URL right? A login page or a proxy may stand in between.",
                server_unreached=True,
            )
        )


class _EventParser:
    """Turns the SDK's events into pieces. The SDK doesn't validate events: any attribute may be missing or wrong."""

    def __init__(self) -> None:
        self._usage = Usage()

    def parse(self, event: Any) -> list[ReplyPiece]:
        kind = getattr(event, "type", "")
        if kind == "message_start":
            message = getattr(event, "message", None)
            started = ReplyStarted(text_attribute(message, "id"), text_attribute(message, "model"))
            return [started, self._count_usage(getattr(message, "usage", None))]
        if kind == "content_block_start":
            return _text_pieces(getattr(event, "content_block", None))
        if kind == "content_block_delta":
            return _text_pieces(getattr(event, "delta", None))
        if kind == "message_delta":
            counted: ReplyPiece = self._count_usage(getattr(event, "usage", None))
            delta = getattr(event, "delta", None)
            reason = getattr(delta, "stop_reason", None)
            if not isinstance(reason, str):
                return [counted]
            category = getattr(getattr(delta, "stop_details", None), "category", None)
            return [counted, ReplyStopped(reason, category if isinstance(category, str) else "")]
        return []

    def _count_usage(self, usage: Any) -> UsageCounted:
        self._usage = usage_of(usage, self._usage)
        return UsageCounted(self._usage)


def _text_pieces(part: Any) -> list[ReplyPiece]:
    """The text of a block's start or of a delta; none of thinking and of kinds we don't know."""
    kind = getattr(part, "type", "")
    if kind in ("text", "text_delta"):
        text, by_tool = getattr(part, "text", None), False
    elif kind == "input_json_delta":
        text, by_tool = getattr(part, "partial_json", None), True
    else:
        return []
    return [ReplyText(text, by_tool)] if isinstance(text, str) and text else []


def text_attribute(sdk_object: Any, name: str, max_chars: int = 100) -> str:
    """A text attribute of an object of the SDK, cleaned; empty where there is none."""
    value = cast("object", getattr(sdk_object, name, None))
    return clean_line(value, cap=max_chars) if isinstance(value, str) else ""


def usage_of(sdk_usage: Any, previous: Usage) -> Usage:
    """Token counts of the SDK's usage object; a count the server leaves out stays as it was before."""

    def token_count(name: str, previous_count: int) -> int:
        value = cast("object", getattr(sdk_usage, name, None))
        return value if isinstance(value, int) and value >= 0 else previous_count

    return Usage(
        input=token_count("input_tokens", previous.input),
        output=token_count("output_tokens", previous.output),
        cache_read=token_count("cache_read_input_tokens", previous.cache_read),
        cache_write=token_count("cache_creation_input_tokens", previous.cache_write),
    )
