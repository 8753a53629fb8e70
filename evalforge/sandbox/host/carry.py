"""Carry plain files into a private directory before a run, and back out of it afterwards.

Both sides are given as open directories, so nothing on the way can be swapped for a link. Links, fifos and devices stay
where they are.
"""

from __future__ import annotations

import contextlib
import os
import stat

_DEEPEST = 40
_PIECE = 1 << 20
_FILES_MOST = 500
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

# A file as it was carried in: by relative path, its identity, size and time of change.
Snapshot = dict[str, tuple[int, int, int]]


def into(source: int, target: int, owner: int) -> Snapshot:
    """Copy everything in.

    Args:
        source: The open directory outside.
        target: The open, empty directory inside.
        owner: The user that the copies belong to.

    Returns:
        What was carried, for ``out_of``.

    Raises:
        OSError: It can't be read, or doesn't fit.
    """
    carried: Snapshot = {}

    def place(name: str, path: str, here: int, there: int) -> None:
        _copy(name, here, there, None, owner)
        carried[path] = _mark(os.stat(name, dir_fd=there, follow_symlinks=False))

    def enter(name: str, there: int) -> None:
        os.mkdir(name, 0o700, dir_fd=there)
        os.chown(name, owner, -1, dir_fd=there, follow_symlinks=False)

    _walk(source, target, place, enter)
    return carried


def out_of(source: int, target: int, carried: Snapshot, size_bytes: int) -> None:
    """Bring what was created or changed back out, and remove outside what was removed inside.

    What can't be carried is left behind: a program must not be able to make its own collection fail.

    Args:
        source: The open directory inside. Nothing may run in it any more.
        target: The open directory outside.
        carried: What was there in the beginning.
        size_bytes: Bytes to write at most; the rest is left behind (a sparse file is larger than the disk it takes).
    """
    left, files = [size_bytes], [_FILES_MOST]
    for path in carried:
        with contextlib.suppress(OSError):
            if not _is_plain(path, source):
                os.unlink(path, dir_fd=target)

    def place(name: str, path: str, here: int, there: int) -> None:
        found = os.stat(name, dir_fd=here, follow_symlinks=False)
        if carried.get(path) == _mark(found) or found.st_size > left[0] or not files[0]:
            return
        left[0] -= found.st_size
        files[0] -= 1
        with contextlib.suppress(OSError):
            _copy(name, here, there, found.st_size, None)

    def enter(name: str, there: int) -> None:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=there)

    _walk(source, target, place, enter)


def _is_plain(path: str, folder: int) -> bool:
    try:
        return stat.S_ISREG(os.stat(path, dir_fd=folder, follow_symlinks=False).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _mark(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _walk(source, target, place, enter, above="", depth=0) -> None:
    """Call ``place`` for each plain file and ``enter`` for each directory, depth first."""
    with os.scandir(source) as entries:
        found = sorted((entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in entries)
    for name, mode in found:
        path = os.path.join(above, name)
        if stat.S_ISREG(mode):
            place(name, path, source, target)
        elif stat.S_ISDIR(mode) and depth < _DEEPEST:
            enter(name, target)
            try:
                inner, outer = _open(name, source, target)
            except NotADirectoryError:  # its name belongs to something else on the other side
                continue
            try:
                _walk(inner, outer, place, enter, path, depth + 1)
            finally:
                os.close(inner)
                os.close(outer)


def _open(name: str, source: int, target: int) -> tuple[int, int]:
    """The directories of one name on both sides."""
    inner = os.open(name, _FOLDER, dir_fd=source)
    try:
        return inner, os.open(name, _FOLDER, dir_fd=target)
    except OSError:
        os.close(inner)
        raise


def _copy(name: str, source: int, target: int, most: int | None, owner: int | None) -> None:
    """Copy one plain file, replacing whatever has its name."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=target)
    reading = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=source)
    try:
        mode = stat.S_IMODE(os.fstat(reading).st_mode) & 0o777
        writing = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode | 0o200, dir_fd=target)
        try:
            _pour(reading, writing, most)
            if owner is not None:
                os.fchown(writing, owner, -1)
        finally:
            os.close(writing)
    finally:
        os.close(reading)


def _pour(reading: int, writing: int, most: int | None) -> None:
    piece = os.read(reading, _PIECE)
    while piece:
        if most is not None:
            piece = piece[:most]
            most -= len(piece)
        view = memoryview(piece)
        while view:
            view = view[os.write(writing, view) :]
        piece = os.read(reading, _PIECE)
