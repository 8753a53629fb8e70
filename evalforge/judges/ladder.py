"""How a reply's form is asked for: three rungs, and which one works with which server and model."""

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from evalforge.library.places import home
from evalforge.library.writing import write_whole

TOOL = "hand_in_judgement"
_KEPT = 200


class Rung(StrEnum):
    """Ways to ask for a form, the surest first."""

    OUTPUT_CONFIG = "output_config"
    FORCED_TOOL = "forced_tool"
    PROMPT = "prompt"

    @property
    def downwards(self) -> "tuple[Rung, ...]":
        """This rung and all below it."""
        rungs = tuple(Rung)
        return rungs[rungs.index(self) :]

    def arguments(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """What this rung adds to a request."""
        if self is Rung.OUTPUT_CONFIG:
            return {"output_config": {"format": {"type": "json_schema", "schema": dict(schema)}}}
        if self is Rung.FORCED_TOOL:
            tool = {"name": TOOL, "description": "Hand in the whole judgement.", "input_schema": dict(schema)}
            return {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}
        return {}


class Ladder:
    """Remembers rungs between sessions. Forgetting is harmless: it costs one call to find out again.

    Args:
        path: The file it is kept in; the one in our home if None.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or home() / "ladder.json"

    def known(self, server: str, model: str) -> Rung | None:
        """The rung that worked last time, if any did."""
        try:
            return Rung(str(self._load().get(_key(server, model))))
        except ValueError:
            return None

    def remember(self, server: str, model: str, rung: Rung) -> None:
        """This rung gave a reply of the right form."""
        if self.known(server, model) is not rung:
            self._store({**self._load(), _key(server, model): rung.value})

    def forget(self, server: str, model: str) -> None:
        """What worked doesn't any more."""
        rungs = self._load()
        if rungs.pop(_key(server, model), None) is not None:
            self._store(rungs)

    def _load(self) -> dict[str, str]:
        try:
            data = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return cast("dict[str, str]", data) if isinstance(data, dict) else {}

    def _store(self, rungs: dict[str, str]) -> None:
        try:
            write_whole(self._path, json.dumps(dict(list(rungs.items())[-_KEPT:]), indent=1).encode())
        except OSError:
            return


def _key(server: str, model: str) -> str:
    return f"{server or 'anthropic'} {model}"
