"""What is known so far. It grows with the kinds of components, never with the lines."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from typing import Any

from log_leviathan.line import LEVELS, Note, understand

GRAVE = LEVELS[3:]


def empty(top: int) -> dict[str, Any]:
    """A tally of nothing that will list `top` requests."""
    return {
        "top": top,
        "malformed": 0,
        "first": None,
        "last": None,
        "levels": dict.fromkeys(LEVELS, 0),
        "components": {},
        "requests": 0,
        "slowest": [],
    }


def rank(tally: dict[str, Any], note: Note) -> None:
    """Put a request into the list of the slowest, and the one that is one too many out of it."""
    tally["requests"] += 1
    entry = {"ms": note.call.ms, "time": note.time, "component": note.component, "request": note.call.request}
    slowest = tally["slowest"]
    insort(slowest, (-note.call.ms, tally["requests"], entry | {"status": note.call.status}))
    del slowest[tally["top"] :]


def count(tally: dict[str, Any], note: Note | None) -> None:
    """Add one line; None is a malformed one."""
    if note is None:
        tally["malformed"] += 1
        return
    tally["first"] = note.time if tally["first"] is None else min(note.time, tally["first"])
    tally["last"] = note.time if tally["last"] is None else max(note.time, tally["last"])
    tally["levels"][note.level] += 1
    component = tally["components"].setdefault(note.component, {"lines": 0, "errors": 0})
    component["lines"] += 1
    component["errors"] += note.level in GRAVE
    if note.call is not None:
        rank(tally, note)


def told(tally: dict[str, Any]) -> dict[str, Any]:
    """The summary as the contract wants it."""
    sound = sum(tally["levels"].values())
    grave = sum(tally["levels"][level] for level in GRAVE)
    kept = {key: tally[key] for key in ("malformed", "first", "last", "levels", "components", "requests")}
    return kept | {
        "lines": sound + tally["malformed"],
        "error_rate": grave / sound if sound else None,
        "slowest": [entry for _, _, entry in tally["slowest"]],
    }


def summary_of(lines: Iterable[bytes], top: int) -> dict[str, Any]:
    """The summary of these lines, which come without their ends; blank ones do not count."""
    tally = empty(top)
    for line in lines:
        if line.strip(b" "):
            count(tally, understand(line))
    return told(tally)


def summarise(lines: Iterable[bytes], top: int = 5) -> dict[str, Any]:
    """The summary of lines as a file has them, ends and all."""
    return summary_of((line.removesuffix(b"\n").removesuffix(b"\r") for line in lines), top)
