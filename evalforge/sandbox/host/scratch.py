"""A run's own directory after a program had its way with it: measured, collected and removed without being led astray.

A program may leave folders too deep for any path and for recursion, folders nobody may enter, links in place of
folders. So nothing here goes by path: every step is taken from an open directory, and links are never followed.
"""

from __future__ import annotations

import contextlib
import os
import stat

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DEEPEST = 20
_ENTRY_BYTES = 32 * 1024  # what an empty file counts for: some disks need a millisecond to remove one
_FILES_MOST = 64
_FILE_MOST = 1024 * 1024
_FILES_MOST_BYTES = 6 * 1024 * 1024


def open_folder(path):
    """An open directory, by which to find it whatever becomes of its name."""
    return os.open(path, _FOLDER)


def free_space(folder):
    """Bytes that are free on the disk of a directory, given open or by its path."""
    found = os.statvfs(folder)
    return found.f_bfree * found.f_frsize


def usage(folder, enough):
    """Bytes taken below an open directory; each file and folder counts for at least 32 kB.

    Args:
        folder: The open directory; it is left open.
        enough: Where to stop counting.
    """
    total = 0
    waiting = [os.dup(folder)]
    try:
        while waiting and total <= enough:
            here = waiting.pop()
            try:
                for name, found in _entries(here):
                    total += max(found.st_blocks * 512, _ENTRY_BYTES)
                    if total > enough:
                        break
                    if stat.S_ISDIR(found.st_mode) and len(waiting) < _DEEPEST:
                        with contextlib.suppress(OSError):
                            waiting.append(os.open(name, _FOLDER, dir_fd=here))
            finally:
                os.close(here)
    finally:
        for left in waiting:
            os.close(left)
    return total


def collect(folder, known):
    """Plain files created or changed below an open directory: the first few, shallow ones first, cut at their caps.

    Args:
        folder: The open directory; it is left open. Nothing may run in it any more.
        known: Content by relative path of what was there in the beginning.

    Returns:
        Content by relative path.
    """
    changed = {}
    left = _FILES_MOST_BYTES
    level = [("", os.dup(folder))]
    for _ in range(_DEEPEST):
        deeper = []
        for prefix, here in level:
            for name, found in _entries(here):
                path = prefix + name
                if stat.S_ISDIR(found.st_mode):
                    if len(deeper) < _FILES_MOST:
                        with contextlib.suppress(OSError):
                            deeper.append((path + "/", os.open(name, _FOLDER, dir_fd=here)))
                elif stat.S_ISREG(found.st_mode) and path.isprintable() and len(changed) < _FILES_MOST:
                    content = _content(name, here, min(_FILE_MOST, left))
                    if content is not None and known.get(path) != content:
                        changed[path] = content
                        left -= len(content)
            os.close(here)
        level = deeper
    for _, here in level:
        os.close(here)
    return changed


def remove(path):
    """Remove a directory and all below it."""
    with contextlib.suppress(OSError):
        top = open_folder(path)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(path)


def _empty(top):
    """Walk down by name and up by ``..``, with one directory open at a time however deep it goes."""
    here, above, waiting = os.dup(top), [], _unlink_files(top)
    try:
        while waiting or above:
            if waiting:
                name = waiting.pop()
                os.chmod(name, 0o700, dir_fd=here)
                deeper = os.open(name, _FOLDER, dir_fd=here)
                above.append((name, waiting))
                waiting = _unlink_files(deeper)
            else:
                name, waiting = above.pop()
                deeper = os.open("..", _FOLDER, dir_fd=here)
                os.rmdir(name, dir_fd=deeper)
            os.close(here)
            here = deeper
    finally:
        os.close(here)


def _unlink_files(folder):
    """Remove what isn't a directory, and those that are empty; gives the names of the rest."""
    left = []
    for name, found in _entries(folder):
        if not stat.S_ISDIR(found.st_mode):
            os.unlink(name, dir_fd=folder)
            continue
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            left.append(name)
    return left


def _entries(folder):
    """Names and conditions of what is in an open directory, by name; what can't be looked at is not there."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                found.append((entry.name, entry.stat(follow_symlinks=False)))
    return sorted(found, key=lambda one: one[0])


def _content(name, folder, most):
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read(most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
