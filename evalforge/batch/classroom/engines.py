"""Where the code of a class runs: on this machine, or on machines of a cluster."""

import os
from collections.abc import Sequence
from typing import Protocol

from evalforge.evidence.engine import Engine


class Engines(Protocol):
    """Hands out engines, one for each worker."""

    async def open(self, wanted: int) -> Sequence[tuple[Engine, str]]:
        """Engines, each with the place it runs at (empty for this machine).

        Args:
            wanted: How many workers there shall be; 0 for as many as fit.

        Raises:
            EvalForgeError: There are none.
        """
        ...

    async def close(self) -> None:
        """Let go of what the engines needed; each has been closed before."""
        ...


class LocalEngines:
    """Engines on this machine, one for each core unless told otherwise."""

    async def open(self, wanted: int) -> Sequence[tuple[Engine, str]]:
        """As many as are wanted."""
        return [(Engine(), "") for _ in range(wanted or cores())]

    async def close(self) -> None:
        """There is nothing to let go of."""


def cores() -> int:
    """How many cores this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return max(1, os.cpu_count() or 1)
