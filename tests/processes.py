"""The processes of this machine, as ``/proc`` tells them."""

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from pathlib import Path

_PATIENCE_SECONDS = 30.0


def parents() -> dict[int, int]:
    """Who started each process that lives; the dead that only wait to be reaped are left out."""
    found: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found


def below(top: int, but: AbstractSet[int] = frozenset()) -> frozenset[int]:
    """Every living process below one; of ``but``, and of what those start meanwhile, none."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = [top]
    while waiting:
        new = [pid for pid in children.get(waiting.pop(), []) if pid not in but]
        found.update(new)
        waiting += new
    return frozenset(found)


def outliving(pids: AbstractSet[int]) -> frozenset[int]:
    """Those processes that don't end: a killed one is listed until the system has put it away."""
    return _once_empty(lambda: frozenset(pids & parents().keys()))


def left_below(top: int, but: AbstractSet[int]) -> frozenset[int]:
    """Every process below one, except ``but``, that doesn't end; see ``outliving``."""
    return _once_empty(lambda: below(top, but))


def _once_empty(look: Callable[[], frozenset[int]]) -> frozenset[int]:
    """What is seen once nothing is, or when patience ends."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while (seen := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return seen
