"""Copy plain files into a private directory before a run, and back out of it afterwards.

Both directories are passed as open descriptors, so that no path can be swapped for a link. Links, fifos and devices are
not copied.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable

_MAX_DEPTH = 40
_CHUNK_BYTES = 1024 * 1024
_MAX_FILES_OUT = 500
_OPEN_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC

Snapshot = dict[str, tuple[int, int, int]]
"""The copied files by relative path: inode, size in bytes and modification time in ns."""

_VisitFile = Callable[[str, str, int, int], None]
"""Called with a file's name, its relative path, and its open folders in source and target."""
_VisitFolder = Callable[[str, int], None]
"""Called with a folder's name and the open folder in the target that will hold it."""


def copy_in(source: int, target: int, owner: int) -> Snapshot:
    """Copy all files of a folder into the sandbox.

    Args:
        source: The open directory outside.
        target: The open, empty directory inside.
        owner: The user that the copies belong to.

    Returns:
        What was copied, for ``copy_out``.

    Raises:
        OSError: It can't be read, or doesn't fit.
    """
    snapshot: Snapshot = {}

    def copy_file(name: str, path: str, source_folder: int, target_folder: int) -> None:
        _copy_file(name, source_folder, target_folder, None, owner)
        snapshot[path] = _fingerprint(os.stat(name, dir_fd=target_folder, follow_symlinks=False))

    def make_folder(name: str, target_folder: int) -> None:
        os.mkdir(name, 0o700, dir_fd=target_folder)
        os.chown(name, owner, -1, dir_fd=target_folder, follow_symlinks=False)

    _walk(source, target, copy_file, make_folder)
    return snapshot


def copy_out(source: int, target: int, snapshot: Snapshot, max_bytes: int) -> None:
    """Copy created and changed files back out, and remove the files that were removed inside.

    Files that can't be copied are skipped, so that no program can make this fail.

    Args:
        source: The open directory inside. Nothing may run in it any more.
        target: The open directory outside.
        snapshot: The files at the beginning, from ``copy_in``.
        max_bytes: How much to write; the rest is skipped (a sparse file may be larger than its disk).
    """
    bytes_left, files_left = max_bytes, _MAX_FILES_OUT
    for path in snapshot:
        with contextlib.suppress(OSError):
            if not _is_plain_file(path, source):
                os.unlink(path, dir_fd=target)

    def copy_changed_file(name: str, path: str, source_folder: int, target_folder: int) -> None:
        nonlocal bytes_left, files_left
        status = os.stat(name, dir_fd=source_folder, follow_symlinks=False)
        if snapshot.get(path) == _fingerprint(status) or status.st_size > bytes_left or not files_left:
            return
        bytes_left -= status.st_size
        files_left -= 1
        with contextlib.suppress(OSError):
            _copy_file(name, source_folder, target_folder, status.st_size, None)

    def make_folder(name: str, target_folder: int) -> None:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=target_folder)

    _walk(source, target, copy_changed_file, make_folder)


def _is_plain_file(path: str, folder: int) -> bool:
    try:
        return stat.S_ISREG(os.stat(path, dir_fd=folder, follow_symlinks=False).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _fingerprint(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _walk(
    source: int, target: int, visit_file: _VisitFile, visit_folder: _VisitFolder, parent: str = "", depth: int = 0
) -> None:
    """Visit each plain file and each directory below an open directory, depth first."""
    with os.scandir(source) as entries:
        modes = sorted((entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in entries)
    for name, mode in modes:
        path = os.path.join(parent, name)
        if stat.S_ISREG(mode):
            visit_file(name, path, source, target)
        elif stat.S_ISDIR(mode) and depth < _MAX_DEPTH:
            visit_folder(name, target)
            try:
                source_folder, target_folder = _open_both(name, source, target)
            except NotADirectoryError:  # the target has something else under this name
                continue
            try:
                _walk(source_folder, target_folder, visit_file, visit_folder, path, depth + 1)
            finally:
                os.close(source_folder)
                os.close(target_folder)


def _open_both(name: str, source: int, target: int) -> tuple[int, int]:
    """Open the directories of one name in the source and in the target."""
    source_folder = os.open(name, _OPEN_FOLDER_FLAGS, dir_fd=source)
    try:
        return source_folder, os.open(name, _OPEN_FOLDER_FLAGS, dir_fd=target)
    except OSError:
        os.close(source_folder)
        raise


def _copy_file(name: str, source: int, target: int, max_bytes: int | None, owner: int | None) -> None:
    """Copy one plain file, replacing anything with its name."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=target)
    reader = os.open(name, _OPEN_FILE_FLAGS, dir_fd=source)
    try:
        mode = stat.S_IMODE(os.fstat(reader).st_mode) & 0o777
        writer = os.open(name, _CREATE_FILE_FLAGS, mode | 0o200, dir_fd=target)
        try:
            _copy_content(reader, writer, max_bytes)
            if owner is not None:
                os.fchown(writer, owner, -1)
        finally:
            os.close(writer)
    finally:
        os.close(reader)


def _copy_content(reader: int, writer: int, max_bytes: int | None) -> None:
    chunk = os.read(reader, _CHUNK_BYTES)
    while chunk:
        if max_bytes is not None:
            chunk = chunk[:max_bytes]
            max_bytes -= len(chunk)
        view = memoryview(chunk)
        while view:
            view = view[os.write(writer, view) :]
        chunk = os.read(reader, _CHUNK_BYTES)
