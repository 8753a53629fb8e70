"""The view of files inside a mount namespace: all of it read-only, one place to write, other people's scratch hidden.

To be called in a mount namespace of one's own; nothing here reaches the one outside.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

import syscalls

SHARED_MEMORY = "/dev/shm"
_HIDDEN = ("/tmp", "/var/tmp", SHARED_MEMORY)

_HERE = -100
_EMPTY_PATH, _RECURSIVE = 0x1000, 0x8000
_CLONE_TREE = 1
_CLOSE_ON_EXEC = 0o2000000
_MOVE_FROM_DESCRIPTOR = 4
_READ_ONLY, _NO_SETUID = 1, 2
_PRIVATE = 1 << 18
_NOSUID, _NODEV, _NOEXEC = 2, 4, 8
_FILES_MOST = 4096


def arrange(
    work: str | None,
    size_bytes: int,
    keep: Iterable[str],
    owner: int,
    shared_bytes: int = 0,
    programs: bool = False,
) -> None:
    """Make the tree read-only and mount what is private.

    Args:
        work: The one directory to write in, as a new file system; its former contents are out of sight.
        size_bytes: How much that one holds.
        keep: Paths that stay visible even below a hidden directory.
        owner: Who owns the new file systems, as a user id in this namespace.
        shared_bytes: How much shared memory (``/dev/shm``) holds; 0 for none.
        programs: Whether files in ``work`` may be executed.

    Raises:
        OSError: The kernel refuses a step.
    """
    _make_read_only("/", _RECURSIVE)
    keep = [path for path in _both_spellings(keep) if not (work and _within(path, work))]
    hidden = _to_hide(keep, work, owner)
    trees = {path: _clone(path) for path in keep if any(_within(path, place) for place in hidden)}
    for place in hidden:
        if place == SHARED_MEMORY and shared_bytes:
            _mount_memory(place, "size=%d,mode=700,uid=%d" % (shared_bytes, owner), _NOEXEC)
        else:
            _hide(place, {path: tree for path, tree in trees.items() if _within(path, place)}, work)
    for tree in trees.values():
        os.close(tree)
    if work:
        options = "size=%d,nr_inodes=%d,mode=700,uid=%d" % (size_bytes, _FILES_MOST, owner)
        _mount_memory(work, options, 0 if programs else _NOEXEC)


def own_proc() -> None:
    """A ``/proc`` that shows this process namespace; an empty one where the kernel refuses (in some containers)."""
    try:
        syscalls.call("mount", b"proc\0", b"/proc\0", b"proc\0", _NOSUID | _NODEV | _NOEXEC, b"subset=pid\0")
    except OSError:
        _mount_memory("/proc", "size=0,nr_inodes=1,mode=555", _NOEXEC)


def open_to_all(path: str) -> bool:
    """Whether any user can read a file or list a directory, once they get there. What is missing bars nobody."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    needed = 0o005 if stat.S_ISDIR(mode) else 0o004
    return mode & needed == needed


def _both_spellings(paths: Iterable[str]) -> list[str]:
    """Paths as they were given and as they are without symbolic links; only what exists, outer ones first."""
    spelled = {os.path.abspath(path) for path in paths} | {os.path.realpath(path) for path in paths}
    return sorted(path for path in spelled if os.path.exists(path))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _to_hide(keep: list[str], work: str | None, owner: int) -> list[str]:
    """Directories to cover: the shared scratch ones, and those that bar the new owner's way to what they need."""
    scratch = {os.path.realpath(place) for place in _HIDDEN if os.path.isdir(place)}
    hidden = {place for place in scratch if not any(_within(place, path) for path in keep)}
    if owner != os.getuid():
        for path in [*keep, *([work] if work else [])]:
            barrier = _barrier(path)
            if barrier and not any(_within(barrier, place) for place in hidden):
                hidden.add(barrier)
    return sorted(hidden)


def _barrier(path: str) -> str:
    """The outermost directory on the way to a path that not everybody may pass, or ''."""
    parts = path.split("/")
    for depth in range(2, len(parts)):
        folder = "/".join(parts[:depth])
        if not os.stat(folder).st_mode & 0o001:
            return folder
    return ""


def _hide(place: str, trees: dict[str, int], work: str | None) -> None:
    """Cover a directory with an empty one in which only the kept trees and the way to ``work`` are found."""
    _mount_memory(place, "size=64k,nr_inodes=1000,mode=755", _NOEXEC)
    for path, tree in trees.items():
        if any(path != other and _within(path, other) for other in trees):
            continue  # it comes along with the tree around it
        if stat.S_ISDIR(os.fstat(tree).st_mode):
            os.makedirs(path, mode=0o755, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
        syscalls.call("move_mount", tree, b"\0", _HERE, os.fsencode(path) + b"\0", _MOVE_FROM_DESCRIPTOR)
    if work and _within(work, place):
        os.makedirs(work, mode=0o755, exist_ok=True)
    _make_read_only(place, 0)


def _clone(path: str) -> int:
    """A descriptor of a detached copy of what is mounted at a path."""
    flags = _CLONE_TREE | _CLOSE_ON_EXEC | _RECURSIVE
    return syscalls.call("open_tree", _HERE, os.fsencode(path) + b"\0", flags)


def _make_read_only(path: str, how: int) -> None:
    change = struct.pack("=4Q", _READ_ONLY | _NO_SETUID, 0, _PRIVATE, 0)
    syscalls.call("mount_setattr", _HERE, os.fsencode(path) + b"\0", how, change, len(change))


def _mount_memory(place: str, options: str, flags: int) -> None:
    target = os.fsencode(place) + b"\0"
    syscalls.call("mount", b"tmpfs\0", target, b"tmpfs\0", _NOSUID | _NODEV | flags, options.encode() + b"\0")
