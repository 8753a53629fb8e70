"""One question to a model, independent of the API it is sent to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_FRAME_TOKENS = 400
"""Tokens that a server may add to a request."""


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        model: The model's name at the server.
        system: Text blocks of the system prompt; the first is the same for many requests, and marked for the cache.
        messages: The turns so far as (role, text), the question last.
        max_tokens: The longest reply, thinking included.
        extra_arguments: Further arguments of the SDK's call, such as the reply's format.
        caches_first_turn: Whether other requests share the first turn too, so it is marked for the cache.
    """

    model: str
    system: tuple[str, ...]
    messages: tuple[tuple[str, str], ...]
    max_tokens: int
    extra_arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    caches_first_turn: bool = False

    @property
    def char_count(self) -> int:
        """The number of characters in system prompt, messages and the reply's format."""
        extra = len(json.dumps(dict(self.extra_arguments), ensure_ascii=False)) if self.extra_arguments else 0
        return extra + sum(map(len, self.system)) + sum(len(text) for _, text in self.messages)

    @property
    def max_input_tokens(self) -> int:
        """The most input tokens it can have: no tokenizer makes more tokens from a text than it has bytes."""
        extra = json.dumps(dict(self.extra_arguments), ensure_ascii=False)
        texts = (*self.system, *(text for _, text in self.messages), extra)
        return sum(len(text.encode("utf-8", "replace")) for text in texts) + _FRAME_TOKENS

    def sdk_arguments(self) -> dict[str, Any]:
        """The arguments of the SDK's call, without ``max_tokens``."""
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in self.system]
        if blocks:
            blocks[0]["cache_control"] = {"type": "ephemeral"}
        turns: list[dict[str, Any]] = [
            {"role": role, "content": [{"type": "text", "text": text}]} for role, text in self.messages
        ]
        if self.caches_first_turn:
            turns[0]["content"][0]["cache_control"] = {"type": "ephemeral"}
        system = {"system": blocks} if blocks else {}
        return {"model": self.model, **system, "messages": turns, **self.extra_arguments}
