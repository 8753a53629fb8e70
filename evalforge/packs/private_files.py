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


def _is_shared(path: Path, status: os.stat_result) -> bool:
    return bool(status.st_mode & stat.S_ISVTX) or path.resolve() in (Path.home(), *Path.home().parents)
