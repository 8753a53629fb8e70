"""Paths in the form that users write."""

import os
import re
from pathlib import Path

from evalforge.model.text import clean_line
from evalforge.packs.path_checks import expand_home

_MAX_PROBLEM_CHARS = 800


def folder_of(text: str) -> Path:
    """The path that a user typed."""
    return expand_home(text.strip() or ".")


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
