"""Programs that tests start: a Python program runs in a fork of the test's process, any other is executed.

Players test a command line with ``subprocess.run([sys.executable, "tool.py", ...])``. The lowest level of that module
is replaced: descriptors, directory and environment are set up as usual, and then this interpreter becomes the program.
That costs only a fork, and mutants of the player's code apply. A shell and other programs of the system are executed
where the sandbox has namespaces; the Python programs that they start run in forks, too (``python_clients``).
"""

from __future__ import annotations

import _posixsubprocess
import atexit
import builtins
import contextlib
import contextvars
import errno
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
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from runs import interpreter

from . import python_clients
from .mutants import UNREADABLE_CODE_ERRORS, SourceOverlay
from .process_state import connect_pipes, reset_logging, set_environment
from .python_clients import PythonCall
from .suite_notes import TestNotes

_PYTHON_NAME = re.compile(r"python(\d(\.\d+)?)?$")
"""Matches ``python``, ``python3`` and ``python3.12``."""
_SHELLS = ("sh", "bash", "dash", "zsh")
_SHELL_SYNTAX = re.compile(r"[|&;<>$`()*?\[\]{}~#\n]")
_FLAGS_WITHOUT_VALUE = frozenset("BEIOPSbdiqRsuvxO")
_PIPE_DESCRIPTORS, _STARTS_SESSION = 8, 9
_PACKAGE_FILE = "__init__.py"
_EXIT_FAILED_TO_START, _EXIT_NO_SUCH_FILE = 255, 2


