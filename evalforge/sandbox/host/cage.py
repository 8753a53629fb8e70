"""The cage: everything a forked child gives up, in the right order, before it runs code that nobody vouches for.

Fail closed: if any step can't be taken, ``CageError`` names it, and the process must end without running anything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NamedTuple

import landlock
import limits as resource_limits
import mounts
import namespaces
import privileges
import seatbelt
import seccomp
import selftest
import standby
import syscalls

FULL = "full"
STANDARD = "standard"
SEATBELT = "seatbelt"
BASIC = "basic"
NONE = "none"
LAYERS = (FULL, STANDARD, SEATBELT, BASIC, NONE)

_SET_DUMPABLE, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS = 4, 36, 38
_PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_SHARED_MEMORY_BYTES = 16 * 1024 * 1024


class CageError(Exception):
    """The cage could not be closed: which step failed, and why."""


class Policy(NamedTuple):
    """What one run may do.

    Attributes:
        read: Files and directories it may read: the standard library, the submission.
        work: The directory it may write in; ``None`` for none at all.
        limits: Resource limits.
        layer: ``full``, ``standard``, ``basic`` (limits and no new privileges: no cage for other people's code),
            ``seatbelt`` (the host itself was started by ``seatbelt.command``) or ``none`` (limits alone).
        allow_fork: Whether it may start processes. Only ``full`` is sure to end them all.
        allow_exec: Whether it may run programs: those below ``execute``.
        execute: Where those programs lie, with what they need; the system's own if empty.
        disk_bytes: How much fits into ``work`` in layer ``full``.
    """

    read: tuple[str, ...] | list[str] = ()
    work: str | None = None
    limits: resource_limits.Limits = resource_limits.Limits()
    layer: str = STANDARD
    allow_fork: bool = False
    allow_exec: bool = False
    execute: tuple[str, ...] = ()
    disk_bytes: int = 64 * 1024 * 1024

    @property
    def programs(self) -> tuple[str, ...]:
        """Where programs lie that it may run."""
        if not self.allow_exec:
            return ()
        return tuple(self.execute) or (*_PROGRAMS, sys.base_prefix)


def enter(policy: Policy, after: namespaces.After | None = None) -> None:
    """Shut this process in, for good. To be called in a forked child with one thread and no descriptors to spare.

    In layer ``full`` this returns two forks further on (see ``namespaces``): ``work`` is then a private copy of the
    directory, carried back when the run is over.

    Args:
        policy: What it may do.
        after: Layer ``full`` only: called outside the cage with ``work`` and the wait status once the run is over.

    Raises:
        CageError: A step failed. Leave the process at once.
    """
    for name, step in _steps(policy, after):
        try:
            step()
        except Exception as error:
            raise CageError(name + ": " + str(error)) from error


def harden(parent: int | None = None) -> None:
    """Protect the host itself: nobody reads its memory, it collects orphans, and it dies with its parent.

    The kernel counts the parent's *thread* as the parent: a host started by a thread dies when that thread ends.

    Args:
        parent: The process id of the parent, if known; the host leaves at once if that one is already gone.
    """
    if not syscalls.MACHINE:
        return
    syscalls.prctl(_SET_DUMPABLE, 0)
    syscalls.prctl(_SET_CHILD_SUBREAPER, 1)
    standby.end_with_parent()
    for usual in (Policy(), Policy(layer=FULL, allow_fork=True), Policy(layer=FULL, allow_fork=True, allow_exec=True)):
        seccomp.assemble(_profile(usual), 0, syscalls.MACHINE)  # so that forked children find it ready
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def narrow() -> None:
    """Have the host itself give up what no run of its may have, once for all of them. Not before it has probed.

    Raises:
        OSError: The kernel refuses.
    """
    if syscalls.MACHINE:
        privileges.narrow()


def probe(scratch: str = "/tmp") -> dict[str, object]:
    """Find the best layer that really holds here, by having caged children try what is forbidden.

    Args:
        scratch: A directory to work in.

    Returns:
        ``layer`` (one of ``LAYERS``), ``landlock_abi``, ``seccomp``, ``userns``, ``bwrap`` (path of one that works, or
        None), ``root`` and ``notes`` (sentences for a person).

    Raises:
        OSError: Nothing can be written in ``scratch``.
    """
    if sys.platform == "darwin":
        return selftest.without_linux(SEATBELT if seatbelt.available() else NONE)
    if not syscalls.MACHINE or not hasattr(os, "fork"):
        return selftest.without_linux(NONE)
    return selftest.probe(enter, Policy, scratch)


def _steps(policy: Policy, after: namespaces.After | None) -> list[tuple[str, Callable[[], object]]]:
    """The steps of a layer, with the names that errors give them."""
    bounds = ("resource limits", lambda: resource_limits.apply(policy.limits))
    if policy.layer in (SEATBELT, NONE):
        return [bounds]
    privacy = [
        ("die with parent", standby.end_with_parent),
        ("no new privileges", lambda: syscalls.prctl(_SET_NO_NEW_PRIVS, 1)),
        bounds,
    ]
    if policy.layer == BASIC:
        return privacy
    if policy.layer not in (FULL, STANDARD):
        return [("layer", lambda: _refuse_layer(policy.layer))]
    return [
        ("threads", _demand_one_thread),
        *([("namespaces", lambda: namespaces.enter(_interior(policy), after))] if policy.layer == FULL else []),
        ("not dumpable", lambda: syscalls.prctl(_SET_DUMPABLE, 0)),
        *privacy,
        ("capabilities", lambda: privileges.drop(anew=policy.layer == FULL)),
        ("landlock", lambda: landlock.restrict(_readable(policy), _writable(policy), policy.programs)),
        ("system call filter", lambda: seccomp.install(profile=_profile(policy))),
    ]


def _interior(policy: Policy) -> namespaces.Interior:
    return namespaces.Interior(
        work=policy.work,
        size_bytes=policy.disk_bytes,
        keep=(*policy.read, *policy.programs),
        shared_bytes=_SHARED_MEMORY_BYTES if policy.allow_fork else 0,
        programs=policy.allow_exec,
    )


def _readable(policy: Policy) -> list[str]:
    return [*policy.read, "/dev/urandom", "/dev/zero"]


def _writable(policy: Policy) -> list[str]:
    granted = [policy.work] if policy.work else []
    if os.path.exists(os.devnull):
        granted.append(os.devnull)
    if policy.layer == FULL and policy.allow_fork:
        granted.append(mounts.SHARED_MEMORY)
    return granted


def _profile(policy: Policy) -> seccomp.Profile:
    version = landlock.abi()
    alone = policy.layer == FULL
    return seccomp.Profile(
        fork=policy.allow_fork,
        execute=policy.allow_exec,
        signals=policy.allow_fork and (alone or version >= landlock.SIGNALS_SINCE),
        sessions=policy.allow_fork and alone,
        truncate=version >= landlock.TRUNCATE_SINCE,
    )


def _demand_one_thread() -> None:
    """Landlock and the filter hold for the calling thread and what it starts, not for threads beside it."""
    try:
        threads = os.stat("/proc/self/task").st_nlink - 2  # its subdirectories, one for each thread
    except FileNotFoundError:  # no /proc here
        return
    if threads > 1:
        raise OSError(16, "%d threads are running" % threads)


def _refuse_layer(layer: str) -> None:
    raise ValueError("there is no layer " + repr(layer))
