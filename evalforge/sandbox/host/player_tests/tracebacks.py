"""The player's own lines in textual tracebacks."""

from __future__ import annotations

import os
import re
from typing import Any

from .conftests import CONFTEST

_MAX_TRACE_CHARS = 64 * 1024
_MAX_MESSAGE_CHARS = 300
_TRACE_LINE = re.compile(r'File "([^"]+)", line (\d+)')
"""Matches ``File "/tmp/x/first/tally.py", line 12 in count``, in tracebacks and in the fault handler's output."""


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
    """Why a file can't be collected: the traceback's last line, and its innermost line in the player's files."""
    lines = [line for line in text.splitlines() if line.strip()]
    locations = [(path, int(line)) for path, line in _TRACE_LINE.findall(text) if path.startswith(root)]
    path, line = locations[-1] if locations else ("", 0)
    # The node id begins with the name of the working copy's folder; the rest is the test file's path.
    file = node_id.partition("::")[0].partition("/")[2]
    if not file.endswith(".py"):  # a folder is named if its conftest file can't be loaded
        file = os.path.join(file, CONFTEST)
    return {
        "file": file,
        "message": (lines[-1] if lines else "it can't be loaded").strip()[:_MAX_MESSAGE_CHARS],
        "path": path[len(root) :],
        "line": line,
    }
