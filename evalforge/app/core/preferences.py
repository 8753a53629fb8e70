"""Preferences kept between sessions: the theme and the bell."""

import json
from contextlib import suppress
from pathlib import Path

from evalforge.packs.atomic_files import read_json_object, write_atomically


class Preferences:
    """A small JSON file, read once and written whole. A broken or unwritable file is ignored.

    Args:
        path: The file; it is created when there is something to store.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values = read_json_object(path)

    @property
    def theme(self) -> str:
        """The last chosen theme; empty if none was chosen."""
        return str(self._values.get("theme") or "")

    @theme.setter
    def theme(self, name: str) -> None:
        self._set("theme", name)

    @property
    def bell(self) -> bool:
        """Whether the terminal's bell is enabled."""
        return self._values.get("bell") is True

    @bell.setter
    def bell(self, is_on: bool) -> None:
        self._set("bell", is_on)

    def _set(self, name: str, value: object) -> None:
        if self._values.get(name) == value:
            return
        self._values[name] = value
        with suppress(OSError):
            write_atomically(self._path, json.dumps(self._values, indent=1, sort_keys=True).encode())
