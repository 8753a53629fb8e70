"""Writes the files of an export atomically, under names that every file system allows."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_atomically

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME_BYTES = 120
"""Every file system allows names of that length, and an ending besides."""


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a file atomically.

    Raises:
        UsageError: It can't be written.
    """
    try:
        write_atomically(path, text.encode(encoding, "replace"))
    except OSError as error:
        raise UsageError(f"{path} can't be written ({error.strerror}).") from None


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON.

    Raises:
        UsageError: It can't be written.
    """
    write(path, json.dumps(data, ensure_ascii=True, indent=2) + "\n")


def file_names(row_ids: Iterable[str]) -> dict[str, str]:
    """A file name for each row: without folders, not hidden, and different even where case is ignored."""
    names: dict[str, str] = {}
    used_names: set[str] = set()
    for row_id in row_ids:
        base = name = _shorten(_UNSAFE.sub("_", row_id).strip("._")) or "row"
        count = 1
        while name.casefold() in used_names:
            count += 1
            name = f"{base}-{count}"
        used_names.add(name.casefold())
        names[row_id] = name
    return names


def _shorten(name: str) -> str:
    """As many whole characters as fit."""
    return name.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore")
