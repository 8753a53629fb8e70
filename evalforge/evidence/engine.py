"""The game's client of the trial worker: it starts it once, sends it each fight, and kills it with all its children."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter

from evalforge.evidence.messages import GatheringEnded, GatherRequest
from evalforge.evidence.process_death import ended_process
from evalforge.model.claim import Claim
from evalforge.model.errors import OwnFailureError
from evalforge.model.events import (
    ClaimChecked,
    Event,
    FactMeasured,
    ImpostorMet,
    Progress,
    TrialFinished,
    TrialsPlanned,
)
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import NOTHING_RAN

_MAX_MESSAGE_BYTES = 32 * 1024 * 1024
_START_SECONDS = 120.0
MAX_SILENCE_SECONDS = 600.0
_EXIT_SECONDS = 2.0
_PROCESS_NAME = "The process that holds the trials"
_PACKAGE_PARENT = str(Path(__file__).resolve().parents[2])
_MEASUREMENT = TypeAdapter[TrialsPlanned | TrialFinished | ImpostorMet | FactMeasured | ClaimChecked | Progress](
    TrialsPlanned | TrialFinished | ImpostorMet | FactMeasured | ClaimChecked | Progress
)
_SCRATCH = re.compile(r"[\w./-]*/evalforge-submission-\w+/submission/")
"""How a path begins that leads to the player's files where the sandbox has laid them out; its start may be cut off."""
WORKER_CODE = "import sys; sys.path.insert(0, sys.argv[1]); from evalforge.evidence.trial_worker import main; main()"


def _without_scratch(message: Any) -> Any:
    """A message, or a part of one, in which paths to the player's files are relative to their folder."""
    if isinstance(message, str):
        return _SCRATCH.sub("", message)
    if isinstance(message, list):
        return [_without_scratch(part) for part in cast("list[Any]", message)]
    if isinstance(message, dict):
        return {name: _without_scratch(part) for name, part in cast("dict[str, Any]", message).items()}
    return message


