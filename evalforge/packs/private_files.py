"""Files and folders of the user's own: on a machine that many use, nobody else may read attempts, grades or keys."""

import os
import stat
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(folder: Path) -> None:
    """Create a folder that only its owner may open, unless it exists; its parents are created as usual.

    Raises:
        OSError: It can't be created.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_private_folders(folder: Path) -> None:
    """Create a folder and all that are missing above it; only their owner may open those.

    Raises:
        OSError: One can't be created.
    """
    if not folder.is_dir():
        make_private_folders(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def close_to_others(path: Path) -> bool:
    """Take all permissions of other users from a file or folder of the user's own.

    A folder that is there for others too stays open: ``/tmp``, or one that holds a home (``EVALFORGE_HOME=~``).

    Args:
        path: What may exist.

    Returns:
        Whether others had permissions, and have none now.
    """
    with suppress(OSError):
        status = path.stat()
        if status.st_mode & _OTHERS and status.st_uid == os.geteuid() and not _is_shared(path, status):
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)
            return True
    return False


def _is_shared(path: Path, status: os.stat_result) -> bool:
    return bool(status.st_mode & stat.S_ISVTX) or path.resolve() in (Path.home(), *Path.home().parents)
