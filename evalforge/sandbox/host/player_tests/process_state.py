"""The state that each process started by a test has for itself: descriptors, environment and logging."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterable, Sequence

_MAX_DESCRIPTORS = 256


def connect_pipes(pipes: Sequence[int], kept_descriptors: Iterable[int], close_fds: bool) -> None:
    """Connect descriptors as ``subprocess`` asks, and close those that an executed program would not inherit."""
    stdin, stdin_parent, stdout_parent, stdout, stderr_parent, stderr, error_parent, error_pipe = pipes
    for descriptor in (stdin_parent, stdout_parent, stderr_parent, error_parent):
        if descriptor >= 0:
            os.close(descriptor)
    moves = [(target, source) for target, source in enumerate((stdin, stdout, stderr)) if source >= 0]
    # First move them away from 0, 1 and 2, or one could be overwritten before it is used.
    safe_copies = {source: (os.dup(source) if source <= 2 else source) for _, source in moves}
    for target, source in moves:
        os.dup2(safe_copies[source], target)
    descriptors = sorted({int(descriptor) for descriptor in kept_descriptors if int(descriptor) > 2} - {error_pipe})
    if close_fds:
        for lower, upper in zip([2, *descriptors], [*descriptors, _MAX_DESCRIPTORS]):
            os.closerange(lower + 1, upper)
        return
    for descriptor in range(3, _MAX_DESCRIPTORS):
        with contextlib.suppress(OSError):
            # Including the pipe for errors: as in a real exec, closing it means success to the parent.
            if descriptor == error_pipe or not os.get_inheritable(descriptor):
                os.close(descriptor)


def set_environment(entries: Iterable[bytes]) -> None:
    """Replace the environment by entries such as ``b"HOME=/"``."""
    os.environ.clear()
    for entry in entries:
        name, _, value = os.fsdecode(entry).partition("=")
        os.environ[name] = value


def reset_logging() -> None:
    """Reset logging to the state at the start of a program."""
    logging.disable(logging.NOTSET)
    for logger in [logging.root, *logging.Logger.manager.loggerDict.values()]:
        if isinstance(logger, logging.Logger):
            logger.handlers[:], logger.filters[:] = [], []
            logger.disabled, logger.propagate = False, True
            logger.setLevel(logging.NOTSET)
    logging.root.setLevel(logging.WARNING)
    vars(logging)["_handlers"].clear()
    del vars(logging)["_handlerList"][:]
