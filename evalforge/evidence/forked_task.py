"""Trusted work on hostile data in a forked child: if the data crashes it, only the child is lost.

A crash counts as our fault, unless it happens while Python parses the data: nothing we do can keep its parser from
running out of time or memory, or from crashing, on malicious source.
"""

import json
import os
import select
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from evalforge.evidence.machine_load import slowdown
from evalforge.evidence.process_death import ended_process
from evalforge.model.errors import EvalForgeError, OwnFailureError, SandboxError, last_line, trace_of
from evalforge.sandbox.host.cage import resource_limits

_NICENESS = 4  # other work comes first, because this answer is needed last
_MAX_ANSWER_BYTES = 8 * 1024 * 1024
_READY_ANSWER_SECONDS = 1.0
_POLL_SECONDS = 0.5
# Sent before the answer, whenever Python's parser begins or ends, or a step is done: white space, which JSON ignores.
_STARTED_MARK, _PARSING_MARK, _STEP_MARK = b"\n", b"\t", b" "
_MARKS = _STARTED_MARK + _PARSING_MARK + _STEP_MARK


class ParserDiedError(Exception):
    """Python's own parser ran out of time or memory, or crashed, on the source text; the text is to blame."""


@contextmanager
def parsing() -> Generator[None]:
    """Mark a block in the child of a task in which Python parses or compiles hostile source."""
    _mark(_PARSING_MARK)
    try:
        yield
    finally:
        _mark(_STARTED_MARK)


def note_step() -> None:
    """Let who waits for a task know that a step of it is done, if this is the child of one."""
    _mark(_STEP_MARK)


_answer_end: int | None = None
"""In the child of a task, the descriptor to write its answer to."""


def _mark(mark: bytes) -> None:
    if _answer_end is not None:
        os.write(_answer_end, mark)


class ForkedTask:
    """A function that runs in a forked child.

    Args:
        name: What it does, as in "reading the code".
        work: The function, which returns JSON data.
        seconds: The limit of CPU time; wall clock may be twice as long, and longer on a busy machine.
        memory_bytes: The limit of address space.
        niceness: The child's nice value.
        wall_seconds: The wall-clock limit, for work that waits for others; by default see ``seconds``.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], Any],
        seconds: int = 5,
        memory_bytes: int = 2 * 1024**3,
        niceness: int = _NICENESS,
        wall_seconds: float = 0.0,
    ) -> None:
        self._process_name = f"The process for {name}"
        self._answer_pipe, write = os.pipe()
        self._started, self._seconds, self._wall_seconds = time.monotonic(), seconds * 2, wall_seconds
        self._pid = os.fork()
        if not self._pid:
            os.close(self._answer_pipe)
            _run_in_child(work, write, niceness, seconds, memory_bytes)
        os.close(write)

    def result(self, on_step: Callable[[int], object] = lambda count: None) -> Any:
        """Wait for the function's result.

        Args:
            on_step: Called meanwhile with the number of steps that are done, whenever there are more.

        Raises:
            ParserDiedError: The child ended, or took too long, while Python parsed the data.
            TookTooLongError: The child took too long at something else.
            OwnFailureError: The function raised an exception, or the child ended without a result.
            SandboxError: The function raised it.
        """
        status: int | None = None
        try:
            data, has_ended = self._read_answer(on_step)
            if has_ended:
                _, status = os.waitpid(self._pid, 0)
        finally:
            os.close(self._answer_pipe)
            if status is None:
                self._kill()
        answer = data.lstrip(_MARKS)
        if answer:
            return self._unpacked(answer)
        if data.endswith(_PARSING_MARK):
            raise ParserDiedError
        if not data:
            raise OwnFailureError(f"{self._process_name} could not begin.")
        raise ended_process(self._process_name, None if status is None else os.waitstatus_to_exitcode(status))

    def _unpacked(self, answer: bytes) -> Any:
        try:
            message: dict[str, Any] = json.loads(answer)
        except ValueError:
            raise OwnFailureError(f"{self._process_name} broke off in its answer.") from None
        if "trace" in message:
            raise OwnFailureError(message["error"], message["trace"])
        if "error" in message:
            raise SandboxError(message["error"], message["hint"])
        return message["result"]

    def _read_answer(self, on_step: Callable[[int], object]) -> tuple[bytes, bool]:
        """The child's output until it ended or ran out of time, and whether it ended."""
        parts = bytearray()
        step_count = 0
        # A caller that was busy past the deadline still gets an answer if it is ready.
        min_deadline = time.monotonic() + _READY_ANSWER_SECONDS
        while len(parts) < _MAX_ANSWER_BYTES:
            deadline = max(min_deadline, self._started + (self._wall_seconds or self._seconds * slowdown(self._pid)))
            if not select.select([self._answer_pipe], [], [], _POLL_SECONDS)[0]:
                if time.monotonic() > deadline:
                    break
                continue
            data = os.read(self._answer_pipe, 1 << 20)
            if not data:
                return bytes(parts), True
            parts += data
            marks = parts[: len(parts) - len(parts.lstrip(_MARKS))]
            if (count := marks.count(_STEP_MARK)) > step_count:
                step_count = count
                on_step(count)
        return bytes(parts), False

    def cancel(self) -> None:
        """End the function, because nobody needs its result any more."""
        os.close(self._answer_pipe)
        self._kill()

    def _kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _run_in_child(work: Callable[[], Any], write: int, niceness: int, seconds: int, memory_bytes: int) -> None:
    global _answer_end  # noqa: PLW0603 - this process has only one task
    code = 1
    try:
        _answer_end = write
        answer = _answer(lambda: _limited(work, write, niceness, seconds, memory_bytes))
        _answer_end = None
        with os.fdopen(write, "w") as pipe:
            pipe.write(answer)
        code = 0
    finally:
        os._exit(code)


def _limited(work: Callable[[], Any], write: int, niceness: int, seconds: int, memory_bytes: int) -> Any:
    os.nice(niceness)
    resource_limits.apply_limits(resource_limits.ResourceLimits(cpu_seconds=seconds, memory_bytes=memory_bytes))
    os.write(write, _STARTED_MARK)
    return work()


def _answer(work: Callable[[], Any]) -> str:
    """The child's answer: a result, or why there is none and whose fault that is."""
    try:
        return json.dumps({"result": work()})
    except EvalForgeError as error:
        trace = {"trace": error.trace} if isinstance(error, OwnFailureError) else {}
        return json.dumps({"error": error.message, "hint": error.hint, **trace})
    except Exception as error:  # noqa: BLE001 - any exception here is our fault
        return json.dumps({"error": last_line(error), "trace": trace_of(error)})
