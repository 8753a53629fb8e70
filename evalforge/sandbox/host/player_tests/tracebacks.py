"""The player's own lines in written tracebacks."""

from __future__ import annotations

import os
import re
from typing import Any

from .conftests import CONFTEST

_MAX_TRACE_CHARS = 64 * 1024
_MAX_MESSAGE_CHARS = 300
_TRACE_LINE = re.compile(r'File "([^"]+)", line (\d+)')
"""In a traceback and in what the fault handler writes: ``File "/tmp/x/first/tally.py", line 12 in count``."""


def find_stuck_line(trace_path: str, root: str) -> tuple[str, int]:
    """The innermost of the player's lines in a dumped traceback, as (path, line)."""
    try:
        with open(trace_path) as file:
            text = file.read(_MAX_TRACE_CHARS)
    except OSError:
        return "", 0
    for path, line in _TRACE_LINE.findall(text):
        if path.startswith(root):
            return path[len(root) :], int(line)
    return "", 0


def describe_broken(node_id: str, text: str, root: str) -> dict[str, Any]:
    """Why a file can't be collected: the last line of the traceback, the innermost line of the player's files."""
    lines = [line for line in text.splitlines() if line.strip()]
    locations = [(path, int(line)) for path, line in _TRACE_LINE.findall(text) if path.startswith(root)]
    path, line = locations[-1] if locations else ("", 0)
    # The test file itself, relative to its copy's folder; the copy's own name is the first part of pytest's.
    file = node_id.partition("::")[0].partition("/")[2]
    if not file.endswith(".py"):  # a folder can't be collected if its conftest file can't be loaded
        file = os.path.join(file, CONFTEST)
    return {
        "file": file,
        "message": (lines[-1] if lines else "it can't be loaded").strip()[:_MAX_MESSAGE_CHARS],
        "path": path[len(root) :],
        "line": line,
    }
