"""Parsing of a host's messages about itself and about runs into typed values.

The host runs the player's code, so it isn't trusted, and every field is checked.
"""

import base64
import binascii
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from evalforge.model.base import Frozen
from evalforge.model.errors import OwnFailureError, SandboxError
from evalforge.model.text import clean_line
from evalforge.sandbox.execution import Execution, HiddenCode
from evalforge.sandbox.report import Ending, RunLimits, RunReport, UncaughtError


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


class _Failure(_FromHost):
    type: str = ""
    message: str = ""
    path: str = ""
    line: int | None = None
    refused: str = ""


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
    report: _Failure | None
    stuck: _Place | None
    seconds: float
    cpu_seconds: float
    peak_memory_bytes: int

    def as_report(self, limits: RunLimits) -> RunReport:
        """The run as a checked report."""
        failure = self.report if self.report and self.report.type else None
        return RunReport(
            ending=self.ended,
            exit_code=self.exit,
            signal=self.signal,
            stdout=self.stdout,
            stderr=self.stderr,
            files=self.files,
            uncaught_error=UncaughtError(
                failure.type, failure.message, failure.path, failure.line or None, failure.refused
            )
            if failure
            else None,
            stuck_path=self.stuck.path if self.stuck else "",
            stuck_line=self.stuck.line if self.stuck else None,
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
            peak_memory_bytes=self.peak_memory_bytes,
            limits=limits,
        )


class _HiddenReply(_FromHost):
    path: str
    line: int
    kind: str


class ExecutionReply(_FromHost):
    """What the runs of a submission have executed, as the host reports it."""

    lines: dict[str, frozenset[int]]
    entered: dict[str, frozenset[int]]
    touched: dict[str, frozenset[int]]
    hidden: tuple[_HiddenReply, ...]

    def as_execution(self) -> Execution:
        """The record as checked data."""
        hidden_code = tuple(HiddenCode(entry.path, entry.line, entry.kind) for entry in self.hidden)
        return Execution(self.lines, self.entered, self.touched, hidden_code)


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
