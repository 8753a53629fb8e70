"""Files and folders written whole or not at all."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = False, mode: int = 0o666) -> None:
    """Write a file so that whoever reads it sees the old content or the new, never a part.

    Args:
        path: The file; its folder is made if need be.
        data: Its content.
        durable: Whether it must be on the disk, under its name, before this returns.
        mode: Its permissions, less the umask.

    Raises:
        OSError: It can't be written; the old content is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        written.replace(path)
        if durable:
            _sync_folder(path.parent)
    except OSError:
        with suppress(OSError):
            written.unlink(missing_ok=True)
        raise


def is_free(folder: Path) -> bool:
    """Whether nothing is there yet, or a folder that is empty.

    Raises:
        OSError: It can't be looked at.
    """
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files into a folder that is new or empty; on failure it is as it was, so that one can try again.

    Args:
        folder: It and the folders it lies in are made if need be.
        files: The path of each within it, and its content.

    Raises:
        OSError: They can't all be written.
    """
    made: list[Path] = []
    try:
        _make(folder, made)
        for relative, data in files:
            path = folder / relative
            _make(path.parent, made)
            made.append(path)
            path.write_bytes(data)
    except BaseException:
        # Not written beside and renamed: an empty folder that was there, perhaps one's own place, is kept.
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _make(folder: Path, made: list[Path]) -> None:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir()
        made.append(place)


def _sync_folder(folder: Path) -> None:
    """Have a new name kept; the content alone would be there under the old one."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