class Engine:
    """A running trial worker. It measures one submission at a time; use several engines to judge in parallel.

    Args:
        layer: The isolation to use; empty for the best available.

    Attributes:
        layer: The isolation in force, such as ``full``; empty before the worker has started.
        isolation_note: Remarks on that isolation, for the player.
        execution: What the trials of the last whole measurement ran: with it, the code can be read again.
    """

    def __init__(self, layer: str = "") -> None:
        self._requested_layer = layer
        self._process: asyncio.subprocess.Process | None = None
        self._host_pids: set[int] = set()
        self._are_hosts_warm = False
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._lock = asyncio.Lock()
        self.layer = ""
        self.isolation_note = ""
        self.execution = NOTHING_RAN

    async def warm(self) -> None:
        """Start the worker, if it isn't running.

        Raises:
            SandboxError: The worker does not start.
        """
        async with self._lock:
            if self._process is not None and self._process.returncode is None:
                return
            await self._kill()  # one that ended by itself leaves its hosts and its folder
            # The worker writes below one folder of ours, so a killed one leaves nothing behind.
            self._scratch = tempfile.TemporaryDirectory(prefix="evalforge-", ignore_cleanup_errors=True)
            try:
                # Isolated from the working directory and PYTHON* variables: neither may replace our modules.
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-I", "-c", WORKER_CODE, _PACKAGE_PARENT),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    env=_clean_environment(self._scratch.name),
                    start_new_session=True,
                    cwd=self._scratch.name,  # ours may have been removed meanwhile
                    limit=_MAX_MESSAGE_BYTES,
                )
                async with asyncio.timeout(_START_SECONDS):
                    hello = await self._read_message()
                if hello["kind"] == "ended":
                    GatheringEnded.model_validate(hello).raise_error()
            except TimeoutError:
                await self._kill()
                raise OwnFailureError(f"{_PROCESS_NAME} did not start in time.") from None
            except BaseException:  # on cancellation too: a worker without its first message would pass for a ready one
                await self.close()
                raise
            self.layer = self._requested_layer or str(hello["layer"])
            self.isolation_note = " ".join(str(note) for note in hello["probe"].get("notes", []))

    async def gather(
        self,
        trial_seed: str,
        trials: Path,
        entry_files: tuple[str, ...],
        submission: Submission,
        python: str = "",
        *,
        tests_alone: bool = False,
        hides_inputs: bool = False,
        claims: tuple[Claim, ...] = (),
    ) -> AsyncGenerator[Event]:
        """Measure a submission, and yield each trial and fact as it is measured.

        Closing the stream early kills the worker and everything it started.

        Args:
            trial_seed: The seed of the trials' random numbers.
            trials: The folder of the boss's trials.
            entry_files: The names by which the program may be started.
            submission: The submission to measure.
            python: The interpreter for the player's code; ours if empty.
            tests_alone: Only run the tests on the boss's impostors.
            hides_inputs: Leave out what trials marked ``hidden`` did.
            claims: Run these claims of a model and measure nothing else; yields each as ``ClaimChecked``.

        Raises:
            SandboxError: The submission could not be measured, through no fault of its own.
        """
        await self.warm()
        request = GatherRequest(
            trial_seed=trial_seed,
            trials=trials,
            entry_files=entry_files,
            submission=submission,
            python=python,
            layer=self._requested_layer,
            tests_alone=tests_alone,
            hides_inputs=hides_inputs,
            claims=claims,
        )
        is_complete = False
        try:
            self._are_hosts_warm = False
            await self._send_request(request.model_dump_json())
            while (message := await self._next_message())["kind"] != "ended":
                if message["kind"] == "warm":  # sent before the request arrived
                    continue
                yield _MEASUREMENT.validate_python(_without_scratch(message))
            is_complete = True
            ended = GatheringEnded.model_validate(message)
            ended.raise_error()
            self.execution = ended.execution
        finally:
            if not is_complete:
                await self._kill()

    async def wait_until_warm(self) -> None:
        """Wait until hosts that the last gathering used up are replaced and ready.

        Raises:
            SandboxError: The worker ended, or sends nothing.
        """
        await self.warm()
        while not self._are_hosts_warm:
            self._are_hosts_warm = (await self._next_message())["kind"] == "warm"

    async def _send_request(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode("utf-8", "surrogatepass") + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._process.stdin.drain()

    async def _next_message(self) -> dict[str, Any]:
        try:
            # Not wait_for: before Python 3.12 it loses a cancellation that arrives together with a message.
            async with asyncio.timeout(MAX_SILENCE_SECONDS):
                return await self._read_message()
        except TimeoutError:
            raise OwnFailureError(f"{_PROCESS_NAME} went silent for {MAX_SILENCE_SECONDS:.0f} s.") from None

    async def _read_message(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            line = await self._process.stdout.readline()
            if not line:
                raise await self._death()
            message = json.loads(line)
            if message["kind"] == "hosts":
                self._host_pids = set(message["pids"])
            else:
                return message

    async def _death(self) -> OwnFailureError:
        """The error that says why the worker ended."""
        assert self._process is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_EXIT_SECONDS):
                await self._process.wait()
        return ended_process(_PROCESS_NAME, self._process.returncode)

    async def _kill(self) -> None:
        """Kill the worker, its children and its hosts. Children of a host die when its end of their socket closes."""
        process, self._process = self._process, None
        self._are_hosts_warm = False
        hosts, self._host_pids = self._host_pids, set()
        if process is not None:
            await _end_worker(process)
        await asyncio.gather(*map(_end_host, hosts))
        scratch, self._scratch = self._scratch, None
        if scratch is not None:
            await asyncio.to_thread(_remove_folder, scratch)

    async def close(self) -> None:
        """End the worker. Even a cancelled caller waits for it, because the event loop may be gone later."""
        killing = asyncio.ensure_future(self._kill())
        try:
            await asyncio.shield(killing)
        except asyncio.CancelledError:
            await killing
            raise


async def _end_worker(process: asyncio.subprocess.Process) -> None:
    """Kill a worker and its children, and close its pipes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin:
        process.stdin.close()
    await process.wait()
    if process.stdout:
        # Read to the end, so that the pipe is closed before the event loop may be.
        with contextlib.suppress(TimeoutError, RuntimeError, ValueError):
            async with asyncio.timeout(1.0):
                await process.stdout.read()


def _remove_folder(scratch: tempfile.TemporaryDirectory[str], seconds: float = 2.0) -> None:
    """Remove a folder, retrying while processes about to end still write to it."""
    deadline = time.monotonic() + seconds
    while True:
        scratch.cleanup()
        if not os.path.lexists(scratch.name) or time.monotonic() > deadline:
            return
        time.sleep(0.02)


def _clean_environment(scratch: str) -> dict[str, str]:
    """An environment without keys and tokens, so that no child can leak them."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**inherited, "TMPDIR": scratch, "LANG": "C.UTF-8", "TZ": "UTC"}


async def _end_host(pid: int, seconds: float = 2.0) -> None:
    """Give a host without a client a moment to end its run and clean up, then kill it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        deadline = time.monotonic() + seconds
        while _is_alive(pid):
            if time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
                return
            await asyncio.sleep(0.01)


def _is_alive(pid: int) -> bool:
    """Whether a host is alive: it leads its own session, which a process with a reused id is unlikely to do."""
    if os.getsid(pid) != pid:
        return False
    try:
        # A dead host that nobody has reaped yet still has its process id.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True
