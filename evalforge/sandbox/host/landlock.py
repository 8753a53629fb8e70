"""Landlock: after ``restrict``, this process reaches only the paths it was granted, for good.

Landlock says nothing about chmod, utime, stat, UDP, prlimit or memory files; the system call filter (``seccomp``) does.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

import syscalls

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
# No device nodes, sockets or fifos: a reader outside could hang on what is left behind.
_WRITE = _READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
_ON_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV | RESOLVE_UNIX

_BIND_AND_CONNECT_TCP = 0b11
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
_VERSION_ONLY = 1
_PATH_BENEATH = 1
_NEWEST_KNOWN = 9
TRUNCATE_SINCE = 3
SIGNALS_SINCE = 6


def abi() -> int:
    """The kernel's Landlock version, 0 if there is none. What versions mean: ``man 7 landlock``."""
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
    """Give up all access to files but the granted, TCP, and signals and abstract sockets out of here.

    Paths to read or execute that don't exist are passed over: there is nothing to grant.

    Args:
        read: Files and directories (with all below) that may be read.
        write: Those that may be read and changed.
        execute: Those that may be read and executed.
        version: Use no more than this version offers; by default all the kernel has.

    Raises:
        OSError: There is no Landlock, a path to write is missing, or no-new-privs isn't set.
    """
    version = min(abi() if version is None else version, _NEWEST_KNOWN)
    if version < 1:
        raise OSError(38, "this kernel has no Landlock")
    known = _known(version)
    ruleset = _create(version, known)
    try:
        for path in write:
            _allow(ruleset, path, _WRITE & known)
        for paths, rights in ((read, _READ), (execute, _READ | EXECUTE)):
            for path in paths:
                try:
                    _allow(ruleset, path, rights)
                except (FileNotFoundError, NotADirectoryError, PermissionError):
                    continue
        syscalls.call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _known(version: int) -> int:
    """All file rights that a version handles, i.e. denies unless granted."""
    rights = (1 << 13) - 1
    for since, right in ((2, REFER), (TRUNCATE_SINCE, TRUNCATE), (5, IOCTL_DEV), (9, RESOLVE_UNIX)):
        if version >= since:
            rights |= right
    return rights


def _create(version: int, rights: int) -> int:
    fields = [rights]
    if version >= 4:
        fields.append(_BIND_AND_CONNECT_TCP)
    if version >= SIGNALS_SINCE:
        fields.append(_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = struct.pack("=%dQ" % len(fields), *fields)
    return syscalls.call("landlock_create_ruleset", attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _ON_A_FILE
        syscalls.call("landlock_add_rule", ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)
