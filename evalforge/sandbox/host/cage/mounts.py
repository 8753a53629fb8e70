"""The file tree inside a mount namespace: read-only, with one writable directory and hidden scratch folders.

Call these functions in a new mount namespace, so that nothing changes outside.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from typing import NamedTuple

from . import syscalls

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - to be hidden
_SCRATCH_FOLDERS = ("/tmp", "/var/tmp", SHARED_MEMORY)  # noqa: S108 - to be hidden

_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC = 1, 0o2000000
_MOVE_MOUNT_F_EMPTY_PATH = 4
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID = 1, 2
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_PRIVATE = 2, 4, 8, 1 << 18
_MAX_FILES = 4096
_READ_BY_OTHERS, _PASS_BY_OTHERS = 0o004, 0o001


class View(NamedTuple):
    """The files that a run can see.

    Attributes:
        work: The one writable directory. Its files are copied in before the run and out afterwards.
        size_bytes: The capacity of ``work``.
        keep: Paths that stay visible in directories that are otherwise hidden, such as ``/tmp``.
        shared_memory_bytes: The capacity of shared memory (``/dev/shm``); 0 for none.
        is_private: Whether only ``keep`` and ``work`` are visible, because nothing else would restrict reading.
    """

    work: str | None = None
    size_bytes: int = 0
    keep: tuple[str, ...] = ()
    shared_memory_bytes: int = 0
    is_private: bool = False


def mount_view(view: View, owner: int) -> None:
    """Make the tree read-only and mount the private parts, which hide the former content of ``work``.

    Args:
        view: The files to show.
        owner: The owner of the new file systems, as a user id in this namespace.

    Raises:
        OSError: The kernel refuses a step.
    """
    make_read_only("/", is_recursive=True)
    work = view.work
    keep = [path for path in all_spellings(view.keep) if not (work and is_within(path, work))]
    hidden = _folders_to_hide(keep, work, owner)
    trees = {path: clone_tree(path) for path in keep if any(is_within(path, folder) for folder in hidden)}
    for folder in hidden:
        if folder == SHARED_MEMORY and view.shared_memory_bytes:
            mount_memory(folder, f"size={view.shared_memory_bytes},mode=700,uid={owner}", _MS_NOEXEC)
        else:
            _hide(folder, {path: tree for path, tree in trees.items() if is_within(path, folder)}, work)
    for tree in trees.values():
        os.close(tree)
    if work:
        options = f"size={view.size_bytes},nr_inodes={_MAX_FILES},mode=700,uid={owner}"
        mount_memory(work, options, _MS_NOEXEC)


def mount_proc() -> None:
    """Mount a ``/proc`` of this process namespace; if the kernel refuses, as in some containers, an empty folder."""
    try:
        syscalls.call("mount", b"proc\0", b"/proc\0", b"proc\0", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, b"subset=pid\0")
    except OSError:
        mount_memory("/proc", "size=0,nr_inodes=1,mode=555", _MS_NOEXEC)


def is_open_to_all(path: str) -> bool:
    """Whether any user who gets there may read a file or list a directory. A missing path counts as open."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    needed_bits = _READ_BY_OTHERS | (_PASS_BY_OTHERS if stat.S_ISDIR(mode) else 0)
    return mode & needed_bits == needed_bits


def all_spellings(paths: Iterable[str]) -> list[str]:
    """Paths as given and with symbolic links resolved; only existing ones, outer ones first."""
    spellings = {spelling for path in paths for spelling in (os.path.abspath(path), os.path.realpath(path))}
    return sorted(path for path in spellings if os.path.exists(path))


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or is below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _folders_to_hide(keep: list[str], work: str | None, owner: int) -> list[str]:
    """Directories to hide: shared scratch folders, and those that would block the new owner's way to what it needs."""
    scratch = {os.path.realpath(folder) for folder in _SCRATCH_FOLDERS if os.path.isdir(folder)}
    hidden = {folder for folder in scratch if not any(is_within(folder, path) for path in keep)}
    if owner != os.getuid():
        for path in [*keep, *([work] if work else [])]:
            barrier = _outermost_barrier(path)
            if barrier and not any(is_within(barrier, folder) for folder in hidden):
                hidden.add(barrier)
    return sorted(hidden)


def _outermost_barrier(path: str) -> str:
    """The outermost directory above a path that not every user may enter, or ''."""
    parts = path.split("/")
    for depth in range(2, len(parts)):
        folder = "/".join(parts[:depth])
        if not os.stat(folder).st_mode & _PASS_BY_OTHERS:
            return folder
    return ""


def _hide(folder: str, trees: dict[str, int], work: str | None) -> None:
    """Cover a directory with an empty one that contains only the kept trees and the path to ``work``."""
    mount_memory(folder, "size=64k,nr_inodes=1000,mode=755", _MS_NOEXEC)
    for path, tree in trees.items():
        if any(path != other and is_within(path, other) for other in trees):
            continue  # it is part of the tree around it
        if stat.S_ISDIR(os.fstat(tree).st_mode):
            os.makedirs(path, mode=0o755, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
        move_tree(tree, path)
    if work and is_within(work, folder):
        os.makedirs(work, mode=0o755, exist_ok=True)
    make_read_only(folder, is_recursive=False)


def clone_tree(path: str) -> int:
    """A descriptor of a detached copy of the mount at a path."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    return syscalls.call("open_tree", _AT_FDCWD, os.fsencode(path) + b"\0", flags)


def move_tree(tree: int, path: str) -> None:
    """Mount a detached tree at a path."""
    syscalls.call("move_mount", tree, b"\0", _AT_FDCWD, os.fsencode(path) + b"\0", _MOVE_MOUNT_F_EMPTY_PATH)


def make_read_only(path: str, is_recursive: bool) -> None:
    """Make a mount read-only, including all mounts below it if ``is_recursive``."""
    flags = _AT_RECURSIVE if is_recursive else 0
    attributes = struct.pack("=4Q", _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID, 0, _MS_PRIVATE, 0)
    syscalls.call("mount_setattr", _AT_FDCWD, os.fsencode(path) + b"\0", flags, attributes, len(attributes))


def mount_memory(folder: str, options: str, flags: int) -> None:
    """Mount an in-memory file system without devices and privileges.

    Args:
        folder: The mount point.
        options: Its size, mode and owner, see ``man 5 tmpfs``.
        flags: Additional flags of the mount.

    Raises:
        OSError: The kernel refuses.
    """
    target = os.fsencode(folder) + b"\0"
    syscalls.call("mount", b"tmpfs\0", target, b"tmpfs\0", _MS_NOSUID | _MS_NODEV | flags, options.encode() + b"\0")
