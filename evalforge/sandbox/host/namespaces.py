"""Namespaces: a process tree, mounts, network, IPC, host name and control groups of its own for one run.

``enter`` returns in a process two forks further on. The process that called it stays behind and ends as that one ends,
so for whoever forked the caller nothing changes: the same process id to wait for, to signal and to kill, the same exit
status.

    caller (waits, passes signals on inwards and the ending outwards)
      init (process 1 of the new tree; reaps, passes signals on, kills what is left, carries files out)
        the process in which ``enter`` returns
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from typing import NamedTuple

import carry
import limits
import mounts
import privileges
import standby
import syscalls

# A user that owns nothing anywhere; root becomes it, because limits on processes don't hold for root.
NOBODY_ELSE = 65533

_NEW_USER = 0x10000000
_NEW_REST = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
_SET_DUMPABLE = 4

After = Callable[[str, int], None]


class Interior(NamedTuple):
    """What the new world is like.

    Attributes:
        work: The one directory to write in. What it holds is carried in before and out afterwards.
        size_bytes: How much fits into it.
        keep: Paths that stay visible below directories that are hidden otherwise (``/tmp`` and the like).
        shared_bytes: How much fits into shared memory.
        programs: Whether programs in ``work`` may be executed.
    """

    work: str | None = None
    size_bytes: int = 0
    keep: tuple[str, ...] = ()
    shared_bytes: int = 0
    programs: bool = False


def enter(interior: Interior, after: After | None = None) -> None:
    """Move into namespaces of one's own; returns in the innermost process, which still holds capabilities in them.

    Root becomes a user without rights wherever all that is kept can be read by everyone.

    Args:
        interior: What the new world is like.
        after: Called in the init process with the work directory and the wait status once everything inside has ended,
            before files are carried out.

    Raises:
        OSError: The kernel refuses a step; also in the caller after the run, if ``after`` failed or init was lost.
    """
    user = _user_inside(interior.keep)
    home = os.getcwd()
    outside = os.open(interior.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if interior.work else None
    user = _separate(user)
    mounts.arrange(interior.work, interior.size_bytes, interior.keep, user, interior.shared_bytes, interior.programs)
    carried = _carry_in(interior.work, outside, user)
    _go_home(home, interior.work)
    limits.apply(limits.Limits(core=0))
    before = standby.hold_signals()
    listening, telling = os.pipe()
    init = os.fork()
    if init:
        os.close(telling)
        standby.relay_to(init, before)
        standby.stand_by(init, listening)
    inside = False
    try:
        os.close(listening)
        standby.end_with_listener(telling)
        mounts.own_proc()
        child = os.fork()
        if child == 0:
            inside = True
            os.close(telling)
            if outside is not None:
                os.close(outside)
            _settle(user, before)
            return
        standby.relay_to(child, before)
        status = standby.reap(child)
        if after:
            after(interior.work or "", status)
        _carry_out(interior, outside, carried)
        standby.tell_status(telling, status)
    except BaseException as error:
        if inside:
            raise
        standby.tell_failure(telling, error)
    finally:
        if not inside:
            os._exit(0)


def available() -> bool:
    """Whether namespaces can be entered here, found out by entering."""
    if not syscalls.MACHINE:
        return False
    child = os.fork()
    if child == 0:
        code = 1
        try:
            enter(Interior())
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _user_inside(keep: Iterable[str]) -> int:
    """Who the run will be: oneself, or nobody in particular instead of root if files allow it."""
    own = os.getuid()
    if own == 0 and privileges.may_change_ids() and all(mounts.open_to_all(path) for path in keep):
        return NOBODY_ELSE
    return own


def _separate(user: int) -> int:
    """Unshare and map ids. Returns the user that can be had: the wished one or oneself."""
    syscalls.prctl(_SET_DUMPABLE, 1)  # or the kernel won't let this process write its own maps
    own, group = os.getuid(), os.getgid()
    if user != own:
        user = _separate_with_helper(user)
    else:
        syscalls.call("unshare", _NEW_USER | _NEW_REST)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", "%d %d 1" % (own, own))
        _write("/proc/self/gid_map", "%d %d 1" % (group, group))
    syscalls.prctl(_SET_DUMPABLE, 0)
    standby.end_with_parent()
    return user


def _separate_with_helper(user: int) -> int:
    """Only a process outside may map a second user, so one stays there until that is done."""
    waiting, ready = os.pipe()
    target = "/proc/%d/" % os.getpid()
    helper = os.fork()
    if helper == 0:
        code = 2
        try:
            os.close(ready)
            if os.read(waiting, 1):
                code = _map_for(target, user)
        finally:
            os._exit(code)
    os.close(waiting)
    try:
        syscalls.call("unshare", _NEW_USER | _NEW_REST)
        os.write(ready, b"+")
    finally:
        os.close(ready)
        code = os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])
    if code not in (0, 1):
        raise OSError(1, "users could not be mapped")
    return user if code == 0 else os.getuid()


def _map_for(target: str, user: int) -> int:
    """Map root and a second user, or root alone where a second one isn't to be had. Returns the helper's exit code."""
    both = "0 0 1\n%d %d 1\n" % (user, user)
    try:
        _write(target + "uid_map", both)
        _write(target + "gid_map", both)
    except OSError:
        for name in ("uid_map", "gid_map"):
            try:
                _write(target + name, "0 0 1\n")
            except OSError:
                if not _read(target + name):
                    return 2
        return 1
    return 0


def _carry_in(work: str | None, outside: int | None, user: int) -> carry.Snapshot:
    if work is None or outside is None:
        return {}
    inside = os.open(work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return carry.into(outside, inside, user)
    finally:
        os.close(inside)


def _carry_out(interior: Interior, outside: int | None, carried: carry.Snapshot) -> None:
    if interior.work is None or outside is None:
        return
    inside = os.open(interior.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        carry.out_of(inside, outside, carried, interior.size_bytes)
    finally:
        os.close(inside)


def _go_home(home: str, work: str | None) -> None:
    """Stand at the same path in the new tree: the old place is still the one outside."""
    for place in (home, work or "/", "/"):
        try:
            os.chdir(place)
            return
        except OSError:
            continue


def _settle(user: int, mask: Iterable[int]) -> None:
    """In the innermost process: the final user, and signals as they were."""
    if user != os.getuid():
        privileges.become(user)
    standby.end_with_parent()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read().strip()
