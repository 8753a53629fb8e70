"""The forked child: put on the chains, then become the player's program."""

from __future__ import annotations

import _signal
import builtins
import contextlib
import faulthandler
import fcntl
import gc
import json
import os
import random
import runpy
import signal
import sys
import traceback
from importlib.machinery import SourceFileLoader
from types import ModuleType

import atfork
import bytecode
import cage
import examine
import leaving
import limits
import refusals
import session
import standard
import values

_HOST_FOLDER = os.path.dirname(os.path.abspath(__file__))
_MESSAGE_CAP = 500
CAGED = b"caged\n"
"""What a report begins with. It is said before any code of the player's runs, so none of it can leave it out."""
_PROCESSES_MOST = 256  # threads count as well, and a test may well start a hundred
_OURS = 3  # the first descriptor after the standard ones


def main(request, place, stdin, writers, line):
    """Never returns: runs the request in this process and leaves it.

    Args:
        request: The client's message.
        place: The run's directory, holding ``work`` and ``tmp``.
        stdin: The file to read as standard input.
        writers: Descriptors named ``out``, ``err``, ``report``, ``trace``.
        line: The descriptor of a session's socket, or None.
    """
    code = 70
    try:
        source = request["source"]
        work = os.path.join(place, "work")
        descriptors = _wire_up(stdin, writers, line)
        _set_scene(request, source, work, os.path.join(place, "tmp"))
        cage.enter(_policy(request, source, place))
        os.umask(0o077)  # not before: the cage makes directories that another user must be able to pass
        os.write(descriptors["report"], CAGED)
        atfork.give_back()
        refusals.remember()
        reporter = Reporter(descriptors["report"], source, request["limits"])
        faulthandler.register(signal.SIGUSR2, file=descriptors["trace"], all_threads=True)
        code = _run(request, source, place, descriptors["line"], reporter)
        code = leaving.wind_up(code)
    except BaseException:  # whatever escapes, this process must not return into the host's loop
        traceback.print_exc()
    finally:
        os._exit(code)


class Reporter:
    """Tells the host, once, how the program failed."""

    def __init__(self, descriptor, source, bounds):
        self.descriptor = descriptor
        self.source = source + os.sep
        self.bounds = bounds

    def refused(self, error):
        """What the cage refused, if that is what the error is about."""
        return refusals.in_words(error, self.bounds)

    def place_of(self, trace):
        """The innermost line of the player's code in a traceback, as (path, line)."""
        found = ("", 0)
        for frame, line in traceback.walk_tb(trace):
            path = frame.f_code.co_filename
            if path.startswith(self.source):
                found = (path[len(self.source) :], line)
        return found

    def tell(self, error):
        """Report an exception that nobody caught."""
        path, line = self.place_of(error.__traceback__)
        if isinstance(error, SyntaxError) and str(error.filename or "").startswith(self.source):
            path, line = error.filename[len(self.source) :], error.lineno or 0
        try:
            message = str(error)[:_MESSAGE_CAP]
        except BaseException:
            message = ""
        report = {"type": values.class_name(error)[:100], "message": message, "path": path, "line": line}
        os.write(self.descriptor, json.dumps({**report, "refused": self.refused(error)}).encode())


def _wire_up(stdin, writers, line):
    """Standard streams on 0, 1, 2; ours right behind them; everything else closed."""
    os.dup2(writers["err"], 2)  # first, so that it is heard if anything else fails
    os.setsid()
    os.dup2(os.open(stdin, os.O_RDONLY), 0)
    os.dup2(writers["out"], 1)
    ours = [("report", writers["report"]), ("trace", writers["trace"])]
    if line is not None:
        ours.append(("line", line))
    # First out of each other's way, or one could be overwritten before it is moved.
    high = [(name, fcntl.fcntl(fd, fcntl.F_DUPFD, _OURS + len(ours))) for name, fd in ours]
    kept = {name: os.dup2(fd, _OURS + index, inheritable=False) for index, (name, fd) in enumerate(high)}
    os.closerange(_OURS + len(ours), 4096)
    kept.setdefault("line", None)
    return kept


def _set_scene(request, source, work, tmp):
    signal.set_wakeup_fd(-1)
    _signal.signal(signal.SIGCHLD, _signal.SIG_DFL)
    _signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(work)
    random.seed(0)  # the same hand-in behaves the same way each time, also where it draws numbers
    os.environ.update({"HOME": work, "TMPDIR": tmp, **request["env"]})
    sys.dont_write_bytecode = request["mode"] != "compile"
    sys.pycache_prefix = request["bytecode"] or (work if request["mode"] == "compile" else None)
    sys.path[:] = [os.path.join(source, part) if part else source for part in request["path"]] + [
        part for part in sys.path if part != _HOST_FOLDER
    ]


def prepare():
    """What all children have in common, done once, before the first fork: each of these costs a child its time.

    The environment becomes the one that programs find, but for their folders. Our modules must not be found by the
    names of theirs, and from here on nobody needs them by name any more.
    """
    os.environ.clear()
    os.environ.update({"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"})
    for name, module in list(sys.modules.items()):
        if os.path.dirname(getattr(module, "__file__", None) or "") == _HOST_FOLDER and name != "__main__":
            del sys.modules[name]
    standard.install_for_children()


def _policy(request, source, place):
    bounds = request["limits"]
    allow_fork = request.get("allow_fork", False)
    return cage.Policy(
        read=[source, *filter(None, [request["bytecode"]]), *request["readable"]],
        work=place,
        limits=limits.Limits(
            cpu_seconds=int(bounds["seconds"]) + 2,
            memory_bytes=bounds["memory_bytes"],
            file_bytes=bounds["file_bytes"],
            open_files=bounds["open_files"],
            processes=_room_for_processes(request["layer"]) if allow_fork else None,
        ),
        layer=request["layer"],
        allow_fork=allow_fork,
        allow_exec=False,
    )


def _room_for_processes(layer):
    """How many processes and threads there may be: counted within the run only in a user namespace of its own."""
    if layer == "full":
        return _PROCESSES_MOST
    others = 0
    try:
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if name.isdigit() and os.stat("/proc/" + name).st_uid == os.getuid():
                    others += len(os.listdir("/proc/" + name + "/task"))
    except OSError:
        return None
    return others + _PROCESSES_MOST


def _run(request, source, place, line, reporter):
    gc.enable()
    try:
        if request["mode"] == "session":
            session.serve(line, reporter)
        elif request["mode"] == "tests":
            examine.serve(line, request, place)
        elif request["entry"]["kind"] == "module":
            sys.argv = [request["entry"]["name"], *request["args"]]
            runpy.run_module(request["entry"]["name"], run_name="__main__", alter_sys=True)
        elif request["mode"] == "compile":
            bytecode.compile_all(source, request["entry"]["paths"])
        else:
            script = os.path.join(source, request["entry"]["path"])
            sys.argv = [script, *request["args"]]
            _run_script(script)
    except SystemExit as left:
        return leaving.exit_code(left.code)
    except BaseException as error:
        reporter.tell(error)
        leaving.print_from(error, reporter.source)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _run_script(path):
    """What ``python path`` does; ``runpy`` would compile a file anew each time."""
    if os.path.isdir(path):
        runpy.run_path(path, run_name="__main__")
        return
    loader = SourceFileLoader("__main__", path)
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__dict__.update(__file__=path, __loader__=loader, __cached__=None, __builtins__=builtins)
    exec(loader.get_code("__main__"), main.__dict__)
