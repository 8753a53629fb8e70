"""A private file tree inside a mount namespace: only what a run may read, and one writable directory.

It is for kernels without Landlock: what isn't in the tree can't be read. Call these functions in a new mount namespace,
so that nothing changes outside.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from . import syscalls
from .mounts import SHARED_MEMORY, View, all_spellings, clone_tree, is_within, make_read_only, mount_memory, move_tree

DEVICES = (os.devnull, "/dev/urandom", "/dev/zero")

_TREE = "size=4m,nr_inodes=20k,mode=755"
_MOUNT_POINT = "/proc"
"""Where the new tree is built until it becomes the root: this directory always exists, and nothing in it is kept."""
_MS_NOEXEC, _MNT_DETACH = 8, 2


def enter_private_tree(view: View, owner: int) -> None:
    """Build the tree and make it the root of this process and all that it starts.

    Args:
        view: The files to show.
        owner: The owner of the new file systems, as a user id in this namespace.

    Raises:
        OSError: The kernel refuses a step.
    """
    work = view.work
    kept_paths = [path for path in _outermost(view.keep) if not (work and is_within(path, work))]
    trees = {path: clone_tree(path) for path in (*kept_paths, *filter(os.path.exists, DEVICES))}
    mount_memory(_MOUNT_POINT, _TREE, 0)
    for path, tree in trees.items():
        _place(tree, path)
        os.close(tree)
    for folder in (_MOUNT_POINT, "/tmp", SHARED_MEMORY):  # noqa: S108 - these are empty folders of the new tree
        os.makedirs(_MOUNT_POINT + folder, mode=0o755, exist_ok=True)
    if view.shared_memory_bytes:
        _mount_owned(SHARED_MEMORY, view.shared_memory_bytes, owner, _MS_NOEXEC)
    if work:
        os.makedirs(_MOUNT_POINT + work, mode=0o755, exist_ok=True)
        _mount_owned(work, view.size_bytes, owner, _MS_NOEXEC)
    _make_root()


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths that aren't below another of the paths."""
    outermost: list[str] = []
    for path in all_spellings(paths):
        if not any(is_within(path, other) for other in outermost):
            outermost.append(path)
    return outermost


def _place(tree: int, path: str) -> None:
    """Mount a detached tree at its path below the new root, read-only unless it is a device."""
    target = _MOUNT_POINT + path
    mode = os.fstat(tree).st_mode
    if stat.S_ISDIR(mode):
        os.makedirs(target, mode=0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_CLOEXEC, 0o644))
    move_tree(tree, target)
    if not stat.S_ISCHR(mode):
        make_read_only(target, is_recursive=True)


def _mount_owned(folder: str, size_bytes: int, owner: int, flags: int) -> None:
    mount_memory(_MOUNT_POINT + folder, f"size={size_bytes},nr_inodes=4096,mode=700,uid={owner}", flags)


def _make_root() -> None:
    """Swap the roots: the old one is stacked on the new one, then unmounted (``man 2 pivot_root``)."""
    os.chdir(_MOUNT_POINT)
    syscalls.call("pivot_root", b".\0", b".\0")
    syscalls.call("umount2", b".\0", _MNT_DETACH)
    os.chdir("/")
    make_read_only("/", is_recursive=False)
