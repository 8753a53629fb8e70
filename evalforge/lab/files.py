"""Small things about files."""

from datetime import UTC, datetime
from pathlib import Path


def read_bytes(path: Path) -> bytes | None:
    """The content of a file; None if it isn't there or can't be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def stamp() -> str:
    """Now, as a name that sorts by time."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
