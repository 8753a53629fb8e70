"""Namespaces: one run gets its own process tree, mounts, network, IPC, host name and control groups.

``enter_namespaces`` returns in a process two forks further down. The calling process stays behind and ends as that one
ends, so nothing changes for its parent: it waits for, signals and kills the same process id, and gets the same exit
status.

    caller (waits, passes signals on inwards and the ending outwards)
      init (process 1 of the new tree; reaps, passes signals on, kills what is left, copies files out)
        the process in which ``enter_namespaces`` returns
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterable
from typing import NoReturn, Optional

from . import capabilities, file_transfer, mounts, private_tree, resource_limits, supervisor, syscalls
from .mounts import View

UNPRIVILEGED_USER = 65533
"""A user that owns no files; root becomes this user, because limits on processes don't apply to root."""

_CLONE_NEWUSER = 0x10000000
# Mount, cgroup, UTS, IPC, PID and network namespaces.
_CLONE_NEW_OTHERS = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
_PR_SET_DUMPABLE = 4
_EXIT_BOTH_USERS_MAPPED, _EXIT_ROOT_MAPPED, _EXIT_NOT_MAPPED = 0, 1, 2

AfterRun = Optional[Callable[[str, int], None]]
"""Called in the init process with the work directory and the wait status, before files are copied out."""


def enter_namespaces(view: View, after_run: AfterRun = None) -> None:
    """Move into new namespaces; returns in the innermost process, which still has capabilities in them.

    Root becomes a user without rights if everyone can read all that is kept.

    Args:
        view: The files to show.
        after_run: Called once everything inside has ended.

    Raises:
        OSError: The kernel refuses a step; also in the caller after the run, if ``after_run`` failed or init was lost.
    """
    user = _user_inside(view.keep)
    working_directory = os.getcwd()
    outer_folder = os.open(view.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if view.work else None
    user = _unshare(user)
    show = private_tree.enter_private_tree if view.is_private else mounts.mount_view
    show(view, user)
    snapshot = _copy_in(view, outer_folder, user)
    _return_to(working_directory, view.work)
    resource_limits.apply_limits(resource_limits.ResourceLimits(core_bytes=0))
    signal_mask = supervisor.hold_signals()
    read_end, report_end = os.pipe()
    init = os.fork()
    if init:
        os.close(report_end)
        supervisor.relay_signals(init, signal_mask)
        supervisor.wait_and_end_alike(init, read_end)
    is_innermost = False
    try:
        os.close(read_end)
        supervisor.die_with_reader(report_end)
        mounts.mount_proc()
        child = os.fork()
        is_innermost = child == 0
        if not is_innermost:
            _be_init(
                child, signal_mask, report_end, lambda status: _finish(view, outer_folder, snapshot, status, after_run)
            )
        os.close(report_end)
        if outer_folder is not None:
            os.close(outer_folder)
        _settle_in(user, signal_mask)
    except BaseException as error:
        if is_innermost:
            raise
        supervisor.report_failure(report_end, error)
    finally:
        if not is_innermost:
            os._exit(0)


def _be_init(child: int, signal_mask: Iterable[int], report_end: int, finish: Callable[[int], None]) -> NoReturn:
    """As process 1 of the new tree, wait for the end of the run, then exit."""
    supervisor.relay_signals(child, signal_mask)
    wait_status = supervisor.reap_all(child)
    finish(wait_status)
    supervisor.report_status(report_end, wait_status)
    os._exit(0)


def _finish(
    view: View, outer_folder: int | None, snapshot: file_transfer.Snapshot, wait_status: int, after_run: AfterRun
) -> None:
    if after_run:
        after_run(view.work or "", wait_status)
    _copy_out(view, outer_folder, snapshot)


def are_available() -> bool:
    """Whether namespaces can be entered on this machine, tested by entering them."""
    if not syscalls.MACHINE:
        return False
    child = os.fork()
    if child == 0:
        code = 1
        try:
            enter_namespaces(View())
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _user_inside(keep: Iterable[str]) -> int:
    """The user of the run: the present one, or an unprivileged one instead of root if the files allow it."""
    own = os.getuid()
    if own == 0 and capabilities.may_change_ids() and all(mounts.is_open_to_all(path) for path in keep):
        return UNPRIVILEGED_USER
    return own


def _unshare(user: int) -> int:
    """Unshare and map ids. Returns the available user: the wanted one, or else the present one."""
    syscalls.prctl(_PR_SET_DUMPABLE, 1)  # else the kernel won't let this process write its own maps
    own, group = os.getuid(), os.getgid()
    if user != own:
        user = _unshare_with_helper(user)
    else:
        syscalls.call("unshare", _CLONE_NEWUSER | _CLONE_NEW_OTHERS)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{own} {own} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    syscalls.prctl(_PR_SET_DUMPABLE, 0)
    supervisor.die_with_parent()
    return user


def _unshare_with_helper(user: int) -> int:
    """Unshare and map a second user through a helper process outside, because only that may map one."""
    wait_end, ready_end = os.pipe()
    process_folder = f"/proc/{os.getpid()}/"
    helper = os.fork()
    if helper == 0:
        code = _EXIT_NOT_MAPPED
        try:
            os.close(ready_end)
            if os.read(wait_end, 1):
                code = _map_users(process_folder, user)
        finally:
            os._exit(code)
    os.close(wait_end)
    try:
        syscalls.call("unshare", _CLONE_NEWUSER | _CLONE_NEW_OTHERS)
        os.write(ready_end, b"+")
    finally:
        os.close(ready_end)
        code = os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])
    if code not in (_EXIT_BOTH_USERS_MAPPED, _EXIT_ROOT_MAPPED):
        raise OSError(errno.EPERM, "users could not be mapped")
    return user if code == _EXIT_BOTH_USERS_MAPPED else os.getuid()


