"""One run, seen from the host: fork a child, watch it, end it and all its processes, and collect the output."""

from __future__ import annotations

import base64
import contextlib
import os
import re
import resource
import select
import signal
import sys
import tempfile
import time
from typing import Any

from cage import layers
from protocol import run_messages, wire
from protocol.run_messages import RunRequest, StopRequest

from . import child, interpreter, own_modules, reaper, scratch
from .child import HostContext
from .output import OutputPipes
from .resource_monitor import POLL_SECONDS, ResourceMonitor

_WAKE_READ_BYTES = 4096
_STOP_MESSAGE_SECONDS = 1.0
_TRACE_SECONDS = 0.5
_TRACE_PAUSE_SECONDS = 0.03
_USAGE_FIELDS = 16
_RSS_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024
_TRACE_LINE = re.compile(r'File "([^"]+)", line (\d{1,7})')
"""Matches the fault handler's lines: ``File "/tmp/x/submission/tally.py", line 12 in count``."""


class CagedRun:
    """Performs one run: a forked child and its directory."""

    def __init__(self, request: RunRequest, host: HostContext, session: int | None = None) -> None:
        self._request = request
        self._limits = request.limits
        self._host = host
        self._session = session
        self._folders = host.folders
        self._pid = 0
        self._ending = ""
        self._wait_status = 0
        self._usage = resource.struct_rusage([0] * _USAGE_FIELDS)
        self._stuck_at: dict[str, Any] | None = None

    def perform(self) -> dict[str, Any]:
        """Run to the end, whatever happens, and clean up.

        Returns:
            The reply to the client, as JSON data.
        """
        started = time.monotonic()
        self._host.clock.begin_run()
        open_folders: list[int] = []
        try:
            _clear_way(self._folders.root)
            for folder in (self._folders.root, self._folders.work, self._folders.scratch):
                os.mkdir(folder, 0o700)
            # Opened now, because the program may put something else under these names.
            open_folders += [scratch.open_folder(self._folders.root), scratch.open_folder(self._folders.work)]
            monitor = ResourceMonitor(
                open_folders[0],
                self._limits,
                is_single_process=not self._request.allow_fork,
                has_sized_disk=self._request.layer in layers.WITH_NAMESPACES,
            )
            self._write_files()
            pipes = self._fork()
            try:
                self._watch(self._host.clock.now() + self._limits.seconds, pipes, monitor)
            finally:
                self._end_all(pipes)
            if not pipes.report.data.startswith(child.CAGED):
                self._ending = "uncaged"
            elif pipes.is_flooded(self._limits.output_bytes):
                self._ending = "output"  # even if it ended right after that
            seconds = time.monotonic() - started
            files = scratch.collect_changed_files(open_folders[1], self._request.files)
            reply = self._reply(pipes, files, seconds)
        finally:
            for folder in open_folders:
                os.close(folder)
            scratch.remove_tree(self._folders.root)
        if self._ending == "disk" and monitor.was_wronged(self._host.root):
            reply["ended"] = "disturbed"
        return reply

    def _write_files(self) -> None:
        for name, content in self._request.files.items():
            path = os.path.join(self._folders.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _write(path, content)
        _write(self._folders.stdin, self._request.stdin)

    def _fork(self) -> OutputPipes:
        pipes = OutputPipes()
        module_names = own_modules.module_names(child.import_folders(self._request))
        interpreter.return_freed_memory()
        self._pid = os.fork()
        if not self._pid:
            child.become_program(self._request, module_names, pipes.write_ends, self._session, self._host)
        pipes.close_write_ends()
        if self._session is not None:
            os.close(self._session)
        return pipes

    def _watch(self, deadline: float, pipes: OutputPipes, monitor: ResourceMonitor) -> None:
        """Wait until the child ends or has to be ended."""
        while not self._has_ended():
            seconds_left = deadline - self._host.clock.now()
            if seconds_left <= 0:
                self._stop("timeout", pipes)
                return
            descriptors = [self._host.wake, self._host.control, *pipes.open_descriptors()]
            readable = select.select(descriptors, [], [], min(seconds_left, POLL_SECONDS))[0]
            self._read(readable, pipes)
            self._host.clock.note_waiting()
            if pipes.is_flooded(self._limits.output_bytes):
                self._stop("output", pipes)
                return
            excess = monitor.exceeded_limit(self._pid)
            if excess:
                self._stop(excess, pipes)
                return
            if self._host.control in readable:
                self._obey_client(pipes)
                return

    def _read(self, readable: list[Any], pipes: OutputPipes) -> None:
        """Read the available data from these descriptors."""
        if self._host.wake in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._host.wake, _WAKE_READ_BYTES)
        pipes.read_available(readable)

    def _obey_client(self, pipes: OutputPipes) -> None:
        """End the run if the client asks to stop, or has disconnected."""
        try:
            deadline = time.monotonic() + _STOP_MESSAGE_SECONDS
            message = run_messages.parse_client_message(wire.receive_frame(self._host.control, deadline))
        except wire.WireError:
            self._stop("killed", pipes)
            return
        request = message if isinstance(message, StopRequest) else StopRequest(grace_seconds=0.0, is_late=False)
        end = time.monotonic() + request.grace_seconds
        while time.monotonic() < end:
            if self._has_ended():
                return
            seconds_left = max(0.0, end - time.monotonic())
            self._read(select.select([self._host.wake], [], [], seconds_left)[0], pipes)
        self._stop("timeout" if request.is_late else "killed", pipes)

    def _has_ended(self) -> bool:
        pid, wait_status, usage = os.wait4(self._pid, os.WNOHANG)
        if pid:
            self._wait_status, self._usage = wait_status, usage
            self._ending = "exit" if os.WIFEXITED(wait_status) else "signal"
            self._pid = 0
        return bool(pid)

    def _stop(self, reason: str, pipes: OutputPipes) -> None:
        self._ending = reason
        if reason == "timeout":
            self._find_stuck_line(pipes)

    def _find_stuck_line(self, pipes: OutputPipes) -> None:
        """Make the child's fault handler write a traceback before it is killed."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self._pid, signal.SIGUSR2)
        trace = pipes.trace
        end = time.monotonic() + _TRACE_SECONDS
        while trace.is_open and time.monotonic() < end:
            # The handler writes in pieces, so it is done when no more data arrives.
            wait_seconds = _TRACE_PAUSE_SECONDS if trace.data else max(0.0, end - time.monotonic())
            if not select.select([trace.descriptor], [], [], wait_seconds)[0]:
                break
            trace.read_available()
        root = self._request.source + os.sep
        for path, line in _TRACE_LINE.findall(trace.data.decode("utf-8", "replace")):
            if path.startswith(root) and run_messages.is_submitted_file(root, path[len(root) :]):
                self._stuck_at = {"path": path[len(root) :], "line": int(line)}
                return

    def _end_all(self, pipes: OutputPipes) -> None:
        """Kill the child, its group, and any daemons that it left, all of which become children of the host."""
        if self._pid:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    kill(self._pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                _, self._wait_status, self._usage = os.wait4(self._pid, 0)
        reaper.kill_and_reap_all()
        pipes.drain()

    def _reply(self, pipes: OutputPipes, files: dict[str, bytes], seconds: float) -> dict[str, Any]:
        status = self._wait_status
        report = run_messages.parse_failure_report(bytes(pipes.report.data[len(child.CAGED) :]))
        names_place = report is not None and bool(report.path or report.line)
        if report and names_place and not run_messages.is_submitted_file(self._request.source, report.path):
            report = report._replace(path="", line=None)
        return {
            "id": self._request.id,
            "ended": self._ending,
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "stdout": _base64(pipes.stdout.data),
            "stderr": _base64(pipes.stderr.data),
            "written": pipes.written_bytes,
            "report": report._asdict() if report else {},
            "stuck": self._stuck_at,
            "files": {path: _base64(content) for path, content in files.items()},
            "seconds": seconds,
            "cpu_seconds": self._usage.ru_utime + self._usage.ru_stime,
            "peak_memory_bytes": self._usage.ru_maxrss * _RSS_UNIT_BYTES,
        }


def _clear_way(path: str) -> None:
    """Move away what the previous run left at a path, because it can't be removed."""
    if os.path.lexists(path):
        os.rename(path, os.path.join(tempfile.mkdtemp(prefix="left-", dir=os.path.dirname(path)), "left"))


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def _base64(content: bytes | bytearray) -> str:
    return base64.b64encode(content).decode("ascii")
