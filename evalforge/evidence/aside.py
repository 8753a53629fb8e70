"""Do trusted work on hostile data in a child of its own: if the data brings it down, only the child is lost."""

import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any

from evalforge.model.errors import SandboxError
from evalforge.sandbox.host import limits

_YIELDING = 4  # it is waited for last
_ANSWER_CAP = 8 * 1024 * 1024
_AT_HAND = 1.0
_BEGUN = b"\n"  # goes before the answer, of which it changes nothing


class Aside:
    """A function running in a forked child.

    Args:
        work: Gives JSON-able data.
        seconds: CPU seconds it may take; twice as many by the clock.
        memory_bytes: Address space it may use.
    """

    def __init__(self, work: Callable[[], Any], seconds: int = 5, memory_bytes: int = 2 * 1024**3) -> None:
        self._read, write = os.pipe()
        self._deadline = time.monotonic() + seconds * 2
        self._pid = os.fork()
        if not self._pid:
            os.close(self._read)
            _work(work, write, seconds, memory_bytes)
        os.close(write)

    def result(self) -> Any:
        """Wait for the answer; None if the child died of the data, took too long, or answered nonsense.

        Raises:
            SandboxError: The child could not even begin, which is not the data's fault.
        """
        try:
            told = self._told()
        finally:
            self._end()
        if not told:
            raise SandboxError("The process that reads the code could not begin.")
        try:
            return json.loads(told)
        except ValueError:
            return None

    def _told(self) -> bytes:
        """What it wrote until it ended, or its time was up."""
        parts = bytearray()
        # Whoever asks late, because other work took its time, still gets an answer that is ready.
        deadline = max(self._deadline, time.monotonic() + _AT_HAND)
        while (left := deadline - time.monotonic()) > 0 and len(parts) < _ANSWER_CAP:
            if not select.select([self._read], [], [], left)[0]:
                break
            data = os.read(self._read, 1 << 20)
            if not data:
                break
            parts += data
        return bytes(parts)

    def _end(self) -> None:
        os.close(self._read)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _work(work: Callable[[], Any], write: int, seconds: int, memory_bytes: int) -> None:
    code = 1
    try:
        os.nice(_YIELDING)
        limits.apply(limits.Limits(cpu_seconds=seconds, memory_bytes=memory_bytes))
        os.write(write, _BEGUN)
        with os.fdopen(write, "w") as answer:
            answer.write(json.dumps(work()))
        code = 0
    finally:
        os._exit(code)