class ProgramLauncher:
    """The replacement for executing programs.

    Args:
        root: The folder of the player's code; modules in it are loaded again in each program.
        sources: The source of these modules.
        notes: Where missing, refused and executed programs are noted.
        programs: The folder of Python's clients, if programs may be executed; else empty.
        laid_out: The files of the program that replaces the player's; empty if there is none.
    """

    def __init__(
        self, root: str, sources: SourceOverlay, notes: TestNotes, programs: str, laid_out: frozenset[str]
    ) -> None:
        self._notes = notes
        self._programs = programs
        self._laid_out = laid_out
        self._root = os.path.join(root, "")
        self._sources = sources
        self._search_path = list(sys.path)
        self._warning_filters, self._show_warning = list(warnings.filters), warnings.showwarning
        self.newest_module = next(reversed(sys.modules))
        self.cpu_seconds = 0.0

    def install(self) -> None:
        """Replace the system's way of starting programs, for this process and its forks."""
        # All of these are private, and in some versions ``subprocess`` has its own reference to the function.
        subprocess.__dict__.update(_USE_POSIX_SPAWN=False, _USE_VFORK=False)
        _posixsubprocess.__dict__["fork_exec"] = self._start
        if hasattr(subprocess, "_fork_exec"):
            subprocess.__dict__["_fork_exec"] = self._start
        os.system = _call_shell
        if self._programs:
            os.environ["PATH"] = self._programs + os.pathsep + os.environ["PATH"]
            sys.executable = os.path.join(self._programs, "python3")
        self._serve_run_path()

    def _serve_run_path(self) -> None:
        """Make ``runpy.run_path`` run the code that an import would load, since it reads files itself."""
        read_code = vars(runpy)["_get_code_from_file"]

        def get_code(*arguments: Any) -> Any:
            path = self._sources.original_of(os.path.abspath(os.fsdecode(arguments[-1])))  # last in all versions
            if not path.startswith(self._root):
                return read_code(*arguments)
            code = self._sources.compile_file(path)
            return (code, arguments[-1]) if len(arguments) > 1 else code

        runpy.__dict__.update(_get_code_from_file=get_code)

    def _start(
        self,
        args: Sequence[bytes | str],
        executables: Sequence[bytes | str],
        close_fds: bool,
        kept_descriptors: Iterable[int],
        directory: Any,
        environment: Iterable[bytes] | None,
        *other_arguments: Any,
    ) -> int:
        """Replaces ``_posixsubprocess.fork_exec``, whose first arguments are the same in all versions."""
        arguments = [os.fsdecode(argument) for argument in args]
        paths = [os.fsdecode(path) for path in executables] or arguments[:1]
        path, program = paths[0], _parse_command([paths[0], *arguments[1:]])
        if program is None:
            path = self._find_executable(paths, arguments)
            self._notes.note_execution()
        with contextlib.suppress(*UNREADABLE_CODE_ERRORS):
            self._sources.compile_mutants()  # here once, instead of in each started program
        # Otherwise the program would print the test's buffered output again.
        for stream in filter(None, (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)):
            with contextlib.suppress(Exception):  # the stream may be the player's, or closed
                stream.flush()
        pid = os.fork()
        if not pid:
            status = _EXIT_FAILED_TO_START
            try:
                # Before the pipes are closed, by which the parent knows that the program has begun.
                with contextlib.suppress(PermissionError):  # without namespaces, nobody may leave the session
                    if other_arguments[_STARTS_SESSION]:
                        os.setsid()
                    for prepare in filter(callable, other_arguments[_STARTS_SESSION:]):  # that is ``preexec_fn``
                        prepare()
                connect_pipes(other_arguments[:_PIPE_DESCRIPTORS], kept_descriptors, close_fds)
                if directory is not None:
                    os.chdir(directory)
                if environment is not None:
                    set_environment(environment)
                if program is None:
                    self._execute(path, arguments)
                else:
                    status = contextvars.Context().run(self._become, program)
            except BaseException as error:  # noqa: BLE001 - this fork must not return into the test
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                sys.stderr.flush()
            finally:
                os._exit(status)
        return pid

    def _find_executable(self, paths: Sequence[str], arguments: Sequence[str]) -> str:
        """The first of these paths that can be executed; if there is none, that is noted as refused.

        Raises:
            OSError: There is none, or the sandbox executes no programs.
        """
        if not self._programs:
            self._notes.note_refusal(f"the sandbox here starts only Python programs ({shlex.join(arguments)})")
            raise PermissionError(errno.EPERM, "the sandbox starts only Python programs", arguments[0])
        executable = next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), "")
        if not executable:
            self._notes.note_refusal(f"the sandbox has no program `{arguments[0]}`")
            code = errno.EACCES if any(map(os.path.isfile, paths)) else errno.ENOENT
            raise OSError(code, os.strerror(code), arguments[0])
        return executable

    def _execute(self, path: str, arguments: list[str]) -> None:
        """Replace this forked process by a program."""
        self._notes.is_launching = True
        python_clients.serve_beside(self._run_call)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        if self.cpu_seconds:
            signal.setitimer(signal.ITIMER_PROF, self.cpu_seconds)
        os.execv(path, arguments)

    def _run_call(self, call: PythonCall) -> int:
        """Run what a client was called for in this process, and return the exit status."""
        self._notes.is_launching = False
        os.chdir(call.folder)
        set_environment(os.fsencode(f"{name}={value}") for name, value in call.environment.items())
        return contextvars.Context().run(self._become, _parse_python_arguments(call.arguments))

    def _become(self, program: _Program) -> int:
        """Run a program in this forked process, and return the exit status."""
        self._reset_interpreter()
        status = 0
        try:
            program(self)
        except SystemExit as error:
            status = interpreter.exit_status_of(error.code)
        except BaseException as error:  # noqa: BLE001 - the program may raise anything
            status = interpreter.exit_status_of_error(error, self._root)
        return interpreter.finish_program(status)

    def _reset_interpreter(self) -> None:
        """Reset the interpreter to the state at the start of a program."""
        if self.cpu_seconds:
            signal.setitimer(signal.ITIMER_PROF, self.cpu_seconds)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        forget_modules(self._root, self.newest_module)
        # What the test's process registered for its end must not run in the program.
        vars(atexit)["_clear"]()
        atexit.register(logging.shutdown)
        reset_logging()
        vars(warnings)["filters"][:] = self._warning_filters
        warnings.showwarning = self._show_warning
        vars(warnings).get("_filters_mutated", lambda: None)()
        random.seed()
        with contextlib.suppress(ImportError, KeyError):
            import asyncio

            vars(asyncio)["_set_running_loop"](None)
        encoding = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
        interpreter.install_standard_streams(encoding or "utf-8")

    def _search_from(self, first: str) -> None:
        """Set the import path of a program in the folder ``first``."""
        from_environment = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
        libraries = [part for part in self._search_path if not (part + os.sep).startswith(self._root)]
        sys.path[:] = [first, *from_environment, *libraries]

    def run_script(self, path: str, args: list[str]) -> None:
        """Run a file, or the ``__main__.py`` of a folder.

        Raises:
            SystemExit: There is no such file.
        """
        full_path = os.path.abspath(path)
        original = self._sources.original_of(full_path)
        if original in self._laid_out and os.path.basename(original) == _PACKAGE_FILE:
            # A test may start ``module.__file__`` of a package, although the player's program is a single file.
            self._search_from(os.path.dirname(os.path.dirname(original)))
            sys.argv = [path, *args]
            self._run_as_main(os.path.basename(os.path.dirname(original)))
            return
        if os.path.isdir(full_path):
            self._search_from(full_path)
            full_path = os.path.join(full_path, "__main__.py")
        else:
            self._search_from(os.path.dirname(full_path))
        try:
            code = self._sources.compile_file(full_path)
        except OSError as error:
            self._notes.note_missing_part()
            why = f"[Errno {error.errno}] {error.strerror}"
            sys.stderr.write(f"{sys.executable}: can't open file {full_path!r}: {why}\n")
            raise SystemExit(_EXIT_NO_SUCH_FILE) from None
        self._note_lack_of_command(full_path)
        sys.argv = [path, *args]
        _execute_as_main(code, full_path)

    def _note_lack_of_command(self, path: str) -> None:
        """Note that a test starts a file meant only for import: its command line is the player's own idea."""
        path = self._sources.original_of(path)
        if path in self._laid_out and b"__main__" not in path.encode() + self._sources.read(path):
            self._notes.note_missing_part()

    def run_module(self, name: str, args: list[str]) -> None:
        """Run a module like ``python -m``."""
        self._search_from(os.getcwd())
        sys.argv = [name, *args]
        self._note_lack_of_command(os.path.abspath(name.replace(".", os.sep) + ".py"))
        self._run_as_main(name)

    def _run_as_main(self, name: str) -> None:
        try:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        except ImportError as error:
            if error.name == name or str(error).startswith("No module named"):
                if self._laid_out:
                    self._notes.note_missing_part()
                raise SystemExit(f"{sys.executable}: {error}") from None
            raise

    def run_text(self, source: str, args: list[str]) -> None:
        """Run a command given as text, like ``python -c``."""
        self._search_from("")
        sys.argv = ["-c", *args]
        _execute_as_main(compile(source, "<string>", "exec", dont_inherit=True), None)

    def run_stdin(self, args: list[str]) -> None:
        """Run the program read from standard input."""
        self._search_from("")
        sys.argv = [*args] or [""]
        _execute_as_main(compile(sys.stdin.read(), "<stdin>", "exec", dont_inherit=True), None)


