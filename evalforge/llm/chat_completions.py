"""The chat completions API of self-hosted servers, where they can hold a model to a schema.

llama.cpp, Ollama, LM Studio and vLLM support the Messages API too, but silently drop ``output_config`` from it.
Their ``response_format`` becomes a grammar, which even a small model can't leave. A sample of a stream:

    data: {"choices": [{"delta": {"content": "{ "}, "finish_reason": null}]}
    data: {"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}
    data: [DONE]
"""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.reply_pieces import ReplyPiece, ReplyStarted, ReplyStopped, ReplyText, UsageCounted
from evalforge.llm.request import Request

if TYPE_CHECKING:
    import httpx2

ARGUMENT = "response_format"
"""The argument that marks a request for this API."""
_MAX_TEXT_CHARS = 400
_MAX_ITEMS = 3
_MAX_INTEGER = 9_999
_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def request_arguments(schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the arguments that ask for a schema. Every text and list is bounded, or a small model might never stop."""
    form = {"name": name, "strict": True, "schema": _with_ends(schema)}
    return {ARGUMENT: {"type": "json_schema", "json_schema": form}}


def _with_ends(schema: Mapping[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if kind == "string" and "enum" not in schema:
        return {**schema, "maxLength": _MAX_TEXT_CHARS}
    if kind == "integer":
        return {**schema, "minimum": 1, "maximum": _MAX_INTEGER}
    if kind == "array":
        return {**schema, "items": _with_ends(schema["items"]), "maxItems": _MAX_ITEMS}
    if kind == "object":
        properties = cast("dict[str, dict[str, Any]]", schema["properties"])
        return {**schema, "properties": {name: _with_ends(schema) for name, schema in properties.items()}}
    return dict(schema)


async def stream_chat(
    http: "httpx2.AsyncClient", url: str, headers: Mapping[str, str], request: Request
) -> AsyncGenerator[ReplyPiece]:
    """Send a request to a server (its address without ``/v1``) and yield the reply piece by piece.

    Raises:
        CallFailedError: The server rejects this form of request; the Messages API may still work.
        httpx2.HTTPError: The connection failed or broke.
    """
    sending = http.build_request("POST", f"{url}/v1/chat/completions", json=_body(request), headers=dict(headers))
    response = await http.send(sending, stream=True)
    try:
        kind = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
        if response.status_code != 200 or kind not in ("text/event-stream", "application/json"):
            reason = f"The server takes no chat completions (status {response.status_code})."
            raise CallFailedError(CallFailure(reason, format_refused=True))
        if kind == "application/json":
            for piece in _pieces(_object(await response.aread()), "message"):
                yield piece
            return
        async for line in response.aiter_lines():
            data = line.removeprefix("data:").strip()
            if line.startswith("data:") and data != "[DONE]":
                for piece in _pieces(_object(data.encode()), "delta"):
                    yield piece
    finally:
        await response.aclose()


def _body(request: Request) -> dict[str, Any]:
    system = {"role": "system", "content": "\n\n".join(request.system)}
    turns = [{"role": role, "content": text} for role, text in request.messages]
    return {
        "model": request.model,
        "messages": [system, *turns],
        "max_tokens": request.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
        **request.extra_arguments,
    }


def _object(data: bytes) -> Mapping[str, Any]:
    with suppress(ValueError, RecursionError):
        value = json.loads(data)
        if isinstance(value, dict):
            return cast("Mapping[str, Any]", value)
    return {}


def _part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an object within another; empty if it isn't an object."""
    part = value.get(name)
    return cast("Mapping[str, Any]", part) if isinstance(part, dict) else {}


def _pieces(message: Mapping[str, Any], content_name: str) -> list[ReplyPiece]:
    """Return the pieces of a chunk, whose text is in ``delta``, or of a whole reply, whose text is in ``message``."""
    pieces: list[ReplyPiece] = []
    choices = message.get("choices")
    first = cast("Sequence[object]", choices)[0] if isinstance(choices, list) and choices else None
    choice: Mapping[str, Any] = cast("Mapping[str, Any]", first) if isinstance(first, dict) else {}
    part = _part(choice, content_name)
    if part.get("role") == "assistant":
        pieces.append(ReplyStarted(str(message.get("id", ""))[:100], str(message.get("model", ""))[:100]))
    if isinstance(text := part.get("content"), str) and text:
        pieces.append(ReplyText(text))
    usage = _part(message, "usage")
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    if all(isinstance(count, int) and count >= 0 for count in counts):
        pieces.append(UsageCounted(Usage(input=cast("int", counts[0]), output=cast("int", counts[1]))))
    if isinstance(reason := choice.get("finish_reason"), str):
        pieces.append(ReplyStopped(_STOP_REASONS.get(reason, reason)))
    return pieces
