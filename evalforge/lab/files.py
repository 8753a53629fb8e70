"""Reading a file that may be missing, and names that sort by time."""

from datetime import UTC, datetime
from pathlib import Path


def read_bytes_if_present(path: Path) -> bytes | None:
    """The content of a file; None if it is missing or can't be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def timestamp() -> str:
    """The current UTC time with microseconds, such as ``20250131-093000-000000``: names that sort by time."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
