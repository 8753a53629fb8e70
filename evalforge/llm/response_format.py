"""How to ask for a JSON schema: four ways, and which of them works with which server and model.

Not every server with the Messages API enforces a schema: some ignore ``output_config``, some refuse a forced
tool; self-hosted servers often enforce one only in the chat completions API. The surest way is tried first; the one
that gave a reply of the right form is remembered for the next session.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

from evalforge.llm import chat_completions
from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.locations import state_folder

TOOL_NAME = "hand_in_judgement"
_MAX_REMEMBERED = 200
_EFFORT = "medium"
"""How much a model thinks. Set here because a server's default, and so the levels, may change with a release."""
_TAKES_EFFORT = re.compile(r"claude-(?:(?:opus|sonnet)-5|fable-|(?:opus|sonnet)-4-[6-9]|opus-4-5)")


class ResponseFormat(StrEnum):
    """Ways to ask for a schema, the surest first. The values are stored."""

    CHAT_COMPLETIONS = "chat_completions"
    """By ``response_format`` of the chat completions API, which self-hosted servers turn into a grammar."""
    OUTPUT_CONFIG = "output_config"
    """By ``output_config``: the server lets the model write only what the schema allows."""
    FORCED_TOOL = "forced_tool"
    """As the input of a tool the model must call."""
    PROMPT = "prompt"
    """By the prompt's wording alone."""

    @classmethod
    def surest(cls, *, is_local: bool) -> "ResponseFormat":
        """Return the format to try first; the other API is used only for servers on this machine or network."""
        return cls.CHAT_COMPLETIONS if is_local else cls.OUTPUT_CONFIG

    @property
    def with_fallbacks(self) -> "tuple[ResponseFormat, ...]":
        """Return this format and all less reliable ones, in the order to try them."""
        formats = tuple(ResponseFormat)
        return formats[formats.index(self) :]

    def request_arguments(self, schema: Mapping[str, Any], model: str = "") -> dict[str, Any]:
        """Return the arguments this format adds to the SDK's call; with an effort for models known to accept one."""
        if self is ResponseFormat.CHAT_COMPLETIONS:
            return chat_completions.request_arguments(schema, TOOL_NAME)
        if self is ResponseFormat.OUTPUT_CONFIG:
            effort = {"effort": _EFFORT} if _TAKES_EFFORT.match(model) else {}
            return {"output_config": {**effort, "format": {"type": "json_schema", "schema": dict(schema)}}}
        if self is ResponseFormat.FORCED_TOOL:
            tool = {"name": TOOL_NAME, "description": "Submit the whole judgement.", "input_schema": dict(schema)}
            return {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL_NAME}}
        return {}


class FormatNegotiation:
    """Remembers between sessions which format worked. A lost file is harmless: it costs one call to find out again."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or state_folder() / "ladder.json"

    def last_working(self, server: str, model: str) -> ResponseFormat | None:
        """The format that worked last time, if any did."""
        try:
            return ResponseFormat(str(self._load().get(_key(server, model))))
        except ValueError:
            return None

    def remember(self, server: str, model: str, working: ResponseFormat) -> None:
        """Store the format that worked."""
        if self.last_working(server, model) is not working:
            self._store({**self._load(), _key(server, model): working.value})

    def forget(self, server: str, model: str) -> None:
        """Drop a format that no longer works."""
        formats = self._load()
        if formats.pop(_key(server, model), None) is not None:
            self._store(formats)

    def _load(self) -> dict[str, str]:
        return read_json_object(self._path)

    def _store(self, formats: dict[str, str]) -> None:
        with suppress(OSError):
            write_atomically(self._path, json.dumps(dict(list(formats.items())[-_MAX_REMEMBERED:]), indent=1).encode())


def _key(server: str, model: str) -> str:
    return f"{server or 'anthropic'} {model}"