def _map_users(process_folder: str, user: int) -> int:
    """Map root and a second user, or root alone if that is refused. Returns the helper's exit status."""
    id_map = f"0 0 1\n{user} {user} 1\n"
    try:
        _write(process_folder + "uid_map", id_map)
        _write(process_folder + "gid_map", id_map)
    except OSError:
        for name in ("uid_map", "gid_map"):
            try:
                _write(process_folder + name, "0 0 1\n")
            except OSError:
                if not _read(process_folder + name):
                    return _EXIT_NOT_MAPPED
        return _EXIT_ROOT_MAPPED
    return _EXIT_BOTH_USERS_MAPPED


def _copy_in(view: View, outer_folder: int | None, user: int) -> file_transfer.Snapshot:
    if view.work is None or outer_folder is None:
        return {}
    inner_folder = os.open(view.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return file_transfer.copy_in(outer_folder, inner_folder, user)
    finally:
        os.close(inner_folder)


def _copy_out(view: View, outer_folder: int | None, snapshot: file_transfer.Snapshot) -> None:
    if view.work is None or outer_folder is None:
        return
    inner_folder = os.open(view.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        file_transfer.copy_out(inner_folder, outer_folder, snapshot, view.size_bytes)
    finally:
        os.close(inner_folder)


def _return_to(working_directory: str, work: str | None) -> None:
    """Change to the same path in the new tree, because the working directory is still the one outside."""
    for folder in (working_directory, work or "/", "/"):
        try:
            os.chdir(folder)
        except OSError:
            continue
        return


def _settle_in(user: int, signal_mask: Iterable[int]) -> None:
    """In the innermost process, change to the final user and restore the signal mask."""
    if user != os.getuid():
        capabilities.drop_bounding_set()  # full again in a new user namespace, and the other user may not empty it
        capabilities.become_user(user)
    supervisor.die_with_parent()
    signal.pthread_sigmask(signal.SIG_SETMASK, signal_mask)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read().strip()
