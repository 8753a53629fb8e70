"""The forked child: it enters the sandbox, then becomes the player's program."""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import functools
import gc
import os
import random
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn

from answers import marking, noting
from cage import layers
from cage.resource_limits import ResourceLimits
from protocol.player_test_messages import PlayerTestPlan
from protocol.run_messages import RunRequest

from . import entry_points, interpreter, own_modules, preload, session
from .execution import ExecutionRecord
from .failure_report import FailureReporter, remember_actions
from .output import WriteEnds
from .run_clock import RunClock

CAGED = b"caged\n"
"""The beginning of every report. It is written before any code of the player's runs, so none can suppress it."""
_HOST_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PROGRAM_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
_MAX_PROCESSES = 256  # threads count too, and a test may well start a hundred
_EXIT_UNEXPECTED = 70
_FIRST_OWN_DESCRIPTOR = 3
_MAX_DESCRIPTORS = 4096
_EXTRA_CPU_SECONDS = 2
_WATCHED_CPU_SECONDS = 120
"""Processor time of each run of a trial, the same for all, so that it reveals nothing. The clock ends runs sooner."""
_PRIVATE_UMASK = 0o077

ServeTests = Callable[[socket.socket, PlayerTestPlan, str, str], None]
"""Runs the player's tests, given the client's socket, the plan, the submission's folder and the run's folder."""


class RunFolders(NamedTuple):
    """The paths of a run, the same for all runs of a host, which makes new folders for each.

    Attributes:
        root: The run's folder, with all of the others.
        work: The working directory.
        scratch: The folder of temporary files.
        stdin: The file to read as standard input.
    """

    root: str
    work: str
    scratch: str
    stdin: str


def run_folders(host_root: str) -> RunFolders:
    """The paths of a host's runs, below its directory."""
    root = os.path.join(host_root, "run")
    return RunFolders(root, *(os.path.join(root, name) for name in ("work", "tmp", "stdin")))


class HostContext(NamedTuple):
    """The state that all runs of a host share.

    Attributes:
        root: The host's directory, in which the runs' directories are created.
        wake: A descriptor that becomes readable when a child ends.
        control: The client's socket: a message on it during a run asks to stop.
        serve_tests: Runs the player's tests in a child, if this host does that, as ``ServeTests`` with ``programs``.
        programs: The folder of programs that tests may start, beside those of the system.
        record: The record of what a child executes, if it is watched.
        clock: The clock of the runs.
        folders: The paths of each run.
    """

    root: str
    wake: int
    control: socket.socket
    clock: RunClock
    folders: RunFolders
    serve_tests: Callable[[str, socket.socket, PlayerTestPlan, str, str], None] | None = None
    programs: str = ""
    record: ExecutionRecord | None = None


class _OwnDescriptors(NamedTuple):
    report: int
    trace: int
    session: int | None


def prepare_host(folders: RunFolders) -> None:
    """Do once, before the first fork, what all children need, because each step would cost every child its time.

    The environment becomes that of the programs. Our modules are removed from
    ``sys.modules``, because a program's modules may have the same names, and ours no longer need to be found.
    """
    os.environ.clear()
    os.environ.update({**_PROGRAM_ENVIRONMENT, "HOME": folders.work, "TMPDIR": folders.scratch})
    for name, module in list(sys.modules.items()):
        is_ours = (getattr(module, "__file__", None) or "").startswith(_HOST_FOLDER + os.sep)
        if is_ours and name != "__main__":
            del sys.modules[name]
    interpreter.install_standard_streams_for_forks()


def become_program(
    request: RunRequest,
    module_names: Iterable[str],
    write_ends: WriteEnds,
    session_descriptor: int | None,
    host: HostContext,
) -> NoReturn:
    """Run the request in this process, then exit.

    Args:
        request: What to run.
        module_names: The names of the submission's own modules.
        write_ends: The pipes to the host.
        session_descriptor: The descriptor of a session's socket, or None.
        host: The state that all runs of the host share.
    """
    status = _EXIT_UNEXPECTED
    folders = host.folders
    try:
        own = _arrange_descriptors(folders.stdin, write_ends, session_descriptor)
        _prepare_process(request, folders.work)
        # Only in namespaces do all programs that a test starts end with it.
        programs = host.programs if request.layer in layers.WITH_NAMESPACES else ""
        layers.enter_cage(_policy(request, folders.root, programs))
        os.umask(_PRIVATE_UMASK)  # not earlier: the sandbox creates directories that another user must be able to enter
        preload.restore_fork_hooks()
        if request.mode != "tests":  # whose own notes say what was refused
            remember_actions()
        reporter = FailureReporter(own.report, request.source, request.limits)
        faulthandler.register(signal.SIGUSR2, file=own.trace, all_threads=True)
        if host.record is not None:
            host.record.watch()
        os.write(own.report, CAGED)  # failures from here on are the player's
        # Not before the sandbox is closed, as an import may run what it finds.
        sys.path[:0] = import_folders(request)
        own_modules.make_way(module_names)
        if request.marks is not None and request.mode != "compile":
            noting.start(request.source, request.marks, in_session=request.mode == "session")
        serve_tests = functools.partial(host.serve_tests, programs) if host.serve_tests else None
        status = _run_request(request, folders, own.session, reporter, serve_tests)
        status = interpreter.finish_program(status)
    except BaseException:  # noqa: BLE001 - this process must not return into the host's loop
        traceback.print_exc()
    finally:
        os._exit(status)


