"""Preferences kept between two starts: the theme and the bell."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, cast


class Preferences:
    """A small JSON file, read once and written whole. A broken or unwritable one is as good as none.

    Args:
        path: The file; it is made when there is something to remember.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values = _read(path)

    @property
    def theme(self) -> str:
        """The theme chosen last; empty if none was."""
        return str(self._values.get("theme") or "")

    @theme.setter
    def theme(self, name: str) -> None:
        self._set("theme", name)

    @property
    def bell(self) -> bool:
        """Whether the terminal's bell was asked for."""
        return self._values.get("bell") is True

    @bell.setter
    def bell(self, wanted: bool) -> None:
        self._set("bell", wanted)

    def _set(self, name: str, value: object) -> None:
        if self._values.get(name) == value:
            return
        self._values[name] = value
        written = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(self._values, indent=1, sort_keys=True), "utf-8")
            written.replace(self._path)
        except OSError:
            with suppress(OSError):
                written.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", values) if isinstance(values, dict) else {}
