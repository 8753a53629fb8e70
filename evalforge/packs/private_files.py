"""Private files and folders: on a shared machine nobody else may read attempts, grades or keys."""

import os
import stat
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(folder: Path) -> None:
    """Create a folder that only its owner may open, if it is missing; its parents get the usual permissions.

    Raises:
        OSError: It can't be created.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_private_folders(folder: Path) -> None:
    """Create a folder and all missing parents, which only their owner may open.

    Raises:
        OSError: One of them can't be created.
    """
    if not folder.is_dir():
        make_private_folders(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def close_to_others(path: Path) -> bool:
    """Remove all permissions of other users from a file or folder of the user's own.

    Folders that others need stay open, such as ``/tmp`` or a home (``EVALFORGE_HOME=~``).

    Args:
        path: The file or folder, which may not exist.

    Returns:
        Whether permissions were removed.
    """
    with suppress(OSError):
        status = path.stat()
        if status.st_mode & _OTHERS and status.st_uid == os.geteuid() and not _is_shared(path, status):
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)
            return True
    return False


def close_tree_to_others(folder: Path) -> bool:
    """Do the same with a folder and, if others could open it, with everything in it.

    Returns:
        Whether permissions were removed.
    """
    if not close_to_others(folder):
        return False
    for inner_folder, folder_names, file_names in os.walk(folder):
        for name in (*folder_names, *file_names):
            path = Path(inner_folder, name)
            if not path.is_symlink():  # what it leads to may be elsewhere, and is not ours to close
                close_to_others(path)
    return True


def can_others_read(export: Path) -> bool:
    """Whether other users may read a file, or any file below a folder."""
    files = export.rglob("*") if export.is_dir() else (export,)
    return any(file.is_file() and file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH) for file in files)


def open_private_file(path: Path, flags: int) -> int:
    """Open a file, which only its owner may read if it is created here; missing folders are created likewise.

    Returns:
        The file descriptor.

    Raises:
        OSError: It can't be opened or created.
    """
    make_private_folders(path.parent)
    return os.open(path, flags | os.O_CREAT, FILE_MODE)


def _is_shared(path: Path, status: os.stat_result) -> bool:
    return bool(status.st_mode & stat.S_ISVTX) or path.resolve() in (Path.home(), *Path.home().parents)
