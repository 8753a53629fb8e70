"""Files written whole or not at all."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that whoever reads it sees the old content or the new, never a part.

    Args:
        path: The file; its folder is made if need be.
        data: Its content.
        durable: Whether it must be on the disk before this returns.

    Raises:
        OSError: It can't be written; the old content is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with written.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        written.replace(path)
    except OSError:
        with suppress(OSError):
            written.unlink(missing_ok=True)
        raise


def read_bytes(path: Path) -> bytes | None:
    """The content of a file; None if it isn't there or can't be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def stamp() -> str:
    """Now, as a name that sorts by time."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
