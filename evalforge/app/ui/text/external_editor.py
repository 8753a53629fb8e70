"""The player's editor, opened at a line: the ways the common ones want to be told."""

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

_PLUS = frozenset("vi vim nvim view gvim mvim nano pico emacs emacsclient kak micro joe jed mg ne gedit".split())
"""``editor +LINE FILE``"""
_COLON = frozenset("hx helix subl sublime_text zed zeditor lapce".split())
"""``editor FILE:LINE``"""
_GOTO = frozenset("code code-insiders codium vscodium cursor windsurf positron".split())
"""``editor --goto FILE:LINE``"""


def editor(environment: Mapping[str, str] | None = None) -> list[str]:
    """The editor as words of a command; empty if none is named or it isn't there."""
    named = environment if environment is not None else os.environ
    for variable in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(named.get(variable, ""))
        except ValueError:
            continue
        if words and shutil.which(words[0], path=named.get("PATH")):
            return words
    return []


def command(words: list[str], file: Path, line: int | None) -> list[str]:
    """The whole command that opens a file, at a line where the editor is known to take one.

    Args:
        words: The editor, perhaps with options.
        file: What to open; absolute, so that no name of it can be read as an option.
        line: Counts from 1.
    """
    name = Path(words[0]).name.removesuffix(".exe")
    path = str(file.absolute())
    if line is None:
        return [*words, path]
    if name in _PLUS:
        return [*words, f"+{line}", path]
    if name in _COLON:
        return [*words, f"{path}:{line}"]
    if name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    return [*words, path]


def find(directory: str, path: str) -> Path | None:
    """A file of a submission where it lies on the disk now; None if it is gone or would lie outside."""
    folder = Path(directory).resolve()
    try:
        file = (folder / path).resolve()
        return file if file.is_relative_to(folder) and file.is_file() else None
    except (OSError, ValueError):
        return None
