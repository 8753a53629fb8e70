"""The game's end of the workshop: started once, asked for each fight, killed with everything under it."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalforge.evidence.messages import GatherRequest
from evalforge.model.errors import SandboxError
from evalforge.model.events import Event, FactMeasured, Progress, TrialFinished, TrialsPlanned
from evalforge.model.submission import Submission

_LINE_CAP = 32 * 1024 * 1024
_START_SECONDS = 30.0
_SILENCE_SECONDS = 90.0
_ROOT = str(Path(__file__).resolve().parents[2])
_Told = TypeAdapter[TrialsPlanned | TrialFinished | FactMeasured | Progress](
    TrialsPlanned | TrialFinished | FactMeasured | Progress
)
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from evalforge.evidence.workshop import main; main()"


class Engine:
    """A warm workshop. One submission at a time; use several engines to judge in parallel.

    Args:
        layer: The isolation to use; empty for the best there is.
    """

    def __init__(self, layer: str = "") -> None:
        self._wanted_layer = layer
        self._process: asyncio.subprocess.Process | None = None
        self._hosts: set[int] = set()
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._lock = asyncio.Lock()
        self.layer = ""
        self.isolation_note = ""

    async def warm(self) -> None:
        """Start the workshop, if it isn't running.

        Raises:
            SandboxError: It does not start.
        """
        async with self._lock:
            if self._process is not None and self._process.returncode is None:
                return
            # All that is written lies below one folder of ours, so a workshop that is killed leaves nothing behind.
            self._scratch = tempfile.TemporaryDirectory(prefix="evalforge-", ignore_cleanup_errors=True)
            # Isolated from the working directory and from PYTHON* variables: neither may put a module before ours.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-c", _BOOT, _ROOT),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_plain_environment(self._scratch.name),
                start_new_session=True,
                limit=_LINE_CAP,
            )
            try:
                ready = await asyncio.wait_for(self._message(), _START_SECONDS)
            except (TimeoutError, SandboxError):
                await self._kill()
                raise SandboxError(
                    "The process that holds the trials did not start.", "Run: evalforge doctor"
                ) from None
            except BaseException:  # cancelled: one that has not said what it is would be taken for a warm one
                await self.close()
                raise
            self.layer = self._wanted_layer or str(ready["layer"])
            self.isolation_note = " ".join(str(note) for note in ready["probe"].get("notes", []))

    async def gather(
        self,
        boss_id: str,
        trials: Path,
        entry_files: tuple[str, ...],
        submission: Submission,
        python: str = "",
    ) -> AsyncGenerator[Event]:
        """Measure a submission; events come as things are found out.

        Leaving the iterator early kills the workshop and everything it started.

        Raises:
            SandboxError: Nothing can be said about the submission, and that is our fault.
        """
        await self.warm()
        request = GatherRequest(
            boss_id=boss_id,
            trials=trials,
            entry_files=entry_files,
            submission=submission,
            python=python,
            layer=self._wanted_layer,
        )
        whole = False
        try:
            await self._ask(request.model_dump_json())
            while (message := await self._next())["kind"] != "ended":
                yield _Told.validate_python(message)
            whole = True
            if message["fatal"]:
                raise SandboxError(message["fatal"], message["hint"])
        finally:
            if not whole:
                await self._kill()

    async def _ask(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode("utf-8", "surrogatepass") + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._process.stdin.drain()

    async def _next(self) -> dict[str, Any]:
        try:
            return await asyncio.wait_for(self._message(), _SILENCE_SECONDS)
        except TimeoutError:
            raise SandboxError("The process that holds the trials went silent.", "Try again.") from None

    async def _message(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            line = await self._process.stdout.readline()
            if not line:
                raise SandboxError("The process that holds the trials ended unexpectedly.", "Try again.")
            message = json.loads(line)
            if message["kind"] != "hosts":
                return message
            self._hosts = set(message["pids"])

    async def _kill(self) -> None:
        """Kill the workshop, its workers and its hosts. A host's children die with the host's end of their socket."""
        process, self._process = self._process, None
        hosts, self._hosts = self._hosts, set()
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        if process.stdin:
            process.stdin.close()
        await process.wait()
        if process.stdout:
            # To its end, so that the pipe is closed before the event loop may be.
            with contextlib.suppress(TimeoutError, RuntimeError, ValueError):
                await asyncio.wait_for(process.stdout.read(), 1.0)
        await asyncio.gather(*map(_gone, hosts))
        if self._scratch:
            await asyncio.to_thread(_remove, self._scratch)

    async def close(self) -> None:
        """End the workshop; who is cancelled meanwhile still waits: the event loop may not be there later."""
        killing = asyncio.ensure_future(self._kill())
        try:
            await asyncio.shield(killing)
        except asyncio.CancelledError:
            await killing
            raise


def _remove(scratch: tempfile.TemporaryDirectory[str], seconds: float = 2.0) -> None:
    """Remove a folder in which processes that are about to end may still be at work."""
    deadline = time.monotonic() + seconds
    while True:
        scratch.cleanup()
        if not os.path.lexists(scratch.name) or time.monotonic() > deadline:
            return
        time.sleep(0.02)


def _plain_environment(scratch: str) -> dict[str, str]:
    """Nothing of ours that a child could leak: no keys, no tokens."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "TMPDIR": scratch, "LANG": "C.UTF-8", "TZ": "UTC"}


async def _gone(pid: int, seconds: float = 2.0) -> None:
    """Give a host a moment to end its run and clean up, once its client is gone; then kill it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        deadline = time.monotonic() + seconds
        while _is_alive(pid):
            if time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
                return
            await asyncio.sleep(0.01)


def _is_alive(pid: int) -> bool:
    """Whether a host is there: it leads a session of its own, as a process that got its number later hardly does."""
    if os.getsid(pid) != pid:
        return False
    try:
        # A dead host that nobody has reaped yet still has a number.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True
