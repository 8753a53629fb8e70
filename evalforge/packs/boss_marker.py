"""The marker file that ``evalforge new`` puts in a folder: it names the boss, so that commands needn't."""

from pathlib import Path

MARKER = ".evalforge"
"""The file's name. It isn't part of a submission."""

_MAX_CHARS = 200
_REMARK = "# Which boss this folder is for; evalforge judge, watch and impostors read it.\n"


def marker_text(boss: str) -> str:
    """The content of the marker for a boss."""
    return f"{_REMARK}{boss}\n"


def marked_boss(folder: Path) -> str:
    """The boss that a folder's marker names; empty if there is no readable marker."""
    try:
        path = folder / MARKER
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open(encoding="utf-8") as file:
            text = file.read(_MAX_CHARS)
    except (OSError, ValueError):
        return ""
    return next((line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
