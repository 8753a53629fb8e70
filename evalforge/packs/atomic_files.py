"""Files and folders that are written completely or not at all."""

import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from evalforge.model.errors import UsageError
from evalforge.packs.path_checks import exists
from evalforge.packs.private_files import FILE_MODE, make_private_folders


def write_atomically(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Replace a file atomically: a reader sees the old content or the new, never a part.

    A file that existed keeps its permissions; a new one is the user's alone.

    Args:
        path: The file; missing folders are created for the user alone.
        data: The new content.
        durable: Whether it must be on the disk, under its name, before this returns.

    Raises:
        OSError: It can't be written; the old content is kept.
    """
    make_private_folders(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb") as file:
            file.write(data)
            with suppress(FileNotFoundError):
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
        if durable:
            _sync_folder(path.parent)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Replace a text file atomically.

    Raises:
        UsageError: It can't be written.
    """
    write_bytes(path, text.encode(encoding, "replace"))


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file atomically.

    Raises:
        UsageError: It can't be written.
    """
    try:
        write_atomically(path, content)
    except OSError as error:
        raise UsageError(f"{path} can't be written ({error.strerror}).") from None


def read_json_object(path: Path) -> dict[str, Any]:
    """Read the JSON object in a file; empty if the file is missing, unreadable, or has something else."""
    try:
        data: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def unused_path(folder: Path, stem: str, ending: str) -> Path:
    """An unused path in a folder: ``stem`` with the ending, or with a number, such as ``stem-2.json``.

    Raises:
        UsageError: A thousand such names are taken.
    """
    for count in range(1, 1_000):
        path = folder / f"{stem}{f'-{count}' if count > 1 else ''}{ending}"
        if not exists(path):
            return path
    raise UsageError(f"{stem} was exported too many times.", f"Make room in {folder}.")


def is_missing_or_empty(folder: Path) -> bool:
    """Whether a folder doesn't exist yet, or is empty.

    Raises:
        OSError: It can't be read.
    """
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def fill_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files into a folder that is new or empty; on failure everything created is removed again.

    Args:
        folder: The folder; it and its parents are created if missing.
        files: The relative path and the content of each file.

    Raises:
        OSError: They can't all be written.
    """
    created: list[Path] = []
    try:
        _make_folders(folder, created)
        for relative, data in files:
            path = folder / relative
            _make_folders(path.parent, created)
            created.append(path)
            path.write_bytes(data)
    except BaseException:
        # The folder isn't renamed into place, because it may already exist and be the user's working directory.
        for path in reversed(created):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _make_folders(folder: Path, created: list[Path]) -> None:
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    for parent in reversed(missing):
        parent.mkdir()
        created.append(parent)


def _sync_folder(folder: Path) -> None:
    """Sync a folder to the disk: without it a crash could lose a new file's name, though not its content."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
