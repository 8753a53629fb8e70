"""Provides the engines that run the code of a class, on this machine or on a cluster."""

import os
from collections.abc import Sequence
from typing import Protocol

from evalforge.evidence.engine import Engine


class EngineProvider(Protocol):
    """Provides engines, one for each worker."""

    async def open(self, worker_count: int) -> Sequence[tuple[Engine, str]]:
        """Start engines, each with the address of its machine (empty for this one).

        Args:
            worker_count: The number of engines; 0 for the default.

        Raises:
            EvalForgeError: No engine is available.
        """
        ...

    async def close(self) -> None:
        """Release what the engines shared; the engines are already closed."""
        ...


class LocalEngines:
    """Provides engines on this machine, by default one for each core."""

    async def open(self, worker_count: int) -> Sequence[tuple[Engine, str]]:
        """Start engines; see ``EngineProvider``."""
        return [(Engine(), "") for _ in range(worker_count or core_count())]

    async def close(self) -> None:
        """Does nothing: local engines share nothing."""


def core_count() -> int:
    """Return the number of cores this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return max(1, os.cpu_count() or 1)
