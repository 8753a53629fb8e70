"""Trusted work on hostile data, in a forked child: if the data brings it down, only the child is lost."""

import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any

from evalforge.evidence.machine_load import slowdown
from evalforge.model.errors import SandboxError
from evalforge.sandbox.host.cage import resource_limits

_NICENESS = 4  # other work comes first: this answer is needed last
_MAX_ANSWER_BYTES = 8 * 1024 * 1024
_READY_ANSWER_SECONDS = 1.0
_POLL_SECONDS = 0.5
_STARTED_MARK = b"\n"  # sent before the answer: white space, which JSON ignores


class ForkedTask:
    """A function that runs in a forked child.

    Args:
        work: The function; it returns data that JSON can hold.
        seconds: CPU time it may take; by the clock it may take twice as long, and longer on a busy machine.
        memory_bytes: Address space it may use.
        niceness: How far other work comes before it.
        wall_seconds: How long it may take by the clock, for work that waits for others; by default see ``seconds``.
    """

    def __init__(
        self,
        work: Callable[[], Any],
        seconds: int = 5,
        memory_bytes: int = 2 * 1024**3,
        niceness: int = _NICENESS,
        wall_seconds: float = 0.0,
    ) -> None:
        self._answer_pipe, write = os.pipe()
        self._started, self._seconds, self._wall_seconds = time.monotonic(), seconds * 2, wall_seconds
        self._pid = os.fork()
        if not self._pid:
            os.close(self._answer_pipe)
            _run_in_child(work, write, niceness, seconds, memory_bytes)
        os.close(write)

    def result(self) -> Any:
        """Wait for the function's result; None if the child died, took too long, or sent something else.

        Raises:
            SandboxError: The child could not even start, which is not the data's fault.
        """
        try:
            answer = self._read_answer()
        finally:
            self.cancel()
        if not answer:
            raise SandboxError("The process that reads the code could not begin.")
        try:
            return json.loads(answer)
        except ValueError:
            return None

    def _read_answer(self) -> bytes:
        """What the child wrote until it ended, or its time was up."""
        parts = bytearray()
        # A caller that was busy past the deadline still gets an answer that is ready.
        min_deadline = time.monotonic() + _READY_ANSWER_SECONDS
        while len(parts) < _MAX_ANSWER_BYTES:
            deadline = max(min_deadline, self._started + (self._wall_seconds or self._seconds * slowdown(self._pid)))
            if not select.select([self._answer_pipe], [], [], _POLL_SECONDS)[0]:
                if time.monotonic() > deadline:
                    break
                continue
            data = os.read(self._answer_pipe, 1 << 20)
            if not data:
                break
            parts += data
        return bytes(parts)

    def cancel(self) -> None:
        """End the function, whose result nobody wants any more."""
        os.close(self._answer_pipe)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _run_in_child(work: Callable[[], Any], write: int, niceness: int, seconds: int, memory_bytes: int) -> None:
    code = 1
    try:
        os.nice(niceness)
        resource_limits.apply_limits(resource_limits.ResourceLimits(cpu_seconds=seconds, memory_bytes=memory_bytes))
        os.write(write, _STARTED_MARK)
        with os.fdopen(write, "w") as answer:
            answer.write(json.dumps(work()))
        code = 0
    finally:
        os._exit(code)
