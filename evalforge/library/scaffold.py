"""A starter folder for a boss; never overwrites anything."""

from pathlib import Path

from evalforge.library.looking import is_folder
from evalforge.library.pack import BossPack
from evalforge.library.writing import fill
from evalforge.model.errors import UsageError

_CACHE = "__pycache__"


def is_free(directory: Path) -> bool:
    """Whether nothing is there yet, or a folder that is empty.

    Raises:
        OSError: It can't be looked at.
    """
    return not directory.exists() or (directory.is_dir() and not any(directory.iterdir()))


def create(pack: BossPack, directory: Path) -> Path:
    """Copy a boss's starter to a new folder (an existing one must be empty).

    Raises:
        UsageError: The folder holds something already, can't be written, or the boss has no starter.
    """
    if not is_folder(pack.starter):
        raise UsageError(f"{pack.definition.title} has no starter folder.", "Begin with an empty folder of your own.")
    try:
        if not is_free(directory):
            raise UsageError(
                f"{directory} already holds something.", "Nothing was changed: name a new or empty folder."
            )
        files = (path for path in sorted(pack.starter.rglob("*")) if path.is_file())
        wanted = ((path.relative_to(pack.starter).as_posix(), path) for path in files if path.parent.name != _CACHE)
        fill(directory, ((name, path.read_bytes()) for name, path in wanted))
    except OSError as error:
        raise UsageError(f"{directory} can't be written ({error.strerror}).") from None
    return directory
