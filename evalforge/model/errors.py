"""Errors a person can act on: what was wrong, where, and what to do about it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from evalforge.model.text import clean_line

_MAX_LINE_CHARS = 300


class EvalForgeError(Exception):
    """Base of every error of ours.

    Args:
        message: What was wrong, in one sentence.
        hint: What to do about it; empty if the message says it all.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(EvalForgeError):
    """The command was called with something that can't work."""


class SubmissionError(EvalForgeError):
    """A directory that can't be handed in: missing, unreadable, or nothing in it to judge."""


class PackError(EvalForgeError):
    """A boss pack that can't be used.

    Args:
        path: The file at fault.
        line: Its line, counted from 1; None where no line is to blame.
        message: What was wrong there.
        hint: What to do about it.

    Attributes:
        further: What else is wrong with the pack, in the order of its files; empty where nothing else was found.
    """

    def __init__(self, path: Path, line: int | None, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.path = path
        self.line = line
        self.further: tuple[PackError, ...] = ()

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {super().__str__()}"

    @property
    def report(self) -> str:
        """This fault and the further ones, a line each."""
        return "\n".join(map(str, (self, *self.further)))

    @classmethod
    def of_all(cls, faults: "Sequence[PackError]") -> "PackError":
        """The first of some faults, with the others as its ``further`` ones."""
        first, *further = faults
        first.further = tuple(further)
        return first


class HistoryError(EvalForgeError):
    """The store of attempts can't be read or written."""


class SandboxError(EvalForgeError):
    """Our side of running code failed. Leads to *ungraded*, never to a score."""


class OwnFailureError(SandboxError):
    """EvalForge itself failed: an exception, a signal, memory or time of one of its own processes.

    It says nothing about a submission or about a model's server. ``evalforge.own_failure`` makes the message of it.

    Args:
        message: What failed: an exception's last line, or how a process ended.
        trace: The traceback; by default there is no more to say than the message.
    """

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace or message

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """An exception of ours, as it is passed on from the process that raised it."""
        return cls(last_line(error), trace_of(error))


def last_line(error: BaseException) -> str:
    """The last line of an exception's traceback: ``TypeError: 'int' object is not iterable``."""
    import traceback  # not at the top: it costs every start, and is for what nobody foresaw

    return clean_line(traceback.format_exception_only(error)[-1], cap=_MAX_LINE_CHARS)


def trace_of(error: BaseException) -> str:
    """The traceback of an exception; that of the process it comes from, if it was passed on."""
    if isinstance(error, OwnFailureError):
        return error.trace
    import traceback

    return "".join(traceback.format_exception(error))
