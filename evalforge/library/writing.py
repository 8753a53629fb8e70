"""Files written whole or not at all."""

import os
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


def _sync_folder(folder: Path) -> None:
    """Have a new name kept; the content alone would be there under the old one."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
