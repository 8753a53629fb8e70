"""Questions about paths that people name: each has an answer, none raises. Who opens one then learns the rest."""

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether anything is found there."""
    # Path's own question raises for a name that is too long, or within a folder that can't be read.
    return os.path.exists(path)  # noqa: PTH110


def is_folder(path: Path) -> bool:
    """Whether a folder is found there."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: Path) -> bool:
    """Whether a regular file is found there."""
    return os.path.isfile(path)  # noqa: PTH113


def no_folder(path: Path) -> str:
    """What keeps a path from being a folder to read, e.g. "does not exist"; empty if nothing does."""
    try:
        os.scandir(path).close()
    except FileNotFoundError:
        return "does not exist"
    except NotADirectoryError:
        return "is not a directory"
    except (OSError, ValueError) as error:
        return f"can't be read ({_reason(error)})"
    return ""


def no_file(path: Path) -> str:
    """What keeps a path from being a regular file, e.g. "does not exist"; empty if nothing does."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except (OSError, ValueError) as error:
        return f"can't be read ({_reason(error)})"
    return "" if is_file(path) else "is not a file"


def _reason(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def folders_in(folder: Path) -> tuple[Path, ...]:
    """The folders in a folder, by name; none if there is no such folder, or it can't be read."""
    try:
        return tuple(sorted(path for path in folder.iterdir() if is_folder(path)))
    except OSError:
        return ()
