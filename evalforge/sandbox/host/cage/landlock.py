"""Landlock: after ``restrict``, this process can only reach the paths it was granted, for good.

Landlock doesn't control chmod, utime, stat, UDP, prlimit or memory files; the system call filter (``seccomp``) does.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
from collections.abc import Iterable

from . import syscalls

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
REMOVE_DIR = 1 << 4
REMOVE_FILE = 1 << 5
MAKE_DIR = 1 << 7
MAKE_REG = 1 << 8
MAKE_SYM = 1 << 12
REFER = 1 << 13
TRUNCATE = 1 << 14
IOCTL_DEV = 1 << 15
RESOLVE_UNIX = 1 << 16

_READ = READ_FILE | READ_DIR
# No device nodes, sockets or fifos: reading one that is left behind could block a process outside.
_WRITE = _READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
_ON_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV | RESOLVE_UNIX

_BIND_AND_CONNECT_TCP = 0b11
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
_VERSION_ONLY = 1
_PATH_BENEATH = 1
_NEWEST_ABI = 9
_REFER_SINCE, _TCP_SINCE, _IOCTL_DEV_SINCE, _RESOLVE_UNIX_SINCE = 2, 4, 5, 9
TRUNCATE_SINCE = 3
SIGNALS_SINCE = 6
_FIRST_ABI_RIGHTS = (1 << 13) - 1


def abi_version() -> int:
    """The kernel's Landlock version, or 0 if it has none. ``man 7 landlock`` lists the versions."""
    try:
        return syscalls.call("landlock_create_ruleset", 0, 0, _VERSION_ONLY)
    except OSError:
        return 0


def restrict(
    read: Iterable[str] = (),
    write: Iterable[str] = (),
    execute: Iterable[str] = (),
    version: int | None = None,
) -> None:
    """Give up TCP, signals and abstract sockets to the outside, and access to all files but those named here.

    Paths to read or execute that don't exist are skipped.

    Args:
        read: Files and directories (with all below) that may be read.
        write: Those that may be read and changed.
        execute: Those that may be read and executed.
        version: The Landlock version to use at most; by default the kernel's.

    Raises:
        OSError: There is no Landlock, a path to write is missing, or no-new-privs isn't set.
    """
    version = min(abi_version() if version is None else version, _NEWEST_ABI)
    if version < 1:
        raise OSError(errno.ENOSYS, "this kernel has no Landlock")
    handled = _handled_rights(version)
    ruleset = _create_ruleset(version, handled)
    try:
        for path in write:
            _grant(ruleset, path, _WRITE & handled)
        for paths, rights in ((read, _READ), (execute, _READ | EXECUTE)):
            for path in paths:
                try:
                    _grant(ruleset, path, rights)
                except (FileNotFoundError, NotADirectoryError, PermissionError):
                    continue
        syscalls.call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _handled_rights(version: int) -> int:
    """All file rights that a version handles, that is, denies unless granted."""
    rights = _FIRST_ABI_RIGHTS
    for since, right in (
        (_REFER_SINCE, REFER),
        (TRUNCATE_SINCE, TRUNCATE),
        (_IOCTL_DEV_SINCE, IOCTL_DEV),
        (_RESOLVE_UNIX_SINCE, RESOLVE_UNIX),
    ):
        if version >= since:
            rights |= right
    return rights


def _create_ruleset(version: int, rights: int) -> int:
    fields = [rights]
    if version >= _TCP_SINCE:
        fields.append(_BIND_AND_CONNECT_TCP)
    if version >= SIGNALS_SINCE:
        fields.append(_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return syscalls.call("landlock_create_ruleset", attributes, len(attributes), 0)


def _grant(ruleset: int, path: str, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _ON_A_FILE
        syscalls.call("landlock_add_rule", ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
