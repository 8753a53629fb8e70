"""Programs that tests start, without starting anything: a Python program runs in a fork of the test's own process.

Players test a command line with ``subprocess.run([sys.executable, "tool.py", ...])``. No program can be executed in the
cage, so the lowest level of ``subprocess`` is replaced: descriptors, directory and environment are set up as always,
and then this interpreter becomes the program. Faults in the player's code are in force in it, and it costs a fork.
"""

from __future__ import annotations

import atexit
import contextlib
import contextvars
import itertools
import logging
import os
import random
import re
import runpy
import shlex
import signal
import subprocess
import sys
import types
import warnings

import faults
import leaving
import standard

try:
    import _posixsubprocess
except ImportError:
    _posixsubprocess = None

_PYTHON = re.compile(r"python(\d(\.\d+)?)?$")
_SHELLS = ("sh", "bash", "dash", "zsh")
_SHELL_WORDS = re.compile(r"[|&;<>$`()*?\[\]{}~#\n]")
_ALONE = frozenset("BEIOPSbdiqRsuvxO")
_MOST_DESCRIPTORS = 256


class Programs:
    """The replacement for executing programs.

    Args:
        root: The folder of the player's code; modules from below it are loaded anew in each program.
        sources: Where their code comes from.
    """

    def __init__(self, root, sources):
        self._root = os.path.join(root, "")
        self._sources = sources
        self._search = list(sys.path)
        self._warnings = list(warnings.filters), warnings.showwarning
        self.newest_module = next(reversed(sys.modules))
        self.seconds = 0.0

    def install(self):
        """Replace the system's way of starting programs, for this process and its forks."""
        subprocess._USE_POSIX_SPAWN = subprocess._USE_VFORK = False
        _posixsubprocess.fork_exec = self._start
        if hasattr(subprocess, "_fork_exec"):
            subprocess._fork_exec = self._start
        os.system = lambda command: subprocess.call(command, shell=True) << 8

    def _start(self, args, executables, close_fds, keep, directory, environment, *rest):
        """Stands in for ``_posixsubprocess.fork_exec``, whose first arguments are alike in all versions."""
        words = [os.fsdecode(word) for word in args]
        words[0] = os.fsdecode(executables[0]) if executables else words[0]
        run = _invocation(words)
        with contextlib.suppress(*faults.UNREADABLE):
            self._sources.settle()  # here, and not in each program that is started
        pid = os.fork()
        if not pid:
            code = 255
            try:
                _plug(rest[:8], keep, close_fds)
                if directory is not None:
                    os.chdir(directory)
                if environment is not None:
                    _set_environment(environment)
                code = contextvars.Context().run(self._become, run)
            except BaseException as error:
                sys.stderr.write("%s: %s\n" % (type(error).__name__, error))
                sys.stderr.flush()
            finally:
                os._exit(code)
        return pid

    def _become(self, run):
        """Run a program in what is now a process of its own; gives the exit status."""
        self._freshen()
        code = 0
        try:
            run(self)
        except SystemExit as left:
            code = leaving.exit_code(left.code)
        except BaseException as error:
            leaving.print_from(error, self._root)
            code = 130 if isinstance(error, KeyboardInterrupt) else 1
        return leaving.wind_up(code)

    def _freshen(self):
        """Put the interpreter back to how a program finds it at its start."""
        if self.seconds:
            signal.setitimer(signal.ITIMER_PROF, self.seconds)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        forget_modules(self._root, self.newest_module)
        atexit._clear()  # what the test's process wants done at its end is not the program's business
        atexit.register(logging.shutdown)
        _reset_logging()
        warnings.filters[:], warnings.showwarning = list(self._warnings[0]), self._warnings[1]
        if hasattr(warnings, "_filters_mutated"):
            warnings._filters_mutated()
        random.seed()
        with contextlib.suppress(ImportError, AttributeError):
            import asyncio

            asyncio._set_running_loop(None)
        standard.install(os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")[0] or "utf-8")

    def _search_from(self, first):
        extra = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
        rest = [part for part in self._search if not (part + os.sep).startswith(self._root)]
        sys.path[:] = [first, *extra, *rest]

    def script(self, path, args):
        """Run a file, or the ``__main__.py`` of a folder."""
        full = os.path.abspath(path)
        if os.path.isdir(full):
            self._search_from(full)
            full = os.path.join(full, "__main__.py")
        else:
            self._search_from(os.path.dirname(full))
        try:
            code = self._sources.code(full)
        except OSError as error:
            words = (sys.executable, full, error.errno, error.strerror)
            sys.stderr.write("%s: can't open file %r: [Errno %d] %s\n" % words)
            raise SystemExit(2) from None
        sys.argv = [path, *args]
        _execute(code, full)

    def module(self, name, args):
        """Run a module as ``-m`` does."""
        self._search_from(os.getcwd())
        sys.argv = [name, *args]
        try:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        except ImportError as error:
            if error.name == name or str(error).startswith("No module named"):
                raise SystemExit("%s: %s" % (sys.executable, error)) from None
            raise

    def text(self, source, args):
        """Run a command given as text."""
        self._search_from("")
        sys.argv = ["-c", *args]
        _execute(compile(source, "<string>", "exec", dont_inherit=True), None)

    def typed(self, args):
        """Run what comes in on standard input."""
        self._search_from("")
        sys.argv = [*args] or [""]
        _execute(compile(sys.stdin.read(), "<stdin>", "exec", dont_inherit=True), None)


def forget_modules(root, newest):
    """Have modules that come from below ``root`` loaded anew when they are next imported.

    Args:
        root: The folder, with a separator at its end.
        newest: The module loaded last before any of them.
    """
    # Newest first, and no further than the last of ours: touching hundreds of modules costs a fork most of its time.
    for name in list(itertools.takewhile(lambda name: name != newest, reversed(sys.modules))):
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(root):
            del sys.modules[name]
    sys.path_importer_cache.clear()


def _invocation(words):
    """What a command line asks for, as a function of ``Programs``.

    Raises:
        PermissionError: It isn't Python.
    """
    name = os.path.basename(words[0])
    if name in _SHELLS and len(words) == 3 and words[1] == "-c":
        inner = [] if _SHELL_WORDS.search(words[2]) else shlex.split(words[2])
        if inner:
            return _invocation(inner)
        raise PermissionError(1, "tests may only start Python programs here, without shell syntax", words[2][:200])
    if words[0] != sys.executable and not _PYTHON.match(name):
        raise PermissionError(1, "tests may only start Python programs here", name)
    rest = words[1:]
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word in ("-V", "--version"):
            return lambda programs: print("Python " + sys.version.split()[0])
        letters = word.lstrip("-")
        head = letters.rstrip("cm") if letters[-1:] in "cm" else letters
        if letters[-1:] in ("c", "m") and letters and set(head) <= _ALONE and rest:
            what = Programs.text if letters[-1] == "c" else Programs.module
            target = rest.pop(0)
            return lambda programs: what(programs, target, rest)
        if word in ("-W", "-X") and rest:
            rest.pop(0)
    if rest and rest[0] != "-":
        return lambda programs: programs.script(rest[0], rest[1:])
    return lambda programs: programs.typed(rest)


def _plug(ends, keep, close_fds):
    """Wire descriptors as ``subprocess`` asks, and close what an executed program would not have."""
    stdin, their_in, their_out, stdout, their_err, stderr, report, failed = ends
    for end in (their_in, their_out, their_err, report):
        if end >= 0:
            os.close(end)
    wanted = [(0, stdin), (1, stdout), (2, stderr)]
    # First out of the way of 0, 1 and 2, or one could be overwritten before it is used.
    high = {fd: (os.dup(fd) if fd <= 2 else fd) for _, fd in wanted if fd >= 0}
    for target, fd in wanted:
        if fd >= 0:
            os.dup2(high[fd], target)
    kept = sorted({int(fd) for fd in keep if int(fd) > 2} - {failed})
    if close_fds:
        for low, high in zip([2, *kept], [*kept, _MOST_DESCRIPTORS]):
            os.closerange(low + 1, high)
        return
    for fd in range(3, _MOST_DESCRIPTORS):
        with contextlib.suppress(OSError):
            if fd == failed or not os.get_inheritable(fd):
                os.close(fd)  # the one for failures too, as executing does: that tells the parent that all is well


def _set_environment(entries):
    os.environ.clear()
    for entry in entries:
        name, _, value = os.fsdecode(entry).partition("=")
        os.environ[name] = value


def _reset_logging():
    logging.disable(logging.NOTSET)
    for logger in [logging.root, *logging.Logger.manager.loggerDict.values()]:
        if isinstance(logger, logging.Logger):
            logger.handlers[:], logger.filters[:] = [], []
            logger.disabled, logger.propagate = False, True
            logger.setLevel(logging.NOTSET)
    logging.root.setLevel(logging.WARNING)
    logging._handlers.clear()
    del logging._handlerList[:]


def _execute(code, path):
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=__builtins__, __spec__=None)
    if path is not None:
        main.__file__ = path
    sys.modules["__main__"] = main
    exec(code, main.__dict__)
