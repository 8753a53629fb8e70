"""The player's own lines in textual tracebacks."""

from __future__ import annotations

import os
import re
from typing import Any

from .suite_session import CONFTEST

_MAX_TRACE_CHARS = 64 * 1024
_MAX_MESSAGE_CHARS = 300
_SHORT_TRACE_LINE = re.compile(r"^(\S+\.py):(\d+): ", re.MULTILINE)
"""Matches ``tests/conftest.py:3: in <module>``, as pytest quotes a traceback."""
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


def describe_broken(node_id: str, text: str, refused: str, root: str) -> dict[str, Any]:
    """Why a file can't be collected: pytest's reason, and its innermost line in the player's files.

    Args:
        node_id: The file, as pytest names it.
        text: Pytest's report.
        refused: What the sandbox refused meanwhile; empty if nothing.
        root: The folder of the player's files, with a separator at its end.
    """
    file = node_id.partition("::")[0]
    if not file.endswith(".py"):  # a folder is named if its conftest file can't be loaded
        file = os.path.join(file, CONFTEST)
    return {"file": file, "refused": refused, **_describe_report(text, root)}


def describe_refusal(text: str, root: str) -> dict[str, Any]:
    """Why pytest refuses to begin, from what it prints."""
    description = _describe_report(text, root)
    return {"file": description["path"], **description}


def _describe_report(text: str, root: str) -> dict[str, Any]:
    """The reason in a report of pytest's, in any of its styles, and the innermost of the player's lines in it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["pytest could not load it"]
    reasons = [line[2:].strip() for line in lines if line.startswith("E ")]
    first, last = lines[0].removeprefix("ERROR: "), lines[-1].removeprefix("ERROR: ")
    message = reasons[-1] if reasons else f"{first} {last}" if last.startswith("HINT: ") else last
    places = [(path[len(root) :], line) for path, line in _TRACE_LINE.findall(text) if path.startswith(root)]
    places += _SHORT_TRACE_LINE.findall(text)
    path, line = places[-1] if places else ("", "0")
    return {"message": message[:_MAX_MESSAGE_CHARS].replace(root, ""), "path": path, "line": int(line)}
