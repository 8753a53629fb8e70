"""The layers of the sandbox: the rights that a forked child gives up, in this order, before it runs the player's code.

Fail closed: if any step can't be taken, ``CageError`` names it, and the process must end without running anything.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from . import capabilities, landlock, mounts, namespaces, seatbelt, seccomp, selftest, supervisor, syscalls
from .resource_limits import ResourceLimits, apply_limits
from .selftest import Probe

FULL = "full"
NAMESPACES = "namespaces"
STANDARD = "standard"
SEATBELT = "seatbelt"
BASIC = "basic"
NONE = "none"

WITH_NAMESPACES = frozenset({FULL, NAMESPACES})

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 4, 36, 38
_SYSTEM_PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_ALWAYS_READABLE = ("/dev/urandom", "/dev/zero")
_SHARED_MEMORY_BYTES = 16 * 1024 * 1024
_DEFAULT_DISK_BYTES = 64 * 1024 * 1024


class CageError(Exception):
    """The sandbox could not be entered; the message names the step and the reason."""


class Policy(NamedTuple):
    """The permissions of one run.

    Attributes:
        read: Files and directories that it may read, such as the standard library and the submission.
        work: The directory that it may write in; ``None`` for none at all.
        limits: Resource limits.
        layer: ``full``, ``standard``, ``namespaces`` (for kernels without Landlock), ``basic`` (limits and no new
            privileges: not safe for other people's code), ``seatbelt`` (the host itself was started by
            ``seatbelt.wrap_command``) or ``none`` (limits alone).
        allow_fork: Whether it may start processes. Only in namespaces is it certain that all of them end.
        allow_exec: Whether it may run programs: those of the system, and those below ``execute``.
        execute: Folders of more programs, and of what they need.
        disk_bytes: The capacity of ``work`` in namespaces.
    """

    read: Sequence[str] = ()
    work: str | None = None
    limits: ResourceLimits = ResourceLimits()
    layer: str = STANDARD
    allow_fork: bool = False
    allow_exec: bool = False
    execute: tuple[str, ...] = ()
    disk_bytes: int = _DEFAULT_DISK_BYTES

    @property
    def has_namespaces(self) -> bool:
        """Whether the run has processes, mounts and a network of its own."""
        return self.layer in WITH_NAMESPACES

    @property
    def programs(self) -> tuple[str, ...]:
        """The folders of the programs that it may run."""
        if not self.allow_exec:
            return ()
        return (*_SYSTEM_PROGRAMS, sys.base_prefix, *self.execute)


_Step = Callable[[], object]


def enter_cage(policy: Policy, after_run: namespaces.AfterRun = None) -> None:
    """Put this process into the sandbox for good. Call it in a forked child with one thread and few descriptors.

    In namespaces this returns two forks further down (see ``namespaces``). There ``work`` is a private copy of the
    directory, which is copied back after the run.

    Args:
        policy: The run's permissions.
        after_run: In namespaces only: called outside the sandbox with ``work`` and the wait status after the run.

    Raises:
        CageError: A step failed. Leave the process at once.
    """
    for name, step in _steps(policy, after_run):
        try:
            step()
        except Exception as error:
            raise CageError(name + ": " + str(error)) from error


def harden_host(parent: int | None = None) -> None:
    """Protect the host itself: nobody can read its memory, it adopts orphans, and it dies with its parent.

    The kernel counts the parent's *thread* as the parent: a host started by a thread dies when that thread ends.

    Args:
        parent: The process id of the parent, if known; the host exits at once if the parent has already ended.
    """
    if not syscalls.MACHINE:
        return
    syscalls.prctl(_PR_SET_DUMPABLE, 0)
    syscalls.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    supervisor.die_with_parent()
    for policy in (Policy(), Policy(layer=FULL, allow_fork=True), Policy(layer=FULL, allow_fork=True, allow_exec=True)):
        seccomp.assemble(_filter_profile(policy), 0, syscalls.MACHINE)  # fills the cache for all forked children
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def narrow_host() -> None:
    """Give up, in the host itself, what none of its runs may have. Call it after the layers were probed.

    Raises:
        OSError: The kernel refuses.
    """
    if syscalls.MACHINE:
        capabilities.drop_bounding_set()


def probe_layers(scratch: str = "/tmp") -> Probe:  # noqa: S108 - only a folder with a random name is made there
    """Find the best layer that holds on this machine, by letting sandboxed children try what is forbidden.

    Args:
        scratch: A directory to work in.

    Raises:
        OSError: Nothing can be written in ``scratch``.
    """
    if sys.platform == "darwin":
        return selftest.probe_without_linux(SEATBELT if seatbelt.is_available() else NONE)
    if not syscalls.MACHINE or not hasattr(os, "fork"):
        return selftest.probe_without_linux(NONE)
    return selftest.probe(_enter_to_try, scratch)


def _enter_to_try(trial: selftest.Trial) -> None:
    """Enter the layer of a trial."""
    limits = ResourceLimits(cpu_seconds=5, file_bytes=1 << 20, open_files=64)
    enter_cage(Policy(work=trial.work, limits=limits, layer=trial.layer, disk_bytes=1 << 20))


def _steps(policy: Policy, after_run: namespaces.AfterRun) -> list[tuple[str, _Step]]:
    """The steps that enter a layer, each with the name that errors give it."""
    limit_resources: tuple[str, _Step] = ("resource limits", lambda: apply_limits(policy.limits))
    if policy.layer in (SEATBELT, NONE):
        return [limit_resources]
    basic: list[tuple[str, _Step]] = [
        ("die with parent", supervisor.die_with_parent),
        ("no new privileges", lambda: syscalls.prctl(_PR_SET_NO_NEW_PRIVS, 1)),
        limit_resources,
    ]
    if policy.layer == BASIC:
        return basic
    if policy.layer not in (FULL, NAMESPACES, STANDARD):
        return [("layer", lambda: _refuse_layer(policy.layer))]
    steps: list[tuple[str, _Step]] = [("threads", _require_single_thread)]
    if policy.has_namespaces:
        steps.append(("namespaces", lambda: namespaces.enter_namespaces(_view(policy), after_run)))
    return [
        *steps,
        ("not dumpable", lambda: syscalls.prctl(_PR_SET_DUMPABLE, 0)),
        *basic,
        ("capabilities", lambda: capabilities.drop_all(in_new_user_namespace=policy.has_namespaces)),
        *_file_steps(policy),
        ("system call filter", lambda: seccomp.install(_filter_profile(policy))),
    ]


def _file_steps(policy: Policy) -> list[tuple[str, _Step]]:
    """The steps that restrict files: Landlock, unless the file tree holds nothing else."""
    if policy.layer == NAMESPACES:
        return []
    return [("landlock", lambda: landlock.restrict(_readable(policy), _writable(policy), policy.programs))]


def _view(policy: Policy) -> mounts.View:
    return mounts.View(
        work=policy.work,
        size_bytes=policy.disk_bytes,
        keep=(*policy.read, *policy.programs),
        shared_memory_bytes=_SHARED_MEMORY_BYTES if policy.allow_fork else 0,
        is_private=policy.layer == NAMESPACES,
    )


def _readable(policy: Policy) -> list[str]:
    return [*policy.read, *_ALWAYS_READABLE]


def _writable(policy: Policy) -> list[str]:
    writable = [policy.work] if policy.work else []
    if os.path.exists(os.devnull):
        writable.append(os.devnull)
    if policy.layer == FULL and policy.allow_fork:
        writable.append(mounts.SHARED_MEMORY)
    return writable


def _filter_profile(policy: Policy) -> seccomp.Profile:
    version = landlock.abi_version()
    has_own_processes = policy.has_namespaces
    return seccomp.Profile(
        fork=policy.allow_fork,
        execute=policy.allow_exec,
        signals=policy.allow_fork and (has_own_processes or version >= landlock.SIGNALS_SINCE),
        sessions=policy.allow_fork and has_own_processes,
        truncate=policy.layer == NAMESPACES or version >= landlock.TRUNCATE_SINCE,
        special_files=policy.layer != NAMESPACES,
    )


def _require_single_thread() -> None:
    """Fail if there are other threads: Landlock and the filter only hold for the calling thread and what it starts."""
    try:
        threads = os.stat("/proc/self/task").st_nlink - 2  # it has one subdirectory per thread
    except FileNotFoundError:  # there is no /proc
        return
    if threads > 1:
        raise OSError(errno.EBUSY, f"{threads} threads are running")


def _refuse_layer(layer: str) -> None:
    raise ValueError("there is no layer " + repr(layer))
