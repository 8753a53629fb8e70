"""Opens the player's editor at a line: the argument forms of common editors."""

import os
import shlex
import shutil
from pathlib import Path

_PLUS = frozenset("vi vim nvim view gvim mvim nano pico emacs emacsclient kak micro joe jed mg ne gedit".split())
"""Editors opened by ``editor +LINE FILE``."""
_COLON = frozenset("hx helix subl sublime_text zed zeditor lapce".split())
"""Editors opened by ``editor FILE:LINE``."""
_GOTO = frozenset("code code-insiders codium vscodium cursor windsurf positron".split())
"""Editors opened by ``editor --goto FILE:LINE``."""

_USUAL = ("sensible-editor", "editor", "nano", "micro", "vim", "vi", "emacs")
"""The editors to suggest if none is named, the easiest to leave first."""


def environment_editor() -> list[str]:
    """The editor that ``VISUAL`` or ``EDITOR`` names, as words of a command; empty if neither can be run."""
    commands = (command_words(os.environ.get(variable, "")) for variable in ("VISUAL", "EDITOR"))
    return next(filter(None, commands), list[str]())


def command_words(text: str) -> list[str]:
    """A command line as words; empty if it isn't one, or its program isn't installed."""
    try:
        words = shlex.split(text)
    except ValueError:
        return []
    return words if words and shutil.which(words[0]) else []


def installed_editor() -> str:
    """The first of the usual editors that is installed; empty if none is."""
    return next(filter(shutil.which, _USUAL), "")


def command(arguments: list[str], file: Path, line: int | None) -> list[str]:
    """The complete command that opens a file, at a line if the editor is known to support that.

    Args:
        arguments: The editor, optionally with options.
        file: The file to open; absolute, so that its name can't be read as an option.
        line: Counts from 1.
    """
    name = Path(arguments[0]).name.removesuffix(".exe")
    path = str(file.absolute())
    if line is None:
        return [*arguments, path]
    if name in _PLUS:
        return [*arguments, f"+{line}", path]
    if name in _COLON:
        return [*arguments, f"{path}:{line}"]
    if name in _GOTO:
        return [*arguments, "--goto", f"{path}:{line}"]
    return [*arguments, path]


def find(directory: str, path: str) -> Path | None:
    """A file of a submission on the disk; None if it is gone or would lie outside."""
    folder = Path(directory).resolve()
    try:
        file = (folder / path).resolve()
        return file if file.is_relative_to(folder) and file.is_file() else None
    except (OSError, ValueError):
        return None
