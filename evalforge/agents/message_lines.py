"""Standard input and output of a server that exchanges JSON-RPC messages, one on each line, with bad lines answered.

The SDK skips a line that it can't read, so whoever sent it would wait in vain for an answer.
"""

import io
import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, cast

from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, RequestId, jsonrpc_message_adapter
from pydantic import TypeAdapter, ValidationError

_REQUEST_ID: TypeAdapter[RequestId] = TypeAdapter(RequestId)


@contextmanager
def message_streams() -> Generator[None]:
    """Make the standard streams carry whole messages, and answer each input line that holds none with an error.

    Meanwhile the descriptors behind them lead elsewhere, so that nothing else is read or written between messages:
    that of the input to the null device, that of the output to standard error.
    """
    streams, descriptors = (sys.stdin, sys.stdout), (os.dup(0), os.dup(1))
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    output = _WholeLines(descriptors[1])
    sys.stdin = io.TextIOWrapper(io.BufferedReader(_ReadableMessages(descriptors[0], output)), "utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(output), "utf-8")
    try:
        yield
    finally:
        sys.stdin, sys.stdout = streams
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)


class _WholeLines(io.RawIOBase):
    """Writes only whole lines, which two threads can't mix."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._unfinished = b""
        self._lock = Lock()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        lines, newline, self._unfinished = (self._unfinished + bytes(data)).rpartition(b"\n")
        self.write_lines(lines + newline)
        return len(data)

    def write_lines(self, lines: bytes) -> None:
        with self._lock:
            while lines:
                lines = lines[os.write(self._descriptor, lines) :]


class _ReadableMessages(io.RawIOBase):
    """Reads the lines that hold a message, and answers the others."""

    def __init__(self, descriptor: int, output: _WholeLines) -> None:
        super().__init__()
        self._lines = os.fdopen(descriptor, "rb", closefd=False)
        self._output = output
        self._line = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._line:
            line = self._lines.readline()
            if not line:
                return 0
            refusal = _refusal_of(line)
            if refusal is None:
                self._line = line
            elif line.strip():
                self._output.write_lines(refusal.model_dump_json().encode() + b"\n")
        part, self._line = self._line[: len(buffer)], self._line[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _refusal_of(line: bytes) -> JSONRPCError | None:
    """The answer to a line without a readable message, as JSON-RPC 2.0 has it in section 5.1; None if it has one."""
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        fault = error.errors()[0]
        code = PARSE_ERROR if fault["type"] == "json_invalid" else INVALID_REQUEST
        reason = ": ".join((*map(str, fault["loc"]), fault["msg"]))
        return JSONRPCError(jsonrpc="2.0", id=_id_in(line), error=ErrorData(code=code, message=reason))
    return None


def _id_in(line: bytes) -> RequestId | None:
    """The id of a bad line, if Python's more lenient reader of JSON finds one that can be sent back."""
    try:
        data: object = json.loads(line.decode("utf-8", "replace"))
        if isinstance(data, dict):
            return _REQUEST_ID.validate_python(cast("dict[str, object]", data).get("id"), strict=True)
    except (ValueError, RecursionError):
        pass
    return None
