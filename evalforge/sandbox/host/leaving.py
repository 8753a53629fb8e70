"""How a program ends: exit status, threads, exit functions, flushed streams; as the interpreter itself does it."""

from __future__ import annotations

import atexit
import sys
import threading
import traceback


def exit_code(code):
    """The exit status of a ``SystemExit`` with this code; words go to standard error."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def print_from(error, root):
    """Print a traceback that begins where code below ``root`` begins, without our frames above it."""
    trace = error.__traceback__
    while trace and not trace.tb_frame.f_code.co_filename.startswith(root):
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)


def wind_up(code):
    """What the interpreter does at its end: wait for threads, run exit functions, flush. Gives the exit status."""
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            code = code or 120
    return code
