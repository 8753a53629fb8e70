"""Checks of paths that users name, and of a pack's files. An unreadable path has an answer too."""

import os
import shutil
from pathlib import Path

from evalforge.model.errors import UsageError


def expand_home(name: str) -> Path:
    """A path with ``~`` and ``~user`` expanded; ``~nobody-here/x`` stays unchanged, as in a shell."""
    # Path.expanduser raises RuntimeError for a user who doesn't exist.
    return Path(os.path.expanduser(name))  # noqa: PTH111


def exists(path: Path) -> bool:
    """Whether anything exists at a path."""
    # Path.exists() raises for a name that is too long, or in a folder that can't be read.
    return os.path.exists(path)  # noqa: PTH110


def is_folder(path: Path) -> bool:
    """Whether a folder exists at a path."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: Path) -> bool:
    """Whether a regular file exists at a path."""
    return os.path.isfile(path)  # noqa: PTH113


def is_zip(path: Path) -> bool:
    """Whether a path names a zip, by its ending."""
    return path.suffix.lower() == ".zip" and is_file(path)


def folder_fault(path: Path) -> str:
    """Why a path isn't a readable folder, e.g. "does not exist"; empty if it is one."""
    try:
        os.scandir(path).close()
    except FileNotFoundError:
        return "does not exist"
    except NotADirectoryError:
        return "is not a directory"
    except (OSError, ValueError) as error:
        return f"can't be read ({_reason(error)})"
    return ""


def file_fault(path: Path) -> str:
    """Why a path isn't a regular file, e.g. "does not exist"; empty if it is one."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except (OSError, ValueError) as error:
        return f"can't be read ({_reason(error)})"
    return "" if is_file(path) else "is not a file"


def interpreter_path(name: str, source: str) -> str:
    """The absolute path of a Python interpreter that a user named by path or by command.

    Raises:
        UsageError: It doesn't exist; the message begins with ``source``, which says where the name was given.
    """
    path = expand_home(name) if os.sep in name else Path(shutil.which(name) or name)
    if fault := file_fault(path):
        raise UsageError(f"{source} {name} {fault}.", "Name a Python interpreter.")
    # Not resolved: a virtual environment's interpreter is a link, and resolving it would lose its packages.
    return str(path.absolute())


def _reason(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def folders_in(folder: Path) -> tuple[Path, ...]:
    """The folders in a folder, sorted by name; none if it doesn't exist or can't be read."""
    try:
        return tuple(sorted(path for path in folder.iterdir() if is_folder(path)))
    except OSError:
        return ()


def boss_file(pack: Path) -> Path | None:
    """The file that makes a folder a pack; None if there is none."""
    return next((pack / name for name in ("boss.yaml", "boss.json", "boss.yml") if is_file(pack / name)), None)


def pack_file(pack: Path, stem: str) -> Path:
    """The path of ``stem.yaml`` in a pack, or of its JSON or YML twin if that exists."""
    candidates = [pack / f"{stem}{suffix}" for suffix in (".yaml", ".json", ".yml")]
    return next((path for path in candidates if is_file(path)), candidates[0])


def file_sizes(folder: Path) -> list[int]:
    """The sizes of the files directly in a folder, in bytes; none if it can't be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry.stat().st_size for entry in entries if entry.is_file(follow_symlinks=False)]
    except OSError:
        return []
