"""Paths as people write them."""

import os
from pathlib import Path


def folder_of(text: str) -> Path:
    """The path a person typed."""
    return Path(text.strip() or ".").expanduser()


def short(path: str | Path) -> str:
    """A path with the home folder as ``~``."""
    text, home = os.fspath(path), str(Path.home())
    return f"~{text[len(home) :]}" if home != "/" and (text == home or text.startswith(f"{home}/")) else text
