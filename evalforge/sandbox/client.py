"""The trusted client of a host: it starts the host, runs programs in it, and holds sessions with it."""

import base64
import binascii
import os
import secrets
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, ValidationError

from evalforge.model.base import Frozen
from evalforge.model.errors import OwnFailureError, SandboxError
from evalforge.model.text import clean_line
from evalforge.sandbox.execution import NOTHING_RAN, Execution, HiddenCode
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.host.runs.reaper import list_descendants
from evalforge.sandbox.host.runs.run_clock import MAX_LOST_SECONDS, WaitingClock
from evalforge.sandbox.host_process import HostProcess
from evalforge.sandbox.isolation import exclude_hidden, host_command
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import Ending, RunLimits, RunReport, UncaughtError
from evalforge.sandbox.staging import StagedSubmission

# Parsing of a host's messages about itself and about runs into typed values.


def _decode_base64(encoded: object) -> bytes:
    assert isinstance(encoded, str), "not a text"
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _decode_text(encoded: object) -> str:
    """Decode a program's output, replacing invalid bytes."""
    return _decode_base64(encoded).decode("utf-8", "replace")


_HOST_FAULTS = frozenset({"uncaged", "disturbed", "broken"})
_Base64Bytes = Annotated[bytes, BeforeValidator(_decode_base64)]
_Base64Text = Annotated[str, BeforeValidator(_decode_text)]


class _FromHost(Frozen):
    """Base of all messages from a host; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Hello(Frozen):
    """A host's hello: its Python version, its isolation (see ``selftest.Probe``), and what its runs may read."""

    ready: bool
    version: tuple[int, int, int]
    probe: dict[str, Any]
    readable: tuple[str, ...]


class _Place(_FromHost):
    path: str
    line: int


class RunReply(_FromHost):
    """How a run ended, as the host reports it."""

    ended: Ending
    exit: int | None
    signal: int | None
    stdout: _Base64Text
    stderr: _Base64Text
    files: dict[str, _Base64Bytes]
    report: UncaughtError | None
    stuck: _Place | None
    seconds: float
    cpu_seconds: float
    peak_memory_bytes: int

    def as_report(self, limits: RunLimits) -> RunReport:
        """The run as a checked report."""
        return RunReport(
            ending=self.ended,
            exit_code=self.exit,
            signal=self.signal,
            stdout=self.stdout,
            stderr=self.stderr,
            files=self.files,
            uncaught_error=self.report if self.report and self.report.type else None,
            stuck_path=self.stuck.path if self.stuck else "",
            stuck_line=self.stuck.line if self.stuck else None,
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
            peak_memory_bytes=self.peak_memory_bytes,
            limits=limits,
        )


class ExecutionReply(_FromHost):
    """What the runs of a submission have executed, as the host reports it."""

    lines: dict[str, frozenset[int]]
    entered: dict[str, frozenset[int]]
    touched: dict[str, frozenset[int]]
    hidden: tuple[HiddenCode, ...]

    def as_execution(self) -> Execution:
        """The record as checked data."""
        return Execution(self.lines, self.entered, self.touched, hidden=self.hidden)


class HostFault(_FromHost):
    """A failed run that isn't the fault of the player's code, and so can't be judged."""

    ended: Literal["uncaged", "disturbed", "broken"]
    stderr: _Base64Text
    seconds: float

    def error(self, limits: RunLimits) -> SandboxError:
        """The error that says why it can't be judged."""
        last_line = clean_line(self.stderr.strip().rpartition("\n")[2])
        if self.ended == "broken":
            return OwnFailureError(last_line, self.stderr)
        if self.ended == "disturbed":
            return SandboxError("Another program filled the disk while the player's code ran.")
        is_late = self.seconds >= limits.seconds
        why = last_line.rstrip(". ") or ("it took too long" if is_late else "its process ended without an answer")
        return SandboxError(f"The player's code could not be put into the sandbox: {why}.")


class Envelope(_FromHost):
    """The common part of all replies: the request's id, and how the request ended."""

    id: str
    ended: str


def parse_reply(message: object) -> RunReply | HostFault:
    """Parse the reply to a request to run something.

    Raises:
        ValueError: The message isn't a valid reply.
    """
    is_fault = Envelope.model_validate(message).ended in _HOST_FAULTS
    return HostFault.model_validate(message) if is_fault else RunReply.model_validate(message)


def _unchanged(report: RunReport) -> RunReport:
    return report


HOST_FOLDER = Path(__file__).resolve().parent / "host"
# Our own package: in it, or beside it in a checkout, are shipped bosses with their trials and gold levels.
_HIDDEN_FOLDERS = [HOST_FOLDER.parents[1], HOST_FOLDER.parents[2] / "bosses"]
START_SECONDS = 60.0
_REPLY_GRACE_SECONDS = 60.0
_SESSION_END_SECONDS = 2.0
_SESSION_GRACE_SECONDS = 0.5
_COMPILE_SECONDS = 1.0
_MAX_COMPILED_FILES = 60
_WATCHED_MODES = ("script", "session")