def _arrange_descriptors(stdin: str, write_ends: WriteEnds, session_descriptor: int | None) -> _OwnDescriptors:
    """Put the standard streams on 0, 1 and 2 and ours right behind them, and close all others."""
    os.dup2(write_ends.stderr, 2)  # first, so that other failures can be reported
    os.setsid()
    os.dup2(os.open(stdin, os.O_RDONLY), 0)
    os.dup2(write_ends.stdout, 1)
    own = [write_ends.report, write_ends.trace, *([] if session_descriptor is None else [session_descriptor])]
    first_free = _FIRST_OWN_DESCRIPTOR + len(own)
    # First move them out of each other's way, or one could be overwritten before it is moved.
    moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, first_free) for descriptor in own]
    for target, descriptor in enumerate(moved, _FIRST_OWN_DESCRIPTOR):
        os.dup2(descriptor, target, inheritable=False)
    os.closerange(first_free, _MAX_DESCRIPTORS)
    report, trace, session_target = range(_FIRST_OWN_DESCRIPTOR, _FIRST_OWN_DESCRIPTOR + 3)
    return _OwnDescriptors(report, trace, None if session_descriptor is None else session_target)


def _prepare_process(request: RunRequest, work: str) -> None:
    signal.set_wakeup_fd(-1)
    interpreter.set_signal_handler(signal.SIGCHLD, interpreter.SIGNAL_DEFAULT)
    interpreter.set_signal_handler(signal.SIGINT, signal.default_int_handler)
    os.chdir(work)
    random.seed(0)  # so that the same submission draws the same random numbers each time
    os.environ.update(request.env)
    is_compiling = request.mode == "compile"
    sys.dont_write_bytecode = not is_compiling
    sys.pycache_prefix = request.bytecode or (work if is_compiling else None)
    sys.argv = [""]  # as in an interpreter without script or module; not the host's own arguments
    sys.path[:] = [part for part in sys.path if part != _HOST_FOLDER]


def import_folders(request: RunRequest) -> tuple[str, ...]:
    """The folders of the submission that imports search first."""
    return tuple(os.path.join(request.source, part) if part else request.source for part in request.import_folders)


def _policy(request: RunRequest, run_folder: str, programs: str) -> layers.Policy:
    limits = request.limits
    return layers.Policy(
        read=[request.source, *filter(None, [request.bytecode]), *request.readable],
        work=run_folder,
        limits=ResourceLimits(
            cpu_seconds=_WATCHED_CPU_SECONDS if request.watched else int(limits.seconds) + _EXTRA_CPU_SECONDS,
            memory_bytes=limits.memory_bytes,
            file_bytes=limits.file_bytes,
            open_files=limits.open_files,
            processes=_process_limit(request.layer) if request.allow_fork else None,
        ),
        layer=request.layer,
        allow_fork=request.allow_fork,
        allow_exec=bool(programs),
        execute=(programs,),
    )


def _process_limit(layer: str) -> int | None:
    """The limit on processes and threads; without a user namespace, all others of the user count, so they are added."""
    if layer in layers.WITH_NAMESPACES:
        return _MAX_PROCESSES
    task_count = 0
    try:
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if name.isdigit() and os.stat("/proc/" + name).st_uid == os.getuid():
                    task_count += len(os.listdir("/proc/" + name + "/task"))
    except OSError:
        return None
    return task_count + _MAX_PROCESSES


def _run_request(
    request: RunRequest,
    folders: RunFolders,
    session_descriptor: int | None,
    reporter: FailureReporter,
    serve_tests: ServeTests | None,
) -> int:
    """Run the request and return the exit status."""
    gc.enable()
    try:
        if session_descriptor is not None:
            _serve_client(request, folders, socket.socket(fileno=session_descriptor), reporter, serve_tests)
        elif request.entry.kind == "module":
            entry_points.run_module(request.entry.target, request.args)
        elif request.entry.kind == "compile" and request.marks is not None:
            marking.compile_marked(request.source, request.entry.paths, request.marks.name)
        elif request.entry.kind == "compile":
            entry_points.compile_files(request.source, request.entry.paths)
        else:
            entry_points.run_script(os.path.join(request.source, request.entry.target), request.args)
    except SystemExit as error:
        return interpreter.exit_status_of(error.code)
    except BaseException as error:  # noqa: BLE001 - the program may raise anything
        reporter.report_error(error)
        return interpreter.exit_status_of_error(error, reporter.root)
    return 0


def _serve_client(
    request: RunRequest,
    folders: RunFolders,
    connection: socket.socket,
    reporter: FailureReporter,
    serve_tests: ServeTests | None,
) -> None:
    if request.mode == "session":
        session.serve_session(connection, reporter)
    elif serve_tests is not None and request.plan is not None:
        serve_tests(connection, request.plan, request.source, folders.root)
