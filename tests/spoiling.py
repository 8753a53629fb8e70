"""Spoils a file of a pack in one place."""

from pathlib import Path


def spoil(path: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file, once."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