_Program = Callable[[ProgramLauncher], object]


def forget_modules(root: str, newest_module: str) -> None:
    """Make modules from ``root`` load again at their next import.

    Args:
        root: The folder, with a separator at its end.
        newest_module: The module loaded last before any of them.
    """
    # Newest first, and only up to our last module: touching hundreds of modules takes most of a fork's time.
    for name in list(itertools.takewhile(lambda name: name != newest_module, reversed(sys.modules))):
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(root):
            del sys.modules[name]
    sys.path_importer_cache.clear()


def _call_shell(command: str) -> int:
    return subprocess.call(command, shell=True) << 8  # noqa: S602 - as ``os.system`` promises


def _parse_command(arguments: list[str]) -> _Program | None:
    """Parse a command line into the Python program to run; None if it is another program."""
    name = os.path.basename(arguments[0])
    if name in _SHELLS and len(arguments) == 3 and arguments[1] == "-c":
        words = [] if _SHELL_SYNTAX.search(arguments[2]) else shlex.split(arguments[2])
        return _parse_command(words) if words else None
    is_python = arguments[0] == sys.executable or _PYTHON_NAME.match(name)
    return _parse_python_arguments(arguments[1:]) if is_python else None


def _parse_python_arguments(args: list[str]) -> _Program:
    """Parse the arguments of an interpreter into the program to run."""
    while args and args[0].startswith("-") and args[0] != "-":
        argument = args.pop(0)
        if argument in ("-V", "--version"):
            return lambda launcher: print("Python " + sys.version.split()[0])
        letters = argument.lstrip("-")
        flags = letters.rstrip("cm") if letters[-1:] in "cm" else letters
        if letters[-1:] in ("c", "m") and letters and set(flags) <= _FLAGS_WITHOUT_VALUE and args:
            run = ProgramLauncher.run_text if letters[-1] == "c" else ProgramLauncher.run_module
            target = args.pop(0)
            return lambda launcher: run(launcher, target, args)
        if argument in ("-W", "-X") and args:
            args.pop(0)
    if args and args[0] != "-":
        return lambda launcher: launcher.run_script(args[0], args[1:])
    return lambda launcher: launcher.run_stdin(args)


def _execute_as_main(code: types.CodeType, path: str | None) -> None:
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __spec__=None)
    if path is not None:
        main.__file__ = path
    sys.modules["__main__"] = main
    exec(code, main.__dict__)  # noqa: S102 - running programs is the purpose
