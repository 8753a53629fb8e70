"""A model's reply, piece by piece, read from SDK objects, any attribute of which may be missing or wrong."""

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.model.text import clean_line


@dataclass(frozen=True)
class ReplyStarted:
    """The reply begins, with its server id and the model that really answers; empty if the server omits them."""

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
    """The model stopped: ``reason`` as in the API (``end_turn``), ``detail`` is the category of a refusal."""

    reason: str
    detail: str = ""


ReplyPiece = ReplyStarted | ReplyText | UsageCounted | ReplyStopped


def whole_message_pieces(body: bytes) -> list[ReplyPiece]:
    """Return the pieces of a message sent as a whole: some servers don't stream.

    Raises:
        CallFailedError: The body is JSON, but isn't a message.
    """
    message = _attributes(json.loads(body))
    if getattr(message, "type", "") != "message" or not isinstance(getattr(message, "content", None), list):
        advice = "Is the base URL right, and does the server offer the Messages API?"
        raise CallFailedError(CallFailure("The server's JSON is not a message.", advice, server_unreached=True))
    return message_pieces(message)


def message_pieces(message: Any) -> list[ReplyPiece]:
    """Return the pieces of a whole message, an object of the SDK or our own from JSON."""
    pieces: list[ReplyPiece] = [
        ReplyStarted(text_attribute(message, "id"), text_attribute(message, "model")),
        UsageCounted(usage_of(_attributes(getattr(message, "usage", None)), Usage())),
    ]
    for block in map(_attributes, cast("list[object]", getattr(message, "content", None) or [])):
        if getattr(block, "type", "") == "tool_use":
            pieces.append(ReplyText(json.dumps(getattr(block, "input", None)), from_tool=True))
        else:
            pieces += _text_pieces(block)
    return [*pieces, *_stop_pieces(message)]


def _stop_pieces(message: Any) -> list[ReplyPiece]:
    """Return why a message or its delta has stopped; none if it has not."""
    reason = getattr(message, "stop_reason", None)
    category = getattr(_attributes(getattr(message, "stop_details", None)), "category", None)
    return [ReplyStopped(reason, category if isinstance(category, str) else "")] if isinstance(reason, str) else []


def _attributes(values: object) -> Any:
    """Convert a JSON object to the SDK's form, names as attributes; anything else stays as it is."""
    return SimpleNamespace(**cast("dict[str, Any]", values)) if isinstance(values, dict) else values


class EventParser:
    """Turns the SDK's events into pieces. The SDK doesn't validate events: any attribute may be missing or wrong."""

    def __init__(self) -> None:
        self._usage = Usage()

    def parse(self, event: Any) -> list[ReplyPiece]:
        """Return the pieces in an event of the SDK; none for unknown kinds."""
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
            return [self._count_usage(getattr(event, "usage", None)), *_stop_pieces(getattr(event, "delta", None))]
        return []

    def _count_usage(self, usage: Any) -> UsageCounted:
        self._usage = usage_of(usage, self._usage)
        return UsageCounted(self._usage)


def _text_pieces(part: Any) -> list[ReplyPiece]:
    """Return the text of a block's start or of a delta; none for thinking and unknown kinds."""
    kind = getattr(part, "type", "")
    if kind in ("text", "text_delta"):
        text, by_tool = getattr(part, "text", None), False
    elif kind == "input_json_delta":
        text, by_tool = getattr(part, "partial_json", None), True
    else:
        return []
    return [ReplyText(text, by_tool)] if isinstance(text, str) and text else []


def text_attribute(sdk_object: Any, name: str, max_chars: int = 100) -> str:
    """Return a text attribute of an SDK object, cleaned; empty if there is none."""
    value = cast("object", getattr(sdk_object, name, None))
    return clean_line(value, cap=max_chars) if isinstance(value, str) else ""


def usage_of(sdk_usage: Any, previous: Usage) -> Usage:
    """Read the token counts of the SDK's usage object; a count the server leaves out keeps its previous value."""

    def token_count(name: str, previous_count: int) -> int:
        value = cast("object", getattr(sdk_usage, name, None))
        return value if isinstance(value, int) and value >= 0 else previous_count

    return Usage(
        input=token_count("input_tokens", previous.input),
        output=token_count("output_tokens", previous.output),
        cache_read=token_count("cache_read_input_tokens", previous.cache_read),
        cache_write=token_count("cache_creation_input_tokens", previous.cache_write),
    )
