"""Errors that a person can act on: what was wrong, where, and what to do about it."""

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from evalforge.model.text import clean_line

_MAX_LINE_CHARS = 300


class EvalForgeError(Exception):
    """Base class of all EvalForge errors.

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
    """The command was called with arguments that can't work."""


class SubmissionError(EvalForgeError):
    """A directory can't be submitted: it is missing, unreadable, or has nothing to judge."""


class PackError(EvalForgeError):
    """A boss pack that can't be used.

    Args:
        path: The file at fault.
        line: Its line, counted from 1; None if no single line is to blame.
        message: What was wrong there.
        hint: What to do about it.

    Attributes:
        further: All other errors of the pack, in the order of its files.
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
        """This error and the further ones, one per line."""
        return "\n".join(map(str, (self, *self.further)))

    @classmethod
    def of_all(cls, faults: "Sequence[PackError]") -> "PackError":
        """Return the first of some errors, with the others as its ``further`` ones."""
        first, *further = faults
        first.further = tuple(further)
        return first


class HistoryError(EvalForgeError):
    """The attempt history can't be read or written."""


class SandboxError(EvalForgeError):
    """Running code failed because of us, not of the submission. The attempt becomes *ungraded*, never a score."""


class DiskFullError(SandboxError):
    """There is no space left for what a judging writes.

    Args:
        path: What could not be written; empty if unknown.
    """

    def __init__(self, path: str = "") -> None:
        place = f" for {clean_line(path)}" if path else ""
        super().__init__(
            f"No space is left on the disk{place}.",
            "Free some space, or set TMPDIR and EVALFORGE_HOME to folders on another disk.",
        )

    @classmethod
    def cause_of(cls, error: BaseException) -> Self | None:
        """The error to report if another one means that a disk is full, else None."""
        if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT):
            return None
        return cls(str(error.filename or ""))


class OwnFailureError(SandboxError):
    """EvalForge itself failed: one of its own processes raised, was killed, or ran out of memory or time.

    It says nothing about a submission or about a model's server. ``evalforge.own_failure`` turns it into a message.

    Args:
        message: What failed: an exception's last line, or how a process ended.
        trace: The traceback; the message by default.
    """

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace or message

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """Wrap an unexpected exception so that it can be passed on from the process that raised it."""
        return cls(last_line(error), trace_of(error))


def last_line(error: BaseException) -> str:
    """The last line of an exception's traceback: ``TypeError: 'int' object is not iterable``."""
    import traceback  # not at the top: every start would pay for what only unforeseen errors need

    return clean_line(traceback.format_exception_only(error)[-1], cap=_MAX_LINE_CHARS)


def trace_of(error: BaseException) -> str:
    """The traceback of an exception; if it was passed on from another process, the traceback from there."""
    if isinstance(error, OwnFailureError):
        return error.trace
    import traceback

    return "".join(traceback.format_exception(error))
