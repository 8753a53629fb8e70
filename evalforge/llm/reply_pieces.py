"""A model's reply piece by piece, read from the SDK's objects, any attribute of which may be missing or wrong."""

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.model.text import clean_line


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


def whole_message_pieces(body: bytes) -> list[ReplyPiece]:
    """The pieces of a message that came at once: some servers don't stream.

    Raises:
        CallFailedError: It is JSON, and no message.
    """
    message = _attributes(json.loads(body))
    content = getattr(message, "content", None)
    if getattr(message, "type", "") != "message" or not isinstance(content, list):
        advice = "Is the base URL right, and does the server offer the Messages API?"
        raise CallFailedError(CallFailure("The server's JSON is not a message.", advice, server_unreached=True))
    started = ReplyStarted(text_attribute(message, "id"), text_attribute(message, "model"))
    pieces: list[ReplyPiece] = [started, UsageCounted(usage_of(_attributes(getattr(message, "usage", None)), Usage()))]
    for block in map(_attributes, cast("list[object]", content)):
        if getattr(block, "type", "") == "tool_use":
            pieces.append(ReplyText(json.dumps(getattr(block, "input", None)), from_tool=True))
        else:
            pieces += _text_pieces(block)
    reason = getattr(message, "stop_reason", None)
    return [*pieces, ReplyStopped(reason)] if isinstance(reason, str) else pieces


def _attributes(values: object) -> SimpleNamespace:
    """A JSON object in the form in which the SDK hands over its own: names as attributes. Empty if it is none."""
    return SimpleNamespace(**cast("dict[str, Any]", values)) if isinstance(values, dict) else SimpleNamespace()


class EventParser:
    """Turns the SDK's events into pieces. The SDK doesn't validate events: any attribute may be missing or wrong."""

    def __init__(self) -> None:
        self._usage = Usage()

    def parse(self, event: Any) -> list[ReplyPiece]:
        """The pieces that an event of the SDK holds; none for kinds we don't know."""
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
