"""How a reply's JSON schema is asked for: four ways, and which of them works with which server and model.

Not every server that speaks the Messages API enforces a schema: some ignore ``output_config``, some refuse a forced
tool; servers of one's own often enforce one in the chat completions API alone. The surest way is tried first; the one
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
"""How much a model thinks. Its own default may change with a server's release, and levels with it."""
_TAKES_EFFORT = re.compile(r"claude-(?:(?:opus|sonnet)-5|fable-|(?:opus|sonnet)-4-[6-9]|opus-4-5)")


class ResponseFormat(StrEnum):
    """Ways to ask for a schema, the surest first. The values are stored."""

    CHAT_COMPLETIONS = "chat_completions"
    """By ``response_format`` of the chat completions API, which servers of one's own turn into a grammar."""
    OUTPUT_CONFIG = "output_config"
    """By ``output_config``: the server only lets the model write what the schema allows."""
    FORCED_TOOL = "forced_tool"
    """As the input of a tool the model must call."""
    PROMPT = "prompt"
    """By the words of the prompt alone."""

    @classmethod
    def surest(cls, *, is_local: bool) -> "ResponseFormat":
        """The way to try first; only servers on this machine or network are asked by the other API."""
        return cls.CHAT_COMPLETIONS if is_local else cls.OUTPUT_CONFIG

    @property
    def with_fallbacks(self) -> "tuple[ResponseFormat, ...]":
        """This way and all less sure ones, in the order to try them."""
        formats = tuple(ResponseFormat)
        return formats[formats.index(self) :]

    def request_arguments(self, schema: Mapping[str, Any], model: str = "") -> dict[str, Any]:
        """The arguments this way adds to the SDK's call; with an effort for models that are known to take one."""
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
    """Remembers between sessions which format worked. A lost file is harmless: it costs one call to find out again.

    Args:
        path: The file the formats are kept in; ``ladder.json`` in our home if None.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or state_folder() / "ladder.json"

    def last_working(self, server: str, model: str) -> ResponseFormat | None:
        """The format that worked last time, if any did."""
        try:
            return ResponseFormat(str(self._load().get(_key(server, model))))
        except ValueError:
            return None

    def remember(self, server: str, model: str, working: ResponseFormat) -> None:
        """Keep the format that gave a reply of the right form."""
        if self.last_working(server, model) is not working:
            self._store({**self._load(), _key(server, model): working.value})

    def forget(self, server: str, model: str) -> None:
        """Drop a format that doesn't work any more."""
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
