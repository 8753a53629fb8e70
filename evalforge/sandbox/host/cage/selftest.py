"""A self-test of the layers: sandboxed children try what is forbidden, and their parent checks the effect."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from typing import NamedTuple

from . import landlock, namespaces, syscalls

_BWRAP = "/usr/bin/bwrap"
_MAX_SECONDS = 2.0
_PIPE_READ_BYTES = 65536
_SECRET = b"not yours"
_SECCOMP_GET_ACTION_AVAIL, _SECCOMP_RET_ERRNO = 2, b"\0\0\5\0"
_PTRACE_SEIZE, _RLIMIT_NOFILE, _CLONE_NEWUSER = 0x4206, 7, 0x10000000


class Probe(NamedTuple):
    """The isolation available on this machine; a host sends it as JSON when it is ready.

    Attributes:
        layer: The best layer that holds: ``full``, ``standard``, ``namespaces``, ``seatbelt``, ``basic`` or ``none``.
        landlock_abi: The kernel's Landlock version; 0 for none.
        seccomp: Whether the kernel has system call filters.
        userns: Whether namespaces can be entered.
        bwrap: The path of a bubblewrap that works where namespaces are refused to others, or None.
        root: Whether this is root.
        notes: Sentences for a person.
    """

    layer: str
    landlock_abi: int
    seccomp: bool
    userns: bool
    bwrap: str | None
    root: bool
    notes: list[str]


class Trial(NamedTuple):
    """A test of one layer.

    Attributes:
        layer: The layer's name.
        work: The directory in which it may write.
        secret: A file that it must not reach.
    """

    layer: str
    work: str
    secret: str


EnterCage = Callable[[Trial], None]
"""Puts this process into the sandbox that a trial names."""


def probe_without_linux(layer: str) -> Probe:
    """The probe for systems on which layers can't be tested."""
    notes = {
        "none": ["This system offers no sandbox."],
        "seatbelt": ["The macOS sandbox is used but has not been proven on real hardware."],
    }
    return _make_probe(layer, notes[layer])


def probe(enter: EnterCage, scratch: str) -> Probe:
    """Test the layers from the strongest down; the first that holds is the best.

    Args:
        enter: Puts a forked child into the sandbox.
        scratch: A directory to work in.

    Raises:
        OSError: Nothing can be written in ``scratch``, so nothing can be tested.
    """
    notes: list[str] = []
    best = "basic"
    layers = ["full", "standard", "namespaces"]
    if not landlock.abi_version():
        layers = ["namespaces"]
        notes.append("This kernel has no Landlock, so that each run needs a file tree of its own.")
    for layer in layers:
        faults = _try_layer(layer, enter, scratch)
        if not faults:
            best = layer
            break
        notes.append("Layer " + layer + " does not hold: " + "; ".join(faults) + ".")
    userns = best in ("full", "namespaces") or namespaces.are_available()
    if os.geteuid() == 0:
        notes.append("Running as root weakens the limits; use a normal account.")
    bwrap = None if userns else _find_working_bwrap()
    if bwrap:
        notes.append("Your own tests run in bubblewrap, because namespaces are granted to that program alone.")
    return _make_probe(best, notes)._replace(userns=userns, bwrap=bwrap)


def _make_probe(layer: str, notes: list[str]) -> Probe:
    return Probe(
        layer=layer,
        landlock_abi=landlock.abi_version(),
        seccomp=_has_system_call_filter(),
        userns=False,
        bwrap=None,
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        notes=notes,
    )


def _has_system_call_filter() -> bool:
    """Whether the kernel supports the action that the filter uses."""
    try:
        return syscalls.call("seccomp", _SECCOMP_GET_ACTION_AVAIL, 0, _SECCOMP_RET_ERRNO) == 0
    except OSError:
        return False


def _try_layer(layer: str, enter: EnterCage, scratch: str) -> list[str]:
    """Test a layer, and return its faults: failed steps, forbidden things that worked, allowed ones that didn't."""
    base = os.path.join(scratch, "evalforge-probe-" + os.urandom(8).hex())
    work, outside = base + "/work", base + "/outside"
    os.makedirs(work, mode=0o700)
    os.makedirs(outside, mode=0o755)
    trial = Trial(layer, work, outside + "/secret")
    try:
        _write(trial.secret, _SECRET)
        before = _visible_state(trial.secret)
        faults = _faults_in_child(enter, trial)
        if _visible_state(trial.secret) != before:
            faults.append("a file outside was changed")
        if os.listdir(outside) != ["secret"]:
            faults.append("a file was left outside")
        return faults
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _visible_state(path: str) -> tuple[int, int, int]:
    status = os.stat(path)
    return status.st_mode, status.st_size, status.st_mtime_ns


