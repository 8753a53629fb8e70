"""The start and end of a program in an interpreter: standard streams, exit status, threads, exit functions.

The player's program runs in a fork of a preloaded interpreter. So this module does what Python itself does before and
after a program, and the program can't notice a difference.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, TextIO

EXIT_INTERRUPTED = 130
_EXIT_FAILED, _EXIT_FLUSH_FAILED = 1, 120
_EXIT_STATUS_BITS = 0xFF
_STANDARD_DESCRIPTORS = (0, 1, 2)

set_signal_handler: Callable[[int, Any], Any] = importlib.import_module("_signal").signal
"""The function behind ``signal.signal``, which looks up each handler in an enum; that is slow right after a fork."""
_trim_heap = getattr(ctypes.CDLL(None), "malloc_trim", None)
SIGNAL_DEFAULT = int(signal.SIG_DFL)


def install_standard_streams(encoding: str = "utf-8") -> None:
    """Make descriptors 0, 1 and 2 the standard streams of this process."""
    sys.stdin = sys.__stdin__ = _text_stream(io.BufferedReader(_raw_file(0, "r", "<stdin>")), "r", encoding)
    sys.stdout = sys.__stdout__ = _text_stream(io.BufferedWriter(_raw_file(1, "w", "<stdout>")), "w", encoding)
    stderr = io.BufferedWriter(_raw_file(2, "w", "<stderr>"))
    sys.stderr = sys.__stderr__ = _text_stream(stderr, "w", encoding, "backslashreplace", line_buffering=True)


def _raw_file(descriptor: int, mode: str, name: str) -> io.FileIO:
    raw = io.FileIO(descriptor, mode, closefd=False)
    raw.name = name
    return raw


def _text_stream(
    buffer: Any,
    mode: str,
    encoding: str,
    errors: str | None = None,
    line_buffering: bool = False,
) -> TextIO:
    stream: Any = io.TextIOWrapper(buffer, encoding, errors, line_buffering=line_buffering)
    stream.mode = mode
    return stream


def install_standard_streams_for_forks() -> None:
    """Install the streams once for all forked children: a stream only remembers the kind of its descriptor.

    So meanwhile the descriptors are what each child will have: a file to read, and pipes to write.
    """
    saved = [os.dup(descriptor) for descriptor in _STANDARD_DESCRIPTORS]
    file = os.open(__file__, os.O_RDONLY)
    read_end, write_end = os.pipe()
    try:
        for target, descriptor in zip(_STANDARD_DESCRIPTORS, (file, write_end, write_end)):
            os.dup2(descriptor, target)
        install_standard_streams()
    finally:
        for target, descriptor in zip(_STANDARD_DESCRIPTORS, saved):
            os.dup2(descriptor, target)
        for descriptor in (file, read_end, write_end, *saved):
            os.close(descriptor)


def return_freed_memory() -> None:
    """Return freed memory to the system: forks that reused it would seem to take no memory."""
    if _trim_heap is not None:
        _trim_heap(0)


def exit_status_of(code: object) -> int:
    """The exit status of a ``SystemExit`` with this code; anything but a number is printed to standard error."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & _EXIT_STATUS_BITS
    print(code, file=sys.stderr)
    return _EXIT_FAILED


def exit_status_of_error(error: BaseException, root: str) -> int:
    """Hand an exception that ends a program to ``sys.excepthook``, as the interpreter does, and return the exit status.

    Args:
        error: The exception; not a ``SystemExit``.
        root: The folder of the player's code; the traceback begins there, without our frames.
    """
    trace = error.__traceback__
    while trace and not trace.tb_frame.f_code.co_filename.startswith(root):
        trace = trace.tb_next
    try:
        sys.excepthook(type(error), error.with_traceback(trace), trace)
    except SystemExit as leaving:
        return exit_status_of(leaving.code)
    except BaseException:  # noqa: BLE001 - the hook may be the player's
        traceback.print_exc()
        traceback.print_exception(type(error), error, trace)
    return EXIT_INTERRUPTED if isinstance(error, KeyboardInterrupt) else _EXIT_FAILED


def finish_program(status: int) -> int:
    """End the program like the interpreter: wait for threads, run exit functions, flush. Returns the exit status."""
    try:
        # Both are private, but the interpreter itself calls them here.
        vars(threading)["_shutdown"]()
        vars(atexit)["_run_exitfuncs"]()
    except BaseException:  # noqa: BLE001 - exit functions may raise anything
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # noqa: BLE001 - the stream may be one of the player's
            status = status or _EXIT_FLUSH_FAILED
    return status
