"""EvalForge's own failures: one message everywhere, with a log file and how to report it; never a score."""

import hashlib
import platform
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import cast

from evalforge import __version__
from evalforge.llm.credentials import redact
from evalforge.model.errors import DiskFullError, EvalForgeError, HistoryError, OwnFailureError, last_line, trace_of
from evalforge.model.events import Event, Ungraded
from evalforge.model.text import clean_line
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.locations import state_folder

_DEFAULT_ADVICE = "Try again; if it happens again, run: evalforge doctor"
_REPORT = "Please report it with that file (see CONTRIBUTING.md)."


async def ungraded_on_error(events: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
    """Pass on the events of a judging; an error of ours ends it as *ungraded*.

    Raises:
        HistoryError: The attempt could not be stored.
    """
    try:
        async with aclosing(events) as stream:
            async for event in stream:
                yield event
    except HistoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever we fail at, the submission is not to blame
        yield ungraded_by(error)


def ungraded_by(error: BaseException) -> Ungraded:
    """Return why an error leaves a submission unjudged. An unexpected error is our fault, and is logged."""
    error = first_cause(error)
    error = DiskFullError.cause_of(error) or error
    if isinstance(error, EvalForgeError) and not isinstance(error, OwnFailureError):
        return Ungraded(reason=error.message, advice=error.hint or _DEFAULT_ADVICE)
    line = error.message if isinstance(error, OwnFailureError) else last_line(error)
    return Ungraded(reason=f"EvalForge failed: {clean_line(redact(line)).rstrip('. ')}.", advice=_log(error, line))


def first_cause(error: BaseException) -> BaseException:
    """Return the first error of a group of tasks that failed together; any other error is its own cause."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def error_words(error: BaseException) -> str:
    """Return an expected error's own message, or that of ``ungraded_by`` for an unexpected one."""
    if isinstance(error, EvalForgeError | OSError) and not isinstance(error, OwnFailureError):
        return str(error)
    ungraded = ungraded_by(error)
    return f"{ungraded.reason} {ungraded.advice}"


def _log(error: BaseException, line: str) -> str:
    """Write a traceback to a log file, replacing that of an earlier identical failure, and return its path."""
    trace = redact(trace_of(error))
    path = state_folder() / "logs" / f"failure-{hashlib.sha256(trace.encode('utf-8', 'replace')).hexdigest()[:10]}.log"
    head = (
        f"EvalForge {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        redact(line),
    )
    try:
        write_atomically(path, "\n".join((*head, "", trace.rstrip(), "")).encode("utf-8", "replace"))
    except OSError as failure:
        return f"Nothing was scored. {path} can't be written ({failure.strerror}), so please report this message."
    return f"Nothing was scored. The details are in {path}. {_REPORT}"
