"""Resource limits of one run: the most time, memory, file size and descriptors it may use."""

from __future__ import annotations

import errno
import math
import sys
from typing import NamedTuple

if sys.platform != "win32":  # Windows has no limits of this kind
    import resource


class ResourceLimits(NamedTuple):
    """Limits on each process of a run; ``None`` leaves a limit unchanged.

    Attributes:
        cpu_seconds: Processor time; one second later the process is killed even if it ignores the first signal.
        memory_bytes: Address space. Not enforced on macOS, whose kernel ignores it.
        file_bytes: Size of any one file.
        open_files: Descriptors open at once.
        core_bytes: Size of a core dump.
        processes: Processes and threads of the user. Counted per user, so only meaningful in a user namespace; the
            kernel never applies it to root.
    """

    cpu_seconds: float | None = None
    memory_bytes: int | None = None
    file_bytes: int | None = None
    open_files: int | None = None
    core_bytes: int = 0
    processes: int | None = None


def apply_limits(limits: ResourceLimits) -> None:
    """Set limits on this process and all that it will start. They can't be raised again without privileges.

    Raises:
        OSError: The system refuses a limit.
    """
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CORE, limits.core_bytes, limits.core_bytes)
    if limits.cpu_seconds is not None:
        seconds = max(1, math.ceil(limits.cpu_seconds))
        _lower(resource.RLIMIT_CPU, seconds, seconds + 1)
    for kind, bound in (
        (None if sys.platform == "darwin" else resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (getattr(resource, "RLIMIT_NPROC", None), limits.processes),
    ):
        if kind is not None and bound is not None:
            _lower(kind, bound, bound)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit, never above the hard limit already in force."""
    ceiling = resource.getrlimit(kind)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(kind, (soft, hard))
    except ValueError as error:
        raise OSError(errno.EINVAL, "a resource limit was refused: " + str(error)) from None
