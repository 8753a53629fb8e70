"""The report to the host on how the player's program failed: the exception, its line, and what the sandbox refused.

An ``EPERM`` by itself doesn't say that the program wanted a socket. But Python announces each sensitive action to audit
hooks just before it. Ours remembers the last one, so that an uncaught error can say "tried to open a socket".
"""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from types import TracebackType

from protocol import values
from protocol.run_messages import RunLimits

_START_PROCESS, _START_PROGRAM = "start a process", "start a program"
_SEND_SIGNAL = "send a signal to another process"
_ACTIONS = {
    "socket.__new__": "open a socket",
    "os.fork": _START_PROCESS,
    "os.forkpty": _START_PROCESS,
    "os.exec": "run another program",
    "os.posix_spawn": _START_PROGRAM,
    "os.spawn": _START_PROGRAM,
    "os.system": _START_PROGRAM,
    "subprocess.Popen": _START_PROGRAM,
    "os.kill": _SEND_SIGNAL,
    "os.killpg": _SEND_SIGNAL,
    "signal.pthread_kill": _SEND_SIGNAL,
    "resource.prlimit": "change the limits of a process",
    "resource.setrlimit": "change its own limits",
}
_FILE_EVENTS = (
    "open os.listdir os.scandir os.mkdir os.rmdir os.remove os.rename os.link os.symlink os.truncate os.chdir "
    "shutil.rmtree shutil.copyfile shutil.move sqlite3.connect".split()
)
_ACTIONS.update(dict.fromkeys(_FILE_EVENTS, ""))
_MAX_PATH_CHARS = 200
_MAX_MESSAGE_CHARS = 500
_MAX_CLASS_NAME_CHARS = 100
_MEGABYTE = 1024 * 1024

_last_action = [""]


def remember_actions() -> None:
    """Start remembering the last attempted action. This can't be undone in this process."""
    sys.addaudithook(_note_action)


def _note_action(event: str, _: object) -> None:
    if event in _ACTIONS:
        _last_action[0] = _ACTIONS[event]


def describe_refusal(error: BaseException, limits: RunLimits) -> str:
    """What the sandbox refused, e.g. ``open a socket``, if the error is about that; else empty."""
    if not isinstance(error, OSError):
        return ""
    if error.errno == errno.EFBIG:
        return f"write a file larger than {limits.file_bytes // _MEGABYTE} MB"
    if error.errno == errno.EMFILE:
        return f"hold more than {limits.open_files} files open"
    if error.errno not in (errno.EPERM, errno.EACCES):
        return ""
    if _last_action[0]:
        return _last_action[0]
    filename: object = error.filename
    if isinstance(filename, (str, bytes)):
        name = filename if isinstance(filename, str) else filename.decode("utf-8", "replace")
        return f"reach {name[:_MAX_PATH_CHARS]}, which lies outside its folder"
    return "do something that is forbidden here"


class FailureReporter:
    """Reports to the host, once, how the program failed."""

    def __init__(self, descriptor: int, source: str, limits: RunLimits) -> None:
        self.root = source + os.sep
        self._descriptor = descriptor
        self._limits = limits

    def refusal_in(self, error: BaseException) -> str:
        """What the sandbox refused, if the error is about that; else empty."""
        return describe_refusal(error, self._limits)

    def location_of(self, error: BaseException) -> tuple[str, int]:
        """The innermost line of the player's code in an error's traceback, or the line with a syntax error."""
        if isinstance(error, SyntaxError) and str(error.filename or "").startswith(self.root):
            return str(error.filename)[len(self.root) :], error.lineno or 0
        return self._innermost_line(error.__traceback__)

    def _innermost_line(self, trace: TracebackType | None) -> tuple[str, int]:
        location = ("", 0)
        for frame, line in traceback.walk_tb(trace):
            path = frame.f_code.co_filename
            if path.startswith(self.root):
                location = (path[len(self.root) :], line)
        return location

    def report_error(self, error: BaseException) -> None:
        """Report an uncaught exception."""
        path, line = self.location_of(error)
        report = {
            "type": values.class_name(error)[:_MAX_CLASS_NAME_CHARS],
            "message": message_of(error, _MAX_MESSAGE_CHARS),
            "path": path,
            "line": line,
            "refused": self.refusal_in(error),
        }
        os.write(self._descriptor, json.dumps(report).encode())


def message_of(error: BaseException, max_chars: int) -> str:
    """An exception's message, or a substitute, because the player's code makes the message and may raise."""
    try:
        return str(error)[:max_chars]
    except BaseException:  # noqa: BLE001 - see above
        return ""
