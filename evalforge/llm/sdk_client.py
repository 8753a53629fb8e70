"""The one module that knows the model SDK. It is imported inside functions: loading it takes about a second."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, cast

from evalforge.llm import chat_completions, credentials
from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.reply_pieces import EventParser, ReplyPiece, usage_of, whole_message_pieces
from evalforge.llm.request import Request
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_CONNECT_SECONDS = 10.0


def import_sdk() -> None:
    """Import the SDK before it is needed; takes about a second, so call it in a worker thread."""
    import anthropic.resources.messages  # noqa: F401  # pyright: ignore[reportUnusedImport]


class Client:
    """A connection to one server, gone after ``stall_seconds`` without a byte; failures are ``CallFailedError``."""

    def __init__(self, options: ModelOptions, stall_seconds: float) -> None:
        self._options = options
        self._stall_seconds = stall_seconds
        self._sdk: AsyncAnthropic | None = None
        # Many calls may start at once; without the lock each would create an SDK client that nobody closes.
        self._sdk_lock = asyncio.Lock()

    @property
    def server(self) -> str:
        """The server's address as it is shown; empty for Anthropic's."""
        return self._options.server

    async def sdk_client(self) -> "AsyncAnthropic":
        """Return the SDK's own client, created on first use."""
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
        """Close all connections to the server."""
        if self._sdk is not None:
            await self._sdk.close()

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece]:
        """Send a request and yield the reply piece by piece."""
        from evalforge.llm.sdk_errors import call_failures

        events: Any = None
        try:
            with call_failures(request.model, self._options.server):
                if chat_completions.ARGUMENT in request.extra_arguments:
                    async with aclosing(self._stream_chat(request)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                sdk = await self.sdk_client()
                events = await sdk.messages.create(
                    **request.sdk_arguments(), max_tokens=request.max_tokens, stream=True
                )
                content_type = str(events.response.headers.get("content-type", "")).partition(";")[0].strip().lower()
                if content_type == "application/json":
                    for piece in whole_message_pieces(await events.response.aread()):
                        yield piece
                    return
                if content_type != "text/event-stream":
                    raise CallFailedError(_unexpected_answer(content_type))
                parser = EventParser()
                async for event in events:
                    for piece in parser.parse(event):
                        yield piece
        finally:
            if events is not None:
                await events.close()

    async def _stream_chat(self, request: Request) -> AsyncGenerator[ReplyPiece]:
        import httpx2

        timeout = httpx2.Timeout(self._stall_seconds, connect=_CONNECT_SECONDS)
        headers = credentials.bearer_header(self._options)
        async with httpx2.AsyncClient(timeout=timeout) as http:
            pieces = chat_completions.stream_chat(http, self._options.sdk_base_url, headers, request)
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece

    async def count_tokens(self, request: Request) -> int | None:
        """Ask the server for the number of input tokens of a request; None if it can't count them."""
        from evalforge.llm.sdk_errors import call_failures

        with suppress(CallFailedError), call_failures(request.model, self._options.server):
            sdk = await self.sdk_client()
            # Importing the SDK takes seconds on a busy machine, and is not the server's time.
            async with asyncio.timeout(_CONNECT_SECONDS):
                counted = await sdk.messages.count_tokens(**request.sdk_arguments())
            return counted.input_tokens if isinstance(counted.input_tokens, int) else None  # pyright: ignore[reportUnnecessaryIsInstance]
        return None

    async def fill_cache(self, request: Request) -> Usage | None:
        """Have the server cache the first system block; returns the usage to pay for, or None if it failed."""
        from evalforge.llm.sdk_errors import call_failures

        with suppress(CallFailedError), call_failures(request.model, self._options.server):
            async with asyncio.timeout(_CONNECT_SECONDS * 3):
                sdk = await self.sdk_client()
                message = cast("Any", await sdk.messages.create(**request.sdk_arguments(), max_tokens=0))
            return usage_of(message.usage, Usage())
        return None


def _unexpected_answer(content_type: str) -> CallFailure:
    """What is wrong with an answer that isn't a stream of events: a login page answers with 200 and ``text/html``."""
    kind = clean_line(content_type)[:60] or "nothing"
    return CallFailure(
        f"The server answered with {kind} where a stream of events was expected.",
        "Is the base URL right? A login page or a proxy may be in between.",
        server_unreached=True,
    )
