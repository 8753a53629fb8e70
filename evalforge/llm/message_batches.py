"""Message batches: many requests sent together, answered within a day at half the price.

A call that fails raises ``CallFailedError``.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.reply_pieces import ReplyPiece, message_pieces, text_attribute
from evalforge.llm.request import Request
from evalforge.llm.sdk_client import Client

_BATCHES_PER_PAGE = 100


@dataclass(frozen=True)
class BatchState:
    """The state of a batch: its server id, whether it has ended, how many requests it has and has answered."""

    id: str
    ended: bool
    requests: int
    done: int


@dataclass(frozen=True)
class BatchResult:
    """The result of one request, matched by its name: results come in any order.

    Attributes:
        name: The ``custom_id`` of the request.
        outcome: ``succeeded``, ``errored``, ``canceled`` or ``expired``.
        reply: The reply, if it succeeded.
        error: What the server said, if it errored.
    """

    name: str
    outcome: str
    reply: tuple[ReplyPiece, ...] = ()
    error: str = ""


async def create(client: Client, requests: Mapping[str, Request]) -> BatchState:
    """Send requests as one batch, each under its own name; after a broken connection it may or may not exist."""
    entries = [{"custom_id": name, "params": _params(request)} for name, request in requests.items()]
    return _read_state(await _call(client, lambda sdk: sdk.messages.batches.create(requests=entries)))


async def get_state(client: Client, batch: str) -> BatchState:
    """Ask the server for the state of a batch."""
    return _read_state(await _call(client, lambda sdk: sdk.messages.batches.retrieve(batch)))


async def list_newest(client: Client, until: str | None = None) -> list[BatchState]:
    """List batches, newest first: a page, or all that were created after ``until``; all of them if that is empty."""
    page = await _call(client, lambda sdk: sdk.messages.batches.list(limit=_BATCHES_PER_PAGE))
    states: list[BatchState] = []
    while True:
        for sdk_batch in cast("list[Any]", getattr(page, "data", None) or []):
            state = _read_state(sdk_batch)
            if until and state.id == until:
                return states
            states.append(state)
        if until is None or not page.has_next_page():
            return states
        page = await _call(client, lambda _, page=page: page.get_next_page())


async def results(client: Client, batch: str) -> AsyncGenerator[BatchResult]:
    """Yield the results of a batch that has ended; some may have been yielded when the call fails."""
    from evalforge.llm.sdk_errors import call_failures

    entries = await _call(client, lambda sdk: sdk.messages.batches.results(batch))
    try:
        with call_failures("", client.server):
            async for entry in entries:
                yield _read_result(entry)
    finally:
        await entries.close()


async def _call(client: Client, make: Callable[[Any], Awaitable[Any]]) -> Any:
    from evalforge.llm.sdk_errors import call_failures

    with call_failures("", client.server):
        return await make(await client.sdk_client())


def _params(request: Request) -> dict[str, Any]:
    # Arguments of a single call, such as extra_headers, are not accepted in a batch.
    arguments = {name: value for name, value in request.sdk_arguments().items() if not name.startswith("extra_")}
    return {**arguments, "max_tokens": request.max_tokens}


def _read_state(sdk_batch: Any) -> BatchState:
    batch_id, status = getattr(sdk_batch, "id", None), getattr(sdk_batch, "processing_status", None)
    if not isinstance(batch_id, str) or not batch_id or not isinstance(status, str):
        raise CallFailedError(
            CallFailure("The server's answer is not a message batch.", "Does it offer message batches?")
        )
    counts = getattr(sdk_batch, "request_counts", None)
    waiting = _count(counts, "processing")
    done = sum(_count(counts, kind) for kind in ("succeeded", "errored", "canceled", "expired"))
    return BatchState(batch_id, status == "ended", waiting + done, done)


def _count(counts: Any, kind: str) -> int:
    value = getattr(counts, kind, None)
    return value if isinstance(value, int) else 0


def _read_result(entry: Any) -> BatchResult:
    """Read one entry of the results; the SDK doesn't validate it, so any attribute may be missing or wrong."""
    name, result = text_attribute(entry, "custom_id"), getattr(entry, "result", None)
    outcome = text_attribute(result, "type") or "errored"
    if outcome != "succeeded":
        sdk_error = getattr(getattr(result, "error", None), "error", None)
        return BatchResult(name, outcome, error=text_attribute(sdk_error, "message", 200))
    return BatchResult(name, outcome, tuple(message_pieces(getattr(result, "message", None))))
