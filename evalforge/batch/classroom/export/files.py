"""Files of an export: whole or not at all, under names every file system takes."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evalforge.library.writing import write_whole
from evalforge.model.errors import UsageError

_UNSAFE = re.compile(r"[^\w.-]+")
_CAP = 120
"""Bytes of a name; every file system takes so many, and an ending besides."""


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a file; one that was there is replaced only by a whole one.

    Raises:
        UsageError: It can't be written.
    """
    try:
        write_whole(path, text.encode(encoding, "replace"))
    except OSError as error:
        raise UsageError(f"{path} can't be written ({error.strerror}).") from None


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON.

    Raises:
        UsageError: It can't be written.
    """
    write(path, json.dumps(data, ensure_ascii=True, indent=2) + "\n")


def file_names(row_ids: Iterable[str]) -> dict[str, str]:
    """A name of its own for each row: no folders, nothing hidden, told apart even where case is not."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for row_id in row_ids:
        base = name = _cut(_UNSAFE.sub("_", row_id).strip("._")) or "row"
        count = 1
        while name.casefold() in used:
            count += 1
            name = f"{base}-{count}"
        used.add(name.casefold())
        names[row_id] = name
    return names


def _cut(name: str) -> str:
    """As many whole characters as there is room for."""
    return name.encode()[:_CAP].decode("utf-8", "ignore")
