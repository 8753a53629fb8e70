"""Message batches: many requests handed in together, done within a day at half the price."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from evalforge.judges.failure import CallFailedError, Failure
from evalforge.judges.money import Usage
from evalforge.judges.sdk import Client, Request, Stopped, usage_of
from evalforge.model.text import clean_line

_PAGE = 100


@dataclass(frozen=True)
class BatchState:
    """How it stands with a batch: whether it has ended, how many requests it has, and how many of them are done."""

    id: str
    ended: bool
    requests: int
    done: int


@dataclass(frozen=True)
class BatchResult:
    """One request's result, matched by its own name: results come in any order.

    Attributes:
        name: The ``custom_id`` of the request.
        outcome: ``succeeded``, ``errored``, ``canceled`` or ``expired``.
        text: The reply, if it succeeded.
        stopped: Why the model stopped.
        usage: What it used.
        model: Who answered.
        reply_id: The reply's id at the server.
        error: What the server said, if it errored.
    """

    name: str
    outcome: str
    text: str = ""
    stopped: Stopped | None = None
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    reply_id: str = ""
    error: str = ""


async def create(client: Client, requests: Mapping[str, Request]) -> BatchState:
    """Hand in requests by name.

    Raises:
        CallFailedError: There is no batch, or nobody knows whether there is.
    """
    entries = [{"custom_id": name, "params": _params(request)} for name, request in requests.items()]
    return _state(await _call(client, lambda sdk: sdk.messages.batches.create(requests=entries)))


async def state(client: Client, batch: str) -> BatchState:
    """How it stands with a batch.

    Raises:
        CallFailedError: The server doesn't say.
    """
    return _state(await _call(client, lambda sdk: sdk.messages.batches.retrieve(batch)))


async def newest(client: Client, until: str = "") -> list[BatchState]:
    """The newest batches, newest first, those since ``until`` if it is named.

    Raises:
        CallFailedError: The server doesn't say.
    """
    page = await _call(client, lambda sdk: sdk.messages.batches.list(limit=_PAGE))
    found: list[BatchState] = []
    for entry in cast("list[Any]", getattr(page, "data", None) or []):
        one = _state(entry)
        if until and one.id == until:
            break
        found.append(one)
    return found


async def results(client: Client, batch: str) -> AsyncGenerator[BatchResult]:
    """The results of a batch that has ended.

    Raises:
        CallFailedError: They can't be had; some may have come before.
    """
    from evalforge.judges.faults import expected

    entries = await _call(client, lambda sdk: sdk.messages.batches.results(batch))
    try:
        async for entry in entries:
            yield _result(entry)
    except expected() as error:
        raise _failed(client, error) from None
    finally:
        await entries.close()


async def _call(client: Client, make: Callable[[Any], Awaitable[Any]]) -> Any:
    from evalforge.judges.faults import expected

    try:
        return await make(await client.open())
    except expected() as error:
        raise _failed(client, error) from None


def _failed(client: Client, error: BaseException) -> CallFailedError:
    from evalforge.judges.faults import failure_of

    return CallFailedError(failure_of(error, "", client.server))


def _params(request: Request) -> dict[str, Any]:
    # What belongs to a call of its own, such as its headers, has no place in a batch.
    arguments = {name: value for name, value in request.arguments().items() if not name.startswith("extra_")}
    return {**arguments, "max_tokens": request.max_tokens}


def _state(given: Any) -> BatchState:
    name, status = getattr(given, "id", None), getattr(given, "processing_status", None)
    if not isinstance(name, str) or not name or not isinstance(status, str):
        raise CallFailedError(Failure("The server's answer is no message batch.", "Does it offer message batches?"))
    counts = getattr(given, "request_counts", None)
    waiting = _count(counts, "processing")
    done = sum(_count(counts, kind) for kind in ("succeeded", "errored", "canceled", "expired"))
    return BatchState(name, status == "ended", waiting + done, done)


def _count(counts: Any, kind: str) -> int:
    value = getattr(counts, kind, None)
    return value if isinstance(value, int) else 0


def _result(entry: Any) -> BatchResult:
    """A result as far as it holds together; the SDK hands it out unvalidated."""
    name, result = _word(entry, "custom_id"), getattr(entry, "result", None)
    outcome = _word(result, "type") or "errored"
    if outcome != "succeeded":
        told = getattr(getattr(result, "error", None), "error", None)
        return BatchResult(name, outcome, error=_word(told, "message"))
    message = getattr(result, "message", None)
    texts = [getattr(part, "text", None) for part in cast("list[Any]", getattr(message, "content", None) or [])]
    reason = _word(message, "stop_reason")
    return BatchResult(
        name=name,
        outcome=outcome,
        text="".join(text for text in texts if isinstance(text, str)),
        stopped=Stopped(reason, _word(getattr(message, "stop_details", None), "category")) if reason else None,
        usage=usage_of(getattr(message, "usage", None), Usage()),
        model=_word(message, "model"),
        reply_id=_word(message, "id"),
    )


def _word(given: Any, name: str) -> str:
    value = getattr(given, name, None)
    return clean_line(value, cap=200) if isinstance(value, str) else ""