class Host:
    """A host process and the socket to it. Not thread-safe; it does one run at a time.

    Args:
        python: The interpreter that runs the player's code (3.9+); ours by default.
        layer: The isolation to use: ``full``, ``standard``, ``basic``; empty for the best available.
        on_start: Called with the process id of each started process, before its first message.

    Raises:
        SandboxError: The host does not start.
    """

    def __init__(self, python: str = "", layer: str = "", on_start: Callable[[int], None] = lambda _: None) -> None:
        self._on_start = on_start
        self._python = python or sys.executable
        self._is_players_python = bool(python)
        self._wanted_layer = layer
        self._root = tempfile.TemporaryDirectory(prefix="evalforge-", ignore_cleanup_errors=True)
        self._process: HostProcess | None = None
        self._take_report = _unchanged
        self._why_not_running = "it was shut down"
        with ExitStack() as unless_started:
            unless_started.callback(self.shut_down)
            self.start()
            unless_started.pop_all()

    def start(self) -> None:
        """Start the host, replacing one that has ended.

        Raises:
            SandboxError: The host does not start, or its sandbox fails.
        """
        self._launch()
        try:
            self._on_start(self.pid)
            self._take_hello(Hello.model_validate(self._first_frame()))
        except (wire.WireError, ValidationError) as error:
            raise self._start_error(self._kill_and_read_stderr() or _why_no_hello(error)) from None
        except BaseException:
            self._kill_and_read_stderr()
            raise

    def _first_frame(self) -> object:
        return self._running_process.first_frame(time.monotonic() + START_SECONDS)

    def _start_error(self, why: str) -> SandboxError:
        why = self._why_not_running = clean_line(why).rstrip(". ")
        if self._is_players_python:
            message = f"{clean_line(self._python)} does not start as a Python that the player's code can run in: {why}."
            return SandboxError(message, "Give --python the path of a Python of version 3.9 or newer, or leave it out.")
        return SandboxError(f"The process for the player's code did not start: {why}.")

    def _launch(self, *extra: str) -> None:
        self._stop()
        # -S keeps site-packages out: ours hold the hidden trials. A player's own interpreter may use its packages.
        flags = ["-s", "-B"] if self._is_players_python else ["-s", "-S", "-B"]

        def command(socket_number: int) -> list[str]:
            arguments = [str(socket_number), self._root.name, *extra]
            return self._wrap_command(host_command(self._python, flags, HOST_FOLDER, arguments))

        try:
            self._process = HostProcess(command)
        except OSError as error:
            raise self._start_error(error.strerror or str(error)) from None

    @property
    def _running_process(self) -> HostProcess:
        if self._process is None:
            raise wire.WireClosedError(self._why_not_running)
        return self._process

    @property
    def _connection(self) -> socket.socket:
        return self._running_process.connection

    def _wrap_command(self, command: list[str]) -> list[str]:
        """The command to start; subclasses may wrap it. A host's children enter the sandbox by themselves."""
        return command

    def _take_hello(self, hello: Hello) -> None:
        self.version, self.probe = hello.version, hello.probe
        best = str(self.probe.get("layer", "none"))
        self.layer = self._wanted_layer or best
        self._readable = exclude_hidden(hello.readable, _HIDDEN_FOLDERS)

    @contextmanager
    def reports_to(self, take: Callable[[RunReport], RunReport]) -> Generator[None]:
        """Meanwhile hand the report of each run to a function, which returns what whoever asked for the run gets."""
        self._take_report = take
        try:
            yield
        finally:
            self._take_report = _unchanged

    def run(self, staged: StagedSubmission, program: Program, call: Call, limits: RunLimits | None = None) -> RunReport:
        """Run a program of the submission to its end."""
        limits = limits or RunLimits()
        return self._run(self._request("script", staged, program.as_entry(), call, limits), limits)

    def compile(self, staged: StagedSubmission, paths: Sequence[str]) -> Mapping[str, bytes]:
        """Compile files of a submission once, in the sandbox, so that later runs start from bytecode.

        Returns:
            All files that this made.
        """
        limits = RunLimits(seconds=_COMPILE_SECONDS)
        entry = {"kind": "compile", "paths": paths[:_MAX_COMPILED_FILES]}
        report = self._run(self._request("compile", staged, entry, Call(), limits), limits)
        staged.keep_bytecode(report.files)
        return report.files

    def execution(self, staged: StagedSubmission) -> Execution:
        """What the runs of a submission have executed so far; nothing if the host was lost."""
        try:
            self._send({"executed": str(staged.path)})
            return ExecutionReply.model_validate(
                self._reply_to_last(time.monotonic() + _REPLY_GRACE_SECONDS)
            ).as_execution()
        except (wire.WireError, ValueError):
            self.start()
            return NOTHING_RAN

    def open_session(
        self, staged: StagedSubmission, files: Mapping[str, bytes], limits: RunLimits, seconds: float
    ) -> socket.socket:
        """Begin a session: a forked child that serves calls into the submission's modules.

        Args:
            staged: The submission.
            files: Files in the session's working directory.
            limits: The limits; ``limits.seconds`` is for one call, and the caller enforces it.
            seconds: The time limit of the whole session, wall clock.
        """
        request = self._request("session", staged, {"kind": "session"}, Call(files=files), limits)
        request["limits"]["seconds"] = seconds
        return self._begin_session(request)

    def _begin_session(self, request: dict[str, Any]) -> socket.socket:
        our_end, their_end = socket.socketpair()
        try:
            self._send(request)
            socket.send_fds(self._connection, [b"+"], [their_end.fileno()])
        except (OSError, wire.WireError):
            our_end.close()
            self.start()
            raise SandboxError("The process for the player's code died; a new one was started.") from None
        finally:
            their_end.close()
        return our_end

    def close_session(self, connection: socket.socket, limits: RunLimits, is_late: bool = False) -> RunReport:
        """End a session and report how it went. ``is_late`` says that a call exceeded its time limit."""
        connection.close()
        try:
            grace_seconds = 0 if is_late else _SESSION_GRACE_SECONDS
            wire.send_frame(self._connection, {"op": "stop", "grace": grace_seconds, "late": is_late})
        except wire.WireError:
            return self._replace_lost_host(limits)
        return self._receive(limits, _SESSION_END_SECONDS)

    def _request(
        self, mode: str, staged: StagedSubmission, entry: Mapping[str, object], call: Call, limits: RunLimits
    ) -> dict[str, Any]:
        marks = {} if staged.marks is None else {"marks": staged.marks._asdict()}
        return {
            **marks,
            "mode": mode,
            "source": str(staged.path),
            "path": staged.import_path,
            "bytecode": str(staged.bytecode or ""),
            "readable": self._readable,
            "entry": entry,
            "args": list(call.args),
            "stdin": base64.b64encode(call.stdin).decode("ascii"),
            "env": dict(call.env),
            "files": {name: base64.b64encode(content).decode("ascii") for name, content in call.files.items()},
            "limits": dict(vars(limits)),
            "layer": "standard" if self.layer == "full" else self.layer,
            "watched": staged.python_files if mode in _WATCHED_MODES else [],
        }

    def _send(self, request: dict[str, Any]) -> None:
        # Random, not counted: each fight works in a fork of this process, and all would count from the same number.
        self._request_id = secrets.token_hex(8)
        wire.send_frame(self._connection, {**request, "id": self._request_id})

    def _run(self, request: dict[str, Any], limits: RunLimits) -> RunReport:
        try:
            self._send(request)
        except wire.WireError:
            return self._replace_lost_host(limits)
        return self._receive(limits, limits.seconds + MAX_LOST_SECONDS)

    def _receive(self, limits: RunLimits, seconds: float) -> RunReport:
        try:
            reply = parse_reply(self._reply_to_last(time.monotonic() + seconds + _REPLY_GRACE_SECONDS))
        except (wire.WireError, ValueError):
            return self._replace_lost_host(limits)
        except BaseException:
            self.start()  # the old host is still busy with a run that nobody waits for
            raise
        if isinstance(reply, HostFault):
            raise reply.error(limits)
        return self._take_report(reply.as_report(limits))

    def _reply_to_last(self, deadline: float) -> object:
        """Receive the reply to the last request, skipping late replies to requests that were given up."""
        while True:
            reply = wire.receive_frame(self._connection, deadline)
            if Envelope.model_validate(reply).id == self._request_id:
                return reply

    def _replace_lost_host(self, limits: RunLimits) -> RunReport:
        self.start()
        return RunReport(Ending.HOST_LOST, limits=limits)

    def _kill_and_read_stderr(self) -> str:
        process, self._process = self._process, None
        return process.kill_and_read_stderr() if process else ""

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def shut_down(self) -> None:
        """End the host and remove its scratch directories."""
        self._stop()
        self._root.cleanup()

    @property
    def python(self) -> str:
        """The player's interpreter; empty if ours is used."""
        return self._python if self._is_players_python else ""

    @property
    def readable(self) -> list[str]:
        """The paths that a run may read besides the submission: the interpreter's own library."""
        return self._readable

    def clock(self) -> WaitingClock:
        """A clock that pauses while processes of this host wait for a processor."""
        return WaitingClock(lambda: list_descendants(self.pid))

    @property
    def alive(self) -> bool:
        """Whether the host process is running."""
        return self._process is not None and self._process.is_alive

    @property
    def is_connected(self) -> bool:
        """Whether the host is running and its socket is open; a fork of ours that gave it up closes it for all."""
        return self._process is not None and self._process.is_connected

    @property
    def pid(self) -> int:
        """The host's process id."""
        return self._process.pid if self._process else os.getpid()


def _why_no_hello(error: Exception) -> str:
    """Why a host sent no valid hello, in words."""
    if isinstance(error, wire.WireClosedError):
        return "it ended without an answer"
    if isinstance(error, wire.WireTimeoutError):
        return f"it said nothing for {START_SECONDS:.0f} s"
    return "its answer isn't one our program gives"