def _faults_in_child(enter: EnterCage, trial: Trial) -> list[str]:
    """Test a layer in a forked child, and return the faults that it reports; silence is a fault too."""
    read_end, report_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            enter(trial)
            os.write(report_end, json.dumps(_faults_inside(trial)).encode())
        except BaseException as error:  # noqa: BLE001 - reported to the parent
            os.write(report_end, json.dumps([str(error)]).encode())
        finally:
            os._exit(0)
    os.close(report_end)
    try:
        report = _read_until_end(read_end, child)
    finally:
        os.close(read_end)
        os.waitpid(child, 0)
    try:
        return [str(line) for line in json.loads(report)]
    except ValueError:
        return ["the test child said nothing"]


def _read_until_end(read_end: int, child: int) -> bytes:
    """Read a child's output until it ends; it is killed if that takes too long."""
    os.set_blocking(read_end, False)
    report, deadline = b"", time.monotonic() + _MAX_SECONDS
    while time.monotonic() < deadline:
        try:
            data = os.read(read_end, _PIPE_READ_BYTES)
        except BlockingIOError:
            time.sleep(0.0005)
            continue
        if not data:
            return report
        report += data
    os.kill(child, signal.SIGKILL)
    return report


def _faults_inside(trial: Trial) -> list[str]:
    """Inside the sandbox, try everything, and return what did not behave as it should."""
    secret, parent = trial.secret, os.getppid()  # in namespaces of its own, that is its supervisor
    forbidden: dict[str, Callable[[], object]] = {
        "reads files outside": lambda: _open(secret, os.O_RDONLY),
        "reads files of the judge": lambda: _open(__file__, os.O_RDONLY),
        "changes files outside": lambda: _open(secret, os.O_RDWR),
        "empties files outside": lambda: os.truncate(secret, 0),
        "creates files outside": lambda: _open(secret + "2", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        "reads the environment of its parent": lambda: _open(f"/proc/{parent}/environ", os.O_RDONLY),
        "opens sockets": lambda: socket.socket().close(),
        "starts processes": _fork,
        "signals its parent": lambda: os.kill(parent, 0),
        "changes the limits of its parent": lambda: syscalls.call("prlimit64", parent, _RLIMIT_NOFILE, 0, 0),
        "traces processes": lambda: syscalls.call("ptrace", _PTRACE_SEIZE, parent, 0, 0),  # doesn't stop it
        "runs programs": lambda: os.execv("/bin/true", ["true"]),
        "keeps memory in files": lambda: syscalls.call("memfd_create", b"m\0", 0),
        "makes namespaces": lambda: syscalls.call("unshare", _CLONE_NEWUSER),
    }
    faults = [name for name, attempt in forbidden.items() if not _is_refused(attempt)]
    with contextlib.suppress(OSError):
        os.chmod(secret, 0o777)  # noqa: S103 - it reports success; the parent checks whether it had an effect
    try:
        _write(trial.work + "/note", b"mine")
    except OSError:
        faults.append("can't write in its own directory")
    return faults


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (PermissionError, FileNotFoundError):  # hidden files count as refused
        return True
    except OSError:
        return False
    return False


def _open(path: str, flags: int) -> None:
    os.close(os.open(path, flags | os.O_CLOEXEC, 0o666))


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def _find_working_bwrap() -> str | None:
    """The system's bubblewrap, if it works: it may have user namespaces that others are refused."""
    if not os.access(_BWRAP, os.X_OK):
        return None
    argv = [_BWRAP, "--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "/bin/true"]
    to_null = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]
    child = os.posix_spawn(_BWRAP, argv, {}, file_actions=to_null)
    deadline = time.monotonic() + _MAX_SECONDS
    while time.monotonic() < deadline:
        pid, wait_status = os.waitpid(child, os.WNOHANG)
        if pid:
            return _BWRAP if wait_status == 0 else None
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
