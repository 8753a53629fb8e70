"""Errors passed between a trial and the player's process: exceptions in either direction, and stopped runs."""

import builtins
from typing import Any

from evalforge.sandbox.report import Ending, RunLimits, RunReport

_NO_MAPPING = {"KeyboardInterrupt", "GeneratorExit", "BaseException", "Exception", "object"}
_UNICODE = {"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError"}


class PlayerError(Exception):
    """An exception of the player's code. It is also an instance of the nearest builtin exception class.

    Attributes:
        type_name: The name of its class. path, line: The innermost line of the player's code that it passed through.
        refused: What the sandbox refused, such as ``open a socket``; empty if that wasn't the cause.
        original: A proxy of the exception object.
        is_inside_probe: Whether it was raised in a function of the trial that ran in the player's process.
    """

    type_name = ""
    path = ""
    line: int | None = None
    refused = ""
    original: Any = None
    is_inside_probe = False


class RunStoppedError(Exception):
    """The player's code hung, crashed, wrote too much or was killed, so the trial ends with the reason as message."""

    def __init__(self, report: RunReport, text: str = "") -> None:
        super().__init__(text or report.abnormal_end or f"ended its own process (exit status {report.exit_code})")
        self.report = report

    @property
    def timed_out(self) -> bool:
        """Whether the run exceeded its time limit."""
        return self.report.ending is Ending.TIMEOUT

    @property
    def ended_itself(self) -> bool:
        """Whether the code itself ended its process."""
        return self.report.ending is Ending.EXIT


def error_class(name: str, bases: list[str]) -> type[PlayerError]:
    """Make a class for an exception of this name, derived from ``PlayerError`` and its nearest builtin base."""
    for base in bases:
        kind = getattr(builtins, "UnicodeError" if base in _UNICODE else base, None)
        if base in _NO_MAPPING or not isinstance(kind, type) or not issubclass(kind, BaseException):
            continue
        if not issubclass(kind, BaseExceptionGroup):  # exception groups need more than a message
            return type(name, (PlayerError, kind), {})
    return type(name, (PlayerError,), {})


def builtin_name(error: Exception) -> str:
    """The nearest builtin class of an exception, which the player's process can raise."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


def escape_words(error: PlayerError, limits: RunLimits) -> str:
    """How an exception of the player's ended a call, in words."""
    where = f" at {error.path}:{error.line}" if error.path else ""
    if error.refused:
        return f"tried to {error.refused}{where}"
    if isinstance(error, MemoryError):
        return f"used more than {limits.memory_bytes // (1024 * 1024)} MB of memory{where}"
    if not where and isinstance(error, (AttributeError, ImportError, TypeError)):
        return f"{error.type_name}: {error}"  # it is about the signature or the name, so it leaks no hidden input
    return f"{error.type_name} escaped{where}"
