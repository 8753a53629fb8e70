"""Paths in the form that users write."""

import os
import re
import shlex
from pathlib import Path
from urllib.parse import unquote, urlsplit

from evalforge.model.text import clean_line
from evalforge.packs.path_checks import exists, expand_home

_MAX_PROBLEM_CHARS = 800
_LOCAL_HOSTS = ("", "localhost")


def folder_of(text: str) -> Path:
    """The path that a user typed, or pasted as terminals and file managers write it: quoted, escaped, ``file://``."""
    typed = expand_home(text.strip() or ".")
    return typed if exists(typed) else expand_home(_unquoted(text.strip()) or ".")


def _unquoted(text: str) -> str:
    """A path without a shell's quotes and escapes, and without those of a ``file://`` address."""
    try:
        arguments = shlex.split(text)
        path = arguments[0] if len(arguments) == 1 else text
        address = urlsplit(path)
    except ValueError:  # an apostrophe that quotes nothing, or an address that is none
        return text
    is_address = address.scheme == "file" and address.netloc.lower() in _LOCAL_HOSTS
    return unquote(address.path) if is_address else path


def short(path: str | Path) -> str:
    """A path with the home folder as ``~``."""
    text, home = os.fspath(path), str(Path.home())
    return f"~{text[len(home) :]}" if home != "/" and (text == home or text.startswith(f"{home}/")) else text


def shorten_home(text: str) -> str:
    """A sentence with ``~`` for the home folder in its paths."""
    home = str(Path.home())
    return re.sub(rf"(?<![\w/~.-]){re.escape(home)}(?![\w-]|\.\w)", "~", text) if home != "/" else text


def problem(error: BaseException) -> str:
    """An error as one line for the screen."""
    from evalforge.own_failure import error_words  # it loads pydantic, which the first frame has no time for

    return shorten_home(clean_line(error_words(error), cap=_MAX_PROBLEM_CHARS))
