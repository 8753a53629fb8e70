"""The processes of this machine, as ``/proc`` tells them."""

from collections.abc import Set as AbstractSet
from pathlib import Path


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
