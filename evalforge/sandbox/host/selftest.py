"""Which layers hold on this machine: caged children try what is forbidden, and their parent looks what came of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable

import landlock
import limits
import namespaces
import syscalls

_BWRAP = "/usr/bin/bwrap"
_PATIENCE = 2.0
_SECRET = b"not yours"


def without_linux(layer: str) -> dict[str, object]:
    """What a probe says on systems whose layers can't be tried from here."""
    notes = {
        "none": ["There is no isolation on this system."],
        "seatbelt": ["The macOS sandbox is used but has not been proven on real hardware."],
    }
    return _findings(layer, notes[layer])


def probe(enter: Callable[..., None], policy: Callable[..., object], scratch: str = "/tmp") -> dict[str, object]:
    """Try the layers from the strongest down; the first that holds is the one to use.

    Args:
        enter: ``cage.enter``.
        policy: ``cage.Policy``.
        scratch: A directory to work in.

    Raises:
        OSError: There is nothing to be written in ``scratch``, so nothing can be tried.
    """
    notes: list[str] = []
    found = "basic"
    for layer in ("full", "standard"):
        failed = _try(layer, enter, policy, scratch)
        if not failed:
            found = layer
            break
        notes.append("Layer " + layer + " does not hold: " + "; ".join(failed) + ".")
    userns = found == "full" or namespaces.available()
    if os.geteuid() == 0:
        notes.append("Running as root weakens limits; use a normal account.")
    bwrap = None if userns else _working_bwrap()
    if bwrap:
        notes.append("Your own tests run in bubblewrap, because namespaces are granted to that program alone.")
    return {**_findings(found, notes), "userns": userns, "bwrap": bwrap}


def _findings(layer: str, notes: list[str]) -> dict[str, object]:
    return {
        "layer": layer,
        "landlock_abi": landlock.abi(),
        "seccomp": _has_filter(),
        "userns": False,
        "bwrap": None,
        "root": hasattr(os, "geteuid") and os.geteuid() == 0,
        "notes": notes,
    }


def _has_filter() -> bool:
    """Whether the kernel knows the answer the filter gives (SECCOMP_GET_ACTION_AVAIL of SECCOMP_RET_ERRNO)."""
    try:
        return syscalls.call("seccomp", 2, 0, b"\0\0\5\0") == 0
    except OSError:
        return False


def _try(layer: str, enter: Callable[..., None], policy: Callable[..., object], scratch: str) -> list[str]:
    """What went wrong with a layer: steps that failed, forbidden things that worked, allowed ones that didn't."""
    base = os.path.join(scratch, "evalforge-probe-" + os.urandom(8).hex())
    work, outside = base + "/work", base + "/outside"
    os.makedirs(work, mode=0o700)
    os.makedirs(outside, mode=0o755)
    secret = outside + "/secret"
    try:
        _put(secret, _SECRET)
        before = os.stat(secret)
        bounds = limits.Limits(cpu_seconds=5, file_bytes=1 << 20, open_files=64)
        rules = policy(work=work, limits=bounds, layer=layer, disk_bytes=1 << 20)
        failed = _report_of(lambda: (enter(rules), _misdeeds(secret, work, os.getppid()))[1])
        after = os.stat(secret)
        if (before.st_mode, before.st_size, before.st_mtime_ns) != (
            after.st_mode,
            after.st_size,
            after.st_mtime_ns,
        ):
            failed.append("a file outside was changed")
        if os.listdir(outside) != ["secret"]:
            failed.append("a file was left outside")
        return failed
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _report_of(trial: Callable[[], list[str]]) -> list[str]:
    """Run a trial in a forked child and return what it reports; silence is a failure too."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.write(writing, json.dumps(trial()).encode())
        except BaseException as error:
            os.write(writing, json.dumps([str(error)]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.set_blocking(reading, False)
    told, deadline = b"", time.monotonic() + _PATIENCE
    try:
        while time.monotonic() < deadline:
            try:
                piece = os.read(reading, 65536)
            except BlockingIOError:
                time.sleep(0.0005)
                continue
            if not piece:
                break
            told += piece
        else:
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(reading)
        os.waitpid(child, 0)
    try:
        return [str(line) for line in json.loads(told)]
    except ValueError:
        return ["the test child said nothing"]


def _misdeeds(secret: str, work: str, parent: int) -> list[str]:
    """Runs inside the cage: try everything, and name what did not go as it should."""
    forbidden = {
        "reads files outside": lambda: open(secret, "rb").close(),
        "reads files of the judge": lambda: open(__file__, "rb").close(),
        "changes files outside": lambda: open(secret, "r+b").close(),
        "empties files outside": lambda: os.truncate(secret, 0),
        "creates files outside": lambda: open(secret + "2", "wb").close(),
        "reads the environment of its parent": lambda: open("/proc/%d/environ" % parent, "rb").close(),
        "opens sockets": lambda: socket.socket().close(),
        "starts processes": _fork,
        "signals its parent": lambda: os.kill(parent, 0),
        "changes the limits of its parent": lambda: syscalls.call("prlimit64", parent, 7, 0, 0),
        "traces processes": lambda: syscalls.call("ptrace", 0x4206, parent, 0, 0),  # SEIZE, which does not stop it
        "runs programs": lambda: os.execv("/bin/true", ["true"]),
        "keeps memory in files": lambda: syscalls.call("memfd_create", b"m\0", 0),
        "makes namespaces": lambda: syscalls.call("unshare", 0x10000000),
    }
    went_through = [name for name, deed in forbidden.items() if not _is_refused(deed)]
    with contextlib.suppress(OSError):
        os.chmod(secret, 0o777)  # answered with success; the parent looks whether it had an effect
    try:
        _put(work + "/note", b"mine")
    except OSError:
        went_through.append("can't write in its own directory")
    return went_through


def _is_refused(deed: Callable[[], object]) -> bool:
    try:
        deed()
    except (PermissionError, FileNotFoundError):  # what is hidden is as good as refused
        return True
    except OSError:
        return False
    return False


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _put(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def _working_bwrap() -> str | None:
    """The system's bubblewrap, if it works: where user namespaces are refused to others, it may still have them."""
    if not os.access(_BWRAP, os.X_OK):
        return None
    argv = [_BWRAP, "--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "/bin/true"]
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    child = os.posix_spawn(_BWRAP, argv, {}, file_actions=null)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return _BWRAP if status == 0 else None
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
