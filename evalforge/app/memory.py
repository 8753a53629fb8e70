"""What the game remembers between two starts that is no attempt: the theme and the bell."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, cast


class Memory:
    """A small JSON file, read once and written whole. A broken or unwritable one is as good as none.

    Args:
        path: The file; it is made when there is something to remember.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)

    @property
    def theme(self) -> str:
        """The theme chosen last; empty if none was."""
        return str(self._known.get("theme") or "")

    @theme.setter
    def theme(self, name: str) -> None:
        self._remember("theme", name)

    @property
    def bell(self) -> bool:
        """Whether the terminal's bell was asked for."""
        return self._known.get("bell") is True

    @bell.setter
    def bell(self, wanted: bool) -> None:
        self._remember("bell", wanted)

    def _remember(self, name: str, value: object) -> None:
        if self._known.get(name) == value:
            return
        self._known[name] = value
        written = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(self._known, indent=1, sort_keys=True), "utf-8")
            written.replace(self._path)
        except OSError:
            with suppress(OSError):
                written.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        known = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", known) if isinstance(known, dict) else {}
