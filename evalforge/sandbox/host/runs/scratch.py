"""Handling of a run's directory after a program wrote to it: measure, collect and remove files without being tricked.

A program may leave folders too deep for any path or for recursion, locked folders, or links in place of folders. So
nothing here uses paths: every step starts from an open directory, and links are never followed.
"""

from __future__ import annotations

import contextlib
import os
import stat

_OPEN_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_STAT_BLOCK_BYTES = 512
_MAX_DEPTH = 20
_MIN_ENTRY_BYTES = 32 * 1024  # the size counted for an empty file, because some disks take a millisecond to remove one
_MAX_COLLECTED = 64
_MAX_FILE_BYTES = 1024 * 1024
_MAX_COLLECTED_BYTES = 6 * 1024 * 1024


def open_folder(path: str) -> int:
    """Open a directory, so that it can be found even if its name changes."""
    return os.open(path, _OPEN_FOLDER_FLAGS)


def free_bytes(folder: int | str) -> int:
    """Free bytes on the disk of a directory, given as a descriptor or a path."""
    status = os.statvfs(folder)
    return status.f_bfree * status.f_frsize


def used_bytes(folder: int, max_bytes: int) -> int:
    """Bytes used below an open directory; each file and folder counts for at least 32 kB.

    Args:
        folder: The open directory; it is left open.
        max_bytes: The count at which to stop.
    """
    total = 0
    pending = [os.dup(folder)]
    try:
        while pending and total <= max_bytes:
            current = pending.pop()
            try:
                for name, status in _list_entries(current):
                    total += max(status.st_blocks * _STAT_BLOCK_BYTES, _MIN_ENTRY_BYTES)
                    if total > max_bytes:
                        break
                    if stat.S_ISDIR(status.st_mode) and len(pending) < _MAX_DEPTH:
                        with contextlib.suppress(OSError):
                            pending.append(os.open(name, _OPEN_FOLDER_FLAGS, dir_fd=current))
            finally:
                os.close(current)
    finally:
        for descriptor in pending:
            os.close(descriptor)
    return total


def collect_changed_files(folder: int, initial_files: dict[str, bytes]) -> dict[str, bytes]:
    """Plain files created or changed below an open directory: a limited number, shallow ones first, cut at a limit.

    Args:
        folder: The open directory; it is left open. Nothing may still be running in it.
        initial_files: The files at the beginning: content by relative path.

    Returns:
        Content by relative path.
    """
    changed: dict[str, bytes] = {}
    bytes_left = _MAX_COLLECTED_BYTES
    level = [("", os.dup(folder))]
    for _ in range(_MAX_DEPTH):
        next_level: list[tuple[str, int]] = []
        for prefix, current in level:
            for name, status in _list_entries(current):
                path = prefix + name
                if stat.S_ISDIR(status.st_mode):
                    if len(next_level) < _MAX_COLLECTED:
                        with contextlib.suppress(OSError):
                            next_level.append((path + "/", os.open(name, _OPEN_FOLDER_FLAGS, dir_fd=current)))
                elif stat.S_ISREG(status.st_mode) and path.isprintable() and len(changed) < _MAX_COLLECTED:
                    content = _read_plain_file(name, current, min(_MAX_FILE_BYTES, bytes_left))
                    if content is not None and initial_files.get(path) != content:
                        changed[path] = content
                        bytes_left -= len(content)
            os.close(current)
        level = next_level
    for _, descriptor in level:
        os.close(descriptor)
    return changed


def remove_tree(path: str) -> None:
    """Remove a directory and all below it."""
    with contextlib.suppress(OSError):
        top = open_folder(path)
        try:
            _empty_folder(top)
        finally:
            os.close(top)
        os.rmdir(path)


def _empty_folder(top: int) -> None:
    """Remove everything below, descending by name and ascending by ``..``, with a single directory open at a time."""
    current, pending = os.dup(top), _unlink_files(top)
    parents: list[tuple[str, list[str]]] = []  # the name of each folder on the path, and its parent's pending folders
    try:
        while pending or parents:
            if pending:
                name = pending.pop()
                os.chmod(name, 0o700, dir_fd=current)
                following = os.open(name, _OPEN_FOLDER_FLAGS, dir_fd=current)
                parents.append((name, pending))
                pending = _unlink_files(following)
            else:
                name, pending = parents.pop()
                following = os.open("..", _OPEN_FOLDER_FLAGS, dir_fd=current)
                os.rmdir(name, dir_fd=following)
            os.close(current)
            current = following
    finally:
        os.close(current)


def _unlink_files(folder: int) -> list[str]:
    """Remove files and empty directories, and return the names of the other directories."""
    remaining: list[str] = []
    for name, status in _list_entries(folder):
        if not stat.S_ISDIR(status.st_mode):
            os.unlink(name, dir_fd=folder)
            continue
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            remaining.append(name)
    return remaining


def _list_entries(folder: int) -> list[tuple[str, os.stat_result]]:
    """The entries of an open directory by name; entries that can't be inspected are left out."""
    listed: list[tuple[str, os.stat_result]] = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                listed.append((entry.name, entry.stat(follow_symlinks=False)))
    return sorted(listed, key=lambda entry: entry[0])


def _read_plain_file(name: str, folder: int, max_bytes: int) -> bytes | None:
    try:
        descriptor = os.open(name, _OPEN_FILE_FLAGS, dir_fd=folder)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read(max_bytes) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
